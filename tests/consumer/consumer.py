#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Uses weft as other projects do and runs what they build: its folder in CMake's add_subdirectory and
FetchContent, an installed package (moved after it was installed) with find_package and with pkg-config,
the steps of the vcpkg port, the Conan recipe, and the single header with each compiler. Also what must
not be: an installed file too many, a header of include/ beside the single header, a part that there is
not or whose package is missing."""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../../tools"))
from tally import Tally, run  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
SOURCES = [os.path.join(HERE, name) for name in ("main.cpp", "other.cpp")]
STRICT = "-Wall -Wextra -Wconversion -Wshadow -Wpedantic -Wno-psabi -Werror".split()
NEEDED = {"io": "nlohmann/json.hpp", "npz": "zip.h", "opencl": "CL/cl.h", "dlpack": "dlpack/dlpack.h",
          "eigen": "eigen3/Eigen/Core", "png": "png.h", "xsimd": "xsimd/xsimd.hpp",
          "mpi": "mpi/mpi.h"}
INSTALLED = re.compile(r"(include/weft/.*\.hpp|share/pkgconfig/weft\.pc|share/doc/weft/LICENSE|"
                       r"lib.*/cmake/weft/weft-[a-z-]+\.cmake)$")


class Failed(Exception):
    """A command that went wrong: its text."""


def do(*command, text=None):
    code, output = run([str(word) for word in command], text=text)
    if code:
        raise Failed(f"{' '.join(map(str, command))}\n" + "\n".join(output.splitlines()[-40:]))
    return output


def compiler(name):
    return ["ccache", name] if shutil.which("ccache") else [name]


def parts():
    """Those whose packages are installed."""
    here = [part for part, header in NEEDED.items()
            if not run(["g++", "-E", "-x", "c++", "-"], text=f"#include <{header}>\n")[0]]
    return [part for part in here if part != "npz" or "io" in here]


class Consumer:
    def __init__(self, folder):
        self.folder = folder
        self.prefix = os.path.join(folder, "moved")

    def place(self, *names):
        return os.path.join(self.folder, *names)

    def cmake(self, name, *options):
        """The consumer project, built without optimisation and run."""
        launcher = ["-DCMAKE_CXX_COMPILER_LAUNCHER=ccache"] if shutil.which("ccache") else []
        do("cmake", "-S", HERE, "-B", self.place(name), "-DCMAKE_CXX_COMPILER=g++", *launcher, *options)
        do("cmake", "--build", self.place(name), "-j", "2")
        return do(self.place(name, "consumer"))

    def subdirectory(self):
        said = self.cmake("subdirectory", "-DROUTE=subdirectory", f"-DWEFT_PLACE={ROOT}", "-DMODEL=ON")
        do("cmake", "--install", self.place("subdirectory"), "--prefix", self.place("theirs"))
        found = files_of(self.place("theirs"))
        if found != ["bin/consumer"]:  # a project installs itself, not what it is built of
            raise Failed("installed with the consumer: " + " ".join(found))
        return said

    def fetch(self):
        return self.cmake("fetch", "-DROUTE=fetch", f"-DWEFT_PLACE={ROOT}", f"-DPARTS={';'.join(parts())}")

    def install(self):
        """With default options, into a folder that is moved afterwards."""
        do("cmake", "-S", ROOT, "-B", self.place("weft"), "-DCMAKE_CXX_COMPILER=g++")
        do("cmake", "--build", self.place("weft"))
        do("cmake", "--install", self.place("weft"), "--prefix", self.place("prefix"))
        os.rename(self.place("prefix"), self.prefix)
        found = files_of(self.prefix)
        headers = files_of(os.path.join(ROOT, "include"))
        wrong = [name for name in found if not INSTALLED.match(name)]
        wrong += [name for name in headers if "include/" + name not in found]
        if wrong:
            raise Failed("too much or missing: " + " ".join(wrong))
        return f"{len(found)} files"

    def find_package(self):
        return self.cmake("package", "-DROUTE=package", f"-DCMAKE_PREFIX_PATH={self.prefix}",
                          f"-DPARTS={';'.join(parts())}")

    def parts_refused(self):
        """A part that there is not, and one whose package is not installed (where none is looked for)."""
        nowhere = ["-DCMAKE_IGNORE_PATH=/usr/include;/usr/local/include"]
        package = ["-DROUTE=package", f"-DCMAKE_PREFIX_PATH={self.prefix}"]
        folder = ["-DROUTE=subdirectory", f"-DWEFT_PLACE={ROOT}"]
        cases = [("there is no part 'eigne'; parts are io,", [*package, "-DPARTS=eigne"]),
                 ("weft_add_part: there is no part 'eigne'", [*folder, "-DPARTS=eigne"]),
                 ("weft::io needs <nlohmann/json.hpp>, which was not found", [*package, *nowhere, "-DPARTS=npz"]),
                 ("weft::xsimd needs <xsimd/xsimd.hpp>, which was not found", [*folder, *nowhere, "-DPARTS=xsimd"])]
        if "npz" in parts():  # what static libraries need is their own package's to say
            cases.append(("weft::npz found /lib/libzip.a, which is static and needs others; before weft write "
                          "find_package(libzip CONFIG REQUIRED)",
                          [*package, "-DWEFT_PART_zip_LIBRARY=/lib/libzip.a", "-DPARTS=npz"]))
        for number, (text, options) in enumerate(cases):
            code, output = run(["cmake", "-S", HERE, "-B", self.place(f"refused_{number}"), *options])
            if not code or text not in " ".join(output.split()):
                raise Failed(f"{options}: expected `{text}`\n{output}")
        return f"{len(cases)} refused"

    def pkg_config(self):
        os.environ["PKG_CONFIG_PATH"] = os.path.join(self.prefix, "share/pkgconfig")
        flags = do("pkg-config", "--cflags", "--libs", "weft").split()
        if f"-I{self.prefix}/include" not in [os.path.normpath(flag) for flag in flags]:
            raise Failed(" ".join(flags))
        return self.plain("g++", "pkg_config", flags)

    def vcpkg(self):
        """The port's steps, with stand-ins for vcpkg's functions; its package, configured only."""
        do("cmake", f"-DPLACE={self.place('vcpkg')}", "-P", os.path.join(HERE, "port.cmake"))
        package = self.place("vcpkg", "weft")
        found = files_of(package)
        rest = [name for name in found if not name.startswith(("include/weft/", "share/weft/"))]
        wanted = ["copyright", "usage", "weft-config.cmake", "weft-targets.cmake"]
        missing = [name for name in wanted if f"share/weft/{name}" not in found]
        if rest != ["share/pkgconfig/weft.pc"] or missing:
            raise Failed(f"too much: {rest}, missing: {missing}")
        do("cmake", "-G", "Unix Makefiles", "-S", HERE, "-B", self.place("of_vcpkg"),
           "-DROUTE=package", f"-Dweft_DIR={package}/share/weft")
        do("cmake", "--build", self.place("of_vcpkg"), "--target", "consumer", "--", "-n")
        with open(self.place("of_vcpkg", "CMakeFiles/consumer.dir/flags.make"), encoding="utf-8") as file:
            if f"-isystem {package}/include" not in file.read():
                raise Failed("the package's headers are not on the include path")
        return "with stand-ins for its functions"

    def conan(self):
        """The recipe, which builds and runs its own test package; nothing is asked of a network."""
        if "WEFT_CONAN" not in os.environ:
            return None
        conan = os.environ["WEFT_CONAN"]
        os.environ["CONAN_HOME"] = self.place("conan")
        do(conan, "profile", "detect")
        return last_line(do(conan, "create", os.path.join(ROOT, "tools/packaging/conan"), "-s", "compiler.cppstd=20",
                            "--no-remote", "-c", f"tools.cmake.cmake_layout:test_folder={self.place('of_conan')}",
                            "-c", "tools.cmake.cmaketoolchain:user_presets="))

    def plain(self, name, program, flags):
        """A compiler, two sources and one program."""
        objects = []
        for source in SOURCES:
            objects.append(self.place(f"{program}_{os.path.basename(source)}.o"))
            do(*compiler(name), "-std=c++20", *[flag for flag in flags if not flag.startswith("-l")],
               "-c", source, "-o", objects[-1])
        do(name, *objects, "-o", self.place(program), *[flag for flag in flags if flag[:2] in ("-l", "-p")])
        return do(self.place(program))

    def single(self, name):
        """Two sources and the README's program, none of which may see include/."""
        flags = [*STRICT, "-I" + os.path.join(ROOT, "single_include"), "-pthread"]
        said = self.plain(name, "single_" + name, flags)
        with open(os.path.join(ROOT, "README.md"), encoding="utf-8") as file:
            text = re.search(r"```cpp\n(.*?)```", file.read(), re.DOTALL)[1]
        source = self.place("readme.cpp")
        with open(source, "w", encoding="utf-8") as file:
            file.write(text)
        do(*compiler(name), "-std=c++20", *flags, "-c", source, "-o", self.place("readme.o"))
        do(name, self.place("readme.o"), "-pthread", "-o", self.place("readme"))
        do(self.place("readme"))
        return said

    def more(self):
        """WEFT_MORE, also behind a first include without it; and a header put in by name."""
        first = "#include <weft/weft.hpp>\n"
        use = "weft::cpu::pool threads(2);\nauto f = [](auto x) { return x + 1.0f; };\n"
        for begin in ("#define WEFT_MORE\n", first + "#define WEFT_MORE\n"):
            do("g++", *STRICT, "-std=c++20", "-fsyntax-only", f"-I{ROOT}/single_include", "-x", "c++", "-",
               text=begin + first + use)
        added = [f"weft/{name}.hpp" for name in ("io", "opencl") if name in parts()]
        output = self.place("own", "weft", "weft.hpp")
        do(sys.executable, os.path.join(ROOT, "tools/make_single_header.py"), "--output", output,
           *[word for name in added for word in ("--add", name)])
        do("g++", *STRICT, "-std=c++20", "-fsyntax-only", "-I" + self.place("own"), "-x", "c++", "-",
           *[f"-DWITH_{part}" for part in ("io", "opencl") if part in parts()],
           text=first + "auto f(weft::tensor<float, 2> const& x) {\n#ifdef WITH_io\n  weft::save_npy(\"x\", x);\n#endif\n"
           "  return x;\n}\n#ifdef WITH_opencl\nusing device = weft::opencl::device;\n#endif\n")
        return f"with {' '.join(added)}"

    def mixed(self):
        """Headers of include/ and the single header in one source: one error, one line that says so."""
        one, other = "<weft/weft.hpp>", f'"{ROOT}/include/weft/run/explain.hpp"'
        committed = f'"{ROOT}/single_include/weft/weft.hpp"'
        with open(os.path.join(ROOT, "single_include/weft/weft.hpp"), encoding="utf-8") as file:
            changed = file.read().replace("WEFT_SINGLE_HEADER 0x", "WEFT_SINGLE_HEADER 0x9")
        with open(self.place("changed.hpp"), "w", encoding="utf-8") as file:
            file.write(changed)
        cases = {"weft: a header of include/ after the single header": (committed, other),
                 "weft: the single header after a header of include/": (one, committed),
                 "weft: two single headers in one source": (f'"{self.place("changed.hpp")}"', committed)}
        for text, names in cases.items():
            for name in ("g++", "clang++-16"):
                if not shutil.which(name):
                    continue
                code, output = run([name, "-std=c++20", "-fsyntax-only", f"-I{ROOT}/include", "-x", "c++", "-"],
                                   text="".join(f"#include {header}\n" for header in names))
                errors = [line for line in output.splitlines() if "error: " in line]
                if not code or len(errors) != 2 or text not in errors[0] or "weft_twice" not in errors[1]:
                    raise Failed(f"{name}, {names}: expected `{text}`\n" + "\n".join(output.splitlines()[:20]))
        return f"{len(cases)} refused"


def last_line(text):
    return text.strip().splitlines()[-1]


def files_of(folder):
    return sorted(os.path.relpath(os.path.join(path, name), folder)
                  for path, _, names in os.walk(folder) for name in names)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tally", help="file to append the counts to")
    tally = Tally(parser.parse_args().tally, "consumer")
    with tempfile.TemporaryDirectory() as folder:
        consumer = Consumer(folder)
        work = {"add_subdirectory": consumer.subdirectory, "FetchContent": consumer.fetch,
                "install": consumer.install, "find_package": consumer.find_package,
                "pkg-config": consumer.pkg_config, "parts refused": consumer.parts_refused,
                "vcpkg's port": consumer.vcpkg, "Conan": consumer.conan,
                "single header, more": consumer.more, "single header, mixed": consumer.mixed}
        work |= {f"single header, {name}": lambda name=name: consumer.single(name)
                 for name in ("g++", "clang++-16") if shutil.which(name)}
        for name, act in work.items():
            try:
                said = act()
                if said is None:
                    tally.item("SKIP", "consumer " + name, "WEFT_CONAN names no conan; ./dev test consumer makes one")
                else:
                    tally.item("PASS", "consumer " + name, said.strip())
            except (Failed, OSError, subprocess.SubprocessError) as problem:
                tally.item("FAIL", "consumer " + name, "", str(problem))
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())

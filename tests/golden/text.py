# SPDX-License-Identifier: BSL-1.0
"""Texts of the generated tests: data lines, C++ types and programs, and reasons to skip."""

import json
import math

import table


class Skip(Exception):
    """Why a case is not run."""


def allowed(key):
    """Skips what PENDING holds: the key, or its first words."""
    words = key.split()
    for n in range(1, len(words) + 1):
        if " ".join(words[:n]) in table.PENDING:
            raise Skip(" ".join(words[:n]) + ": not written yet")


def spelling(kind, name, **words):
    """The C++ text of a name of the data."""
    allowed(f"{kind} {name}")
    if name not in table.SPELLINGS.get(kind, {}):
        raise Skip(f"{kind} {name}: no spelling in tests/golden/table.py")
    return table.SPELLINGS[kind][name].format(**words).replace(", >", ">")


def only(case, fields):
    """A field that nobody reads could change what the case means."""
    informative = ("note", "jax", "numpy", "nan_bits_", "differs_", "measured", "checked")
    unknown = [f for f in case if f not in fields.split() + ["name", "kind", "tol"]
               and not f.startswith(informative)]
    if unknown:
        raise Skip("a field that the runner does not know: " + " ".join(unknown))


# ---- C++

def element(dtype):
    if dtype not in table.TYPES:
        raise Skip(f"type {dtype}: no spelling in tests/golden/table.py")
    allowed(f"type {dtype}")
    return table.TYPES[dtype]


def numbers(values):
    return ", ".join(str(v) for v in values)


def array(ref, template="tensor"):
    return f"{template}<{numbers([element(ref['dtype']), *ref['shape']])}>"


def literal(text):
    """A C++ string literal; other characters than ASCII stay as UTF-8."""
    return json.dumps(text, ensure_ascii=False)


def real(value):
    """A number as a C++ literal with all its digits."""
    if isinstance(value, float) and not math.isfinite(value):
        limit = "quiet_NaN" if math.isnan(value) else "infinity"
        return f"{'-' * (value < 0)}std::numeric_limits<float>::{limit}()"
    return repr(value) if isinstance(value, float) else str(value).lower()


# ---- data lines

def where(ref):
    return f"{ref['file']} {ref['offset']} {ref['dtype']} {'x'.join(map(str, ref['shape'])) or '-'}"


def given(ref):
    return "in " + where(ref)


def key(seed):
    """The key of a seed where seeds have 32 bits."""
    return f"key 0 {int(seed) & 0xffffffff}"


def key_words(ref_words):
    return "key {} {}".format(*ref_words)


def tolerance(tol, bits=False, signs=False):
    sign = "_sign" if signs else ""
    if tol.get("exact") is True and len(tol) == 1:
        return ("bits_and_nan" + sign if signs else "bits") if bits else "exact"
    if set(tol) == {"rtol", "atol"}:
        return f"close {tol['rtol']!r} {tol['atol']!r}"
    if "ulp" in tol and set(tol) <= {"ulp", "max_fraction"}:
        return f"ulp{'_and_zero_sign' if bits else ''} {tol['ulp']} {tol.get('max_fraction', 1)!r}"
    if set(tol) == {"scaled"}:
        return f"scaled {tol['scaled']!r}"
    raise Skip(f"a tolerance that the runner does not know: {json.dumps(tol)}")


def out(ref, tol, **how):
    element(ref["dtype"])
    return f"out {where(ref)} {tolerance(tol, **how)}"


class Program:
    """A function of arrays, and its data: what becomes one test."""

    def __init__(self, types, names, body, data, before=""):
        self.types, self.names, self.body, self.data = types, names, body, data
        self.before = before  # declarations in front of the file's list

    def function(self):
        parameters = ", ".join("auto " + name for name in self.names)
        body = self.body if "return" in self.body else f"return {self.body};"
        return f"[]({parameters}) {{ {body} }}"

    def run(self, door="golden::traced"):
        return f"{door}<{', '.join(self.types)}>({self.function()})"


class Check:
    """A function that returns "" or what is wrong; or outputs, if there is data."""

    before = ""

    def __init__(self, body, data=""):
        self.body, self.data = body, data

    def run(self):
        if self.data:
            return f"{{.call = [](golden::arrays const&) {{ return {self.body}; }}}}"
        return f"{{.holds = [] {{ return {self.body}; }}}}"


class Refused:
    """A text that must not compile, with what the compiler has to say."""

    def __init__(self, source, says):
        self.source, self.says = source, says

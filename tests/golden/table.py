# SPDX-License-Identifier: BSL-1.0
"""What weft writes for the names of the golden data: a line per name. A name that is not here, or
that PENDING holds, makes a skipped test with that reason, never a passed one.

In a spelling, {T} is the element type, {U} the unsigned and {I} the signed type of its width, {E}
the extents of the result, {A} the axes (with `keep` where the case keeps them); x, a, b, k (a key)
are the arguments."""

TYPES = {
    "f32": "float", "f64": "double", "f16": "f16", "bf16": "bf16", "bool": "bool",
    "i8": "std::int8_t", "i16": "std::int16_t", "i32": "int", "i64": "std::int64_t",
    "u8": "std::uint8_t", "u16": "std::uint16_t", "u32": "unsigned", "u64": "std::uint64_t",
}

SPELLINGS = {
    "unary": {
        "exp": "exp(x)", "exp2": "exp2(x)", "expm1": "expm1(x)", "log": "log(x)",
        "log2": "log2(x)", "log10": "log10(x)", "log1p": "log1p(x)", "tanh": "tanh(x)",
        "sigmoid": "sigmoid(x)", "softplus": "softplus(x)", "gelu": "gelu(x)", "erf": "erf(x)",
        "erfc": "erfc(x)", "erfinv": "erfinv(x)", "erf_inv": "erfinv(x)", "lgamma": "lgamma(x)",
        "digamma": "digamma(x)", "sin": "sin(x)", "cos": "cos(x)", "tan": "tan(x)",
        "asin": "asin(x)", "acos": "acos(x)", "atan": "atan(x)", "sinh": "sinh(x)",
        "cosh": "cosh(x)", "asinh": "asinh(x)", "acosh": "acosh(x)", "atanh": "atanh(x)",
        "sqrt": "sqrt(x)", "rsqrt": "rsqrt(x)", "cbrt": "cbrt(x)", "reciprocal": "reciprocal(x)",
        "square": "square(x)", "floor": "floor(x)", "ceil": "ceil(x)", "trunc": "trunc(x)",
        "round_even": "round_even(x)", "round_away": "round_away(x)", "abs": "abs(x)",
        "neg": "-x", "sign": "sign(x)", "is_finite": "is_finite(x)", "is_nan": "is_nan(x)",
        "is_inf": "is_inf(x)", "signbit": "signbit(x)", "sinc": "sinc(x)",
        "degrees": "degrees(x)", "radians": "radians(x)", "logistic": "sigmoid(x)",
    },
    "binary": {
        "add": "a + b", "sub": "a - b", "mul": "a * b", "div": "a / b", "pow": "pow(a, b)",
        "atan2": "atan2(a, b)", "remainder": "remainder(a, b)", "mod_floor": "mod_floor(a, b)",
        "hypot": "hypot(a, b)", "nextafter": "nextafter(a, b)", "max": "maximum(a, b)",
        "min": "minimum(a, b)", "copysign": "copysign(a, b)", "fmax": "fmax(a, b)", "fmin": "fmin(a, b)",
        "floor_divide": "floor_divide(a, b)", "logaddexp": "logaddexp(a, b)",
        "heaviside": "heaviside(a, b)",
    },
    "compare": {
        "eq": "a == b", "ne": "a != b", "lt": "a < b", "le": "a <= b", "gt": "a > b",
        "ge": "a >= b",
    },
    "integer": {
        "add": "a + b", "sub": "a - b", "mul": "a * b", "div": "a / b", "rem": "remainder(a, b)",
        "mod_floor": "mod_floor(a, b)", "and": "a & b", "or": "a | b", "xor": "a ^ b",
        "max": "maximum(a, b)", "min": "minimum(a, b)", "shl": "a << b",
        "shr_logical": "bitcast<{T}>(bitcast<{U}>(a) >> bitcast<{U}>(b))",
        "shr_arithmetic": "bitcast<{T}>(bitcast<{I}>(a) >> bitcast<{I}>(b))",
        "eq": "a == b", "ne": "a != b", "lt": "a < b", "le": "a <= b", "gt": "a > b",
        "ge": "a >= b", "not": "~a", "popcount": "popcount(a)", "clz": "count_leading_zeros(a)",
        "neg": "-a", "abs": "abs(a)", "sign": "sign(a)",
    },
    "convert": {"": "convert<{T}>(x)"},
    "rng": {
        "threefry2x32": "golden::threefry_blocks(a, b)", "philox4x32": "philox4x32(a, b)",
        "split": "split_keys<{E}>(k)", "fold_in": "fold_in(k, {i})", "bits": "bits<{E}>(k)",
        "bits of width 8": "bits<std::uint8_t, {E}>(k)",
        "bits of width 16": "bits<std::uint16_t, {E}>(k)",
        "bits of width 64": "bits<std::uint64_t, {E}>(k)",
        "uniform": "uniform<{E}>(k)", "uniform in a range": "uniform<{E}>(k, {lo}, {hi})",
        "uniform of a type": "uniform<{T}, {E}>(k)", "bernoulli": "bernoulli<{E}>(k, {p})",
        "normal": "normal<{E}>(k)", "truncated_normal": "truncated_normal<{E}>(k, {lo}, {hi})",
        "randint": "randint<{T}, {E}>(k, {lo}, {hi})", "permutation": "permutation<{E}>(k)",
        "permutation_axis": "permutation<{axis}>(k, x)", "gumbel": "gumbel<{E}>(k)",
        "exponential": "exponential<{E}>(k)", "categorical": "categorical<{A}>(k, x)",
    },
    "einsum": {"": "einsum<{spec}>({a})", "accumulated": "einsum<{spec}, float>({a})"},
    "conv": {
        "": "conv<{spec}, conv_options{{{options}}}>({a})",
        "in another type": "conv<{spec}, conv_options{{{options}}}, {T}>({a})",
        "gradients": "return vjp<0, 1>([](auto a, auto b) {{ return {forward}; }})(x, w, dy).second;",
        "less its first row": "golden::less_first_elements({y}, {{{off}}})",
    },
    "reduce": {
        "no axis": "no_axes",
        "sum": "sum<{A}>(x)", "prod": "prod<{A}>(x)", "max": "max<{A}>(x)", "min": "min<{A}>(x)",
        "any": "any<{A}>(x)", "all": "all<{A}>(x)", "mean": "mean<{A}>(x)",
        "count_nonzero": "count_nonzero<{A}>(x)", "var": "var<{A}>(x)", "std": "weft::std<{A}>(x)",
        "logsumexp": "logsumexp<{A}>(x)",
    },
    "views": {
        "slice": "at<{spec}>(x)", "where": "where(p, a, b)", "concatenate": "concat<{A}>({a})",
        "take": "take<{A}>(x, i)", "take_along_axis": "take_along_axis<{A}>(x, i)",
        "argmax": "arg_max<{A}>(x)", "argmin": "arg_min<{A}>(x)", "sort": "sort<{A}>(x)",
        "argsort": "arg_sort<{A}>(x)", "argsort descending": "arg_sort<{A}, descending>(x)",
        "top_k": "top_k<{k}>(x)",
        "pad along an axis": "pad<{axis}, padding{{{low}, {high}, {interior}}}>({x}, {value})",
        "pad": "pad<{paddings}>(x)", "pad mode": "padding{{{low}, {high}, 0, pad_mode::{mode}}}",
        "transpose": "transpose<{A}>(x)", "reshape": "reshape<{E}>(x)",
        "reshape to a rest": "reshape<{E}>(x)",
        "roll": "roll<{n}, {A}>({x})", "flip": "flip<{A}>(x)", "repeat": "repeat<{n}, {A}>(x)",
        "tile": "tile<{A}>(x)", "moveaxis": "move_axis<{A}>(x)", "tril": "tril<{n}>(x)",
        "triu": "triu<{n}>(x)", "diagonal": "diagonal<{A}>(x)", "squeeze": "squeeze<{A}>(x)",
        "expand_dims": "expand_dims<{A}>(x)",
    },
    # golden::bodies::NAME(k) is the body with constants k (scan_bodies.hpp).
    "scan": {name: name for name in (
        "cumsum cumsum_exclusive sum_no_ys double_plus_one fibonacci product_plus cosine ema horner "
        "pass_through matmul_chain rnn gru lstm tuples counted latch running_argmax running_max "
        "nested nested_reverse fold_in_noise split_chain dropout_step online_softmax linear_layers "
        "leapfrog low_precision").split()},
    "associative_scan": {
        "add": "a + b", "mul": "a * b", "max": "maximum(a, b)", "min": "minimum(a, b)",
        "xor": "a ^ b", "or": "a | b", "second": "golden::second(a, b)",
        "affine": "golden::affine(a, b)", "matmul": "golden::matrix_product(a, b)",
        "segment": "golden::segment(a, b)",
    },
    "cumulative": {
        "cumsum": "cumsum<{A}>(x)", "cumprod": "cumprod<{A}>(x)", "cummax": "cummax<{A}>(x)",
        "cummin": "cummin<{A}>(x)", "cumlogsumexp": "cumlogsumexp<{A}>(x)",
    },
    "autocast": {
        "einsum": "einsum<{spec}>({a})", "matmul": "matmul({a})",
        "conv": "conv<{spec}, conv_options{{{options}}}>({a})",
        "softmax": "softmax<{axis}>({a})", "log_softmax": "log_softmax<{axis}>({a})",
        "layer_norm": "layer_norm<{axis}>({a}, 1, 0)", "sum": "sum<{axis}>({a})",
        "mean": "mean<{axis}>({a})", "logsumexp": "logsumexp<{axis}>({a})",
        "cumsum": "cumsum<{axis}>({a})", "exp": "exp({a})", "prod_small": "prod<{axis}>({a} / 4)",
        "mse_to_zero": "mean(squared_error({a}, zeros_like({a})))",
        "cat_axis0": "concat<0>({a})", "stack_axis0": "stack<0>({a})",
        "add": "std::plus{{}}({a})", "mul": "std::multiplies{{}}({a})",
        "linear": 'linear<"...n,mn->...m">(x0, x1, x2)',
        "linear via einsum ...n,mn->...m": 'convert<{T}>(linear<"...n,mn->...m">(x0, x1, x2))',
        "product and bias":
            'convert<{T}>(einsum<"...n,mn->...m">(x0, x1)) + convert<{T}>(x2)',
        "layer": 'convert<{T}>(linear<"...n,mn->...m">(x, w, b))',
        "layer in two": 'convert<{T}>(einsum<"...n,mn->...m">(x, w)) + convert<{T}>(b)',
        "layers in float": "golden::layers<float>({a}, [](auto x, auto w, auto b) "
                           '{{ return linear<"...n,mn->...m">(x, w, b); }})',
    },
    # golden::models::NAME of the parameters and the batch (model_bodies.hpp).
    "model": {
        "mlp": "golden::models::mlp(p, x, onehot)",
        "gru": "golden::models::gru(p, in_onehot, out_onehot, fold_in(key, step))",
        "convnet": "golden::models::convnet(p, x, onehot)",
    },
    "optimiser": {
        "sgd": "golden::models::momentum_of<momentum_options{{.decay = {momentum}}}>(start, {lr})",
        "adam": "golden::models::adam_of<{params}, adam_options{{.mean_decay = {b1}, "
                ".square_decay = {b2}, .epsilon = {eps}}}>(start, {lr})",
    },
}

# Which places of a scan body's trees are random keys: consts.NAME or init.
KEYS = {
    "fold_in_noise": {"consts.key"}, "dropout_step": {"consts.key"}, "split_chain": {"init"},
}

# What is not on this branch yet: "kind name", "kind", or "type NAME". Delete a line to run it.
PENDING = set()

# The family scan's errors by `what`: what the compiler says, and the mistake (xs: traced<float, 3>).
PAIR = "[](auto c, auto x) {{ return std::pair({}, x); }}"
CARRY_TYPE = "weft: scan: the body returns a carry of another type"
CARRY_STRUCTURE = "weft: scan: the body returns a carry of another structure"
NO_PAIR = "weft: scan: the body returns no pair"
REFUSED = {
    "carry f32[] -> i32[]": (CARRY_TYPE, f"scan({PAIR.format('convert<int>(c)')}, 0.0f, xs)"),
    "carry i32[] -> f32[]": (CARRY_TYPE, f"scan({PAIR.format('convert<float>(c) + x')}, 0, xs)"),
    "carry f32[] -> f32[1]": (CARRY_TYPE, f"scan({PAIR.format('reshape<1>(c)')}, 0.0f, xs)"),
    "carry f32[2] -> f32[3]":
        (CARRY_TYPE, f"scan({PAIR.format('concat<0>(c, reshape<1>(x))')}, zeros<float, 2>(), xs)"),
    "carry f32[3] -> f32[3,1]":
        (CARRY_TYPE, f"scan({PAIR.format('reshape<3, 1>(c)')}, zeros<float, 3>(), xs)"),
    "carry (f32, f32) -> f32":
        (CARRY_STRUCTURE, f"scan({PAIR.format('c.first')}, std::pair(0.0f, 0.0f), xs)"),
    "carry {a} -> {b}":
        (CARRY_STRUCTURE, f"scan({PAIR.format('B<traced>{c.a}')}, A<traced>{{x0}}, xs)"),
    "carry (f32, none) -> (f32, f32)":
        (CARRY_STRUCTURE,
         f"scan({PAIR.format('std::pair(c.first, c.first)')}, std::pair(0.0f, none), xs)"),
    "carry (f32[], f32[2]) -> (f32[], f32[3])":
        (CARRY_TYPE, "scan([](auto c, auto x) { return std::pair(std::pair(c.first, "
                     "zeros<float, 3>()), x); }, std::pair(0.0f, zeros<float, 2>()), xs)"),
    "body returns one array": (NO_PAIR, "scan([](auto c, auto) { return c; }, 0.0f, xs)"),
    "body returns three values":
        (NO_PAIR, "scan([](auto c, auto x) { return std::tuple(c, x, x); }, 0.0f, xs)"),
    "xs leaves of length 3 and 4":
        ("weft: scan: the arrays of xs differ in their leading extent",
         "scan([](auto c, auto x) { return std::pair(c, x.first); }, 0.0f, std::pair(xs, x4))"),
    "length 5, xs of length 3":
        ("weft: scan: the length is not that of xs",
         f"scan<scan_options{{.length = 5}}>({PAIR.format('c')}, 0.0f, xs)"),
    "no xs and no length":
        ("weft: scan: no xs and no length",
         "scan([](auto c, auto) { return std::pair(c, c); }, x0, none)"),
    "xs leaf without a leading axis":
        ("weft: scan: an array or key of xs has no leading axis", f"scan({PAIR.format('c')}, 0.0f, x0)"),
    "unroll = -1":
        ("weft: scan: unroll", f"scan<scan_options{{.unroll = -1}}>({PAIR.format('c')}, 0.0f, xs)"),
    "length = -1, no xs":
        ("weft: scan: no xs and no length",
         "scan<scan_options{.length = -1}>([](auto c, auto) { return std::pair(c, c); }, x0, none)"),
    "associative_scan over leaves of length 3 and 4":
        ("weft: the scanned arrays differ in their extent",
         "associative_scan([](auto a, auto) { return a; }, std::pair(xs, x4))"),
    "cumsum axis 2 of a rank-1 operand":
        ("weft: cumsum: there is no such axis", "cumsum<2>(xs)"),
}

# Kinds (and names) whose first case also runs as a compiled program and as calls with tensors.
DOORS = {
    "ops": ["unary tanh", "binary max", "integer div", "convert"],
    "einsum": ["value"],
    "conv": ["conv"],
    "views": ["slice", "broadcast", "reduce sum", "pad_interior"],
    "scan": ["scan tuples", "scan gru"],
    "rng": ["uniform"],
    "autocast": ["regions"],
}
# Cases in a file, where 25 take too long to compile.
SIZES = {"scan": 8}

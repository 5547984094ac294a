--- ops.lua: the table of elementwise operations. Functions, methods, operators, in-place forms,
-- documentation and tests are loops over its rows; adding an operation is adding a row.
--
-- A row's fields; what is left out has the value in brackets.
--   name, alias    NumPy's name, and the other names {}
--   nargs          number of operands [1]; they are a, b, c in the expressions
--   rule           how operands choose the dtype of the loop: see base/dtype_rules.lua ["arithmetic"]
--   kinds          kinds of dtype the loop exists for: b bool, i signed, u unsigned, f float, c complex [the rule's]
--   results        dtypes of the results: "same" as the loop, its "real" part, the "complex" around it, or a name
--                  [{"same", ...}]
--   expr           the result in kernel text (a list for several results); E and T are dtype and value type of a,
--                  D of the result; functions are those of kernels/prelude_cpu.h, scalar.cuh and complex.cuh
--   bool, integer  the expression for bool or integer loops, where it is another. Without a bool loop bool climbs to
--                  int8; bool = false forbids that, and hint says what to use instead
--   operator       the metamethod
--   shortcut       {[number] = name}: with this second operand it is another row of one operand (one entry)
--   method         whether x:name() exists [true]
--   inplace        whether x:name_() exists [true where the one result has the loop's dtype]
--   domain         operands that tests draw: any, positive, unit (-1 to 1), above_one, small, counts, divisor ["any"]
--   doc, source    one sentence, and what it follows ["numpy.<name>"]

local complete = require("cuna.base.rows").complete

local BOOL, REAL = {"bool"}, {"real"}

local rows = {
  -- arithmetic
  {name = "add", nargs = 2, expr = "wrap_add(a, b)", bool = "a | b", operator = "__add",
    doc = "Sum of x1 and x2; of bools, whether either holds."},
  {name = "subtract", nargs = 2, expr = "wrap_sub(a, b)", bool = false, hint = "use bitwise_xor or logical_xor",
    operator = "__sub", alias = {"sub"}, doc = "Difference of x1 and x2."},
  {name = "multiply", nargs = 2, expr = "wrap_mul(a, b)", bool = "a & b", operator = "__mul", alias = {"mul"},
    doc = "Product of x1 and x2; of bools, whether both hold."},
  {name = "divide", nargs = 2, rule = "divide", kinds = "fc", expr = "a / b", operator = "__div", domain = "divisor",
    alias = {"true_divide", "div"}, doc = "Quotient of x1 and x2; integers are divided as floats."},
  {name = "floor_divide", nargs = 2, kinds = "iuf", expr = "floor_divide(a, b)", domain = "divisor",
    doc = "Quotient of x1 and x2, rounded down; of integers by 0 it is 0."},
  {name = "remainder", nargs = 2, kinds = "iuf", expr = "remainder(a, b)", operator = "__mod", alias = {"mod"},
    domain = "divisor", doc = "Remainder of floor_divide, with the sign of x2; of integers by 0 it is 0."},
  {name = "fmod", nargs = 2, kinds = "iuf", expr = "fmod(a, b)", domain = "divisor",
    doc = "Remainder of the quotient rounded towards 0, with the sign of x1; of integers by 0 it is 0."},
  {name = "divmod", nargs = 2, kinds = "iuf", expr = {"floor_divide(a, b)", "remainder(a, b)"}, domain = "divisor",
    doc = "floor_divide(x1, x2) and remainder(x1, x2)."},
  {name = "power", nargs = 2, expr = "power(a, b)", operator = "__pow", alias = {"pow"}, domain = "small",
    shortcut = {[2] = "square"},
    doc = "x1 to the power of x2; an integer to a negative power is 0, unless it is 1 or -1, where NumPy raises: "
      .. "float_power has the fractions."},
  {name = "float_power", nargs = 2, rule = "double", kinds = "fc", expr = "pow(a, b)", domain = "small",
    doc = "x1 to the power of x2, computed in float64 or complex128."},
  {name = "negative", expr = "wrap_neg(a)", bool = false, hint = "use logical_not or bitwise_invert",
    operator = "__unm", alias = {"neg"}, doc = "-x."},
  {name = "positive", expr = "a", bool = false, hint = "use copy", doc = "x, copied."},
  {name = "absolute", kinds = "biufc", results = REAL, expr = "abs(a)", alias = {"abs"},
    doc = "|x|; of complex numbers the length, computed without overflow."},
  {name = "fabs", rule = "float", kinds = "f", expr = "fabs(a)", doc = "|x| as a float; not for complex numbers."},
  {name = "sign", expr = "sign(a)", bool = false, hint = "use astype('int8')",
    doc = "-1, 0 or 1 as x is negative, 0 or positive; NaN of NaN; x / |x| of complex numbers (as NumPy 2)."},
  {name = "square", expr = "wrap_mul(a, a)", doc = "x times x."},
  {name = "sqrt", rule = "float", kinds = "fc", expr = "sqrt(a)", domain = "positive", doc = "Square root of x."},
  {name = "cbrt", rule = "float", kinds = "f", expr = "cbrt(a)", doc = "Cube root of x."},
  {name = "rsqrt", rule = "float", kinds = "fc", expr = "rsqrt(a)", domain = "positive", source = "cupyx.rsqrt",
    doc = "1 / sqrt(x)."},
  {name = "reciprocal", expr = "reciprocal(a)", domain = "divisor",
    doc = "1 / x; of integers it is 0, unless x is 1 or -1."},
  {name = "hypot", nargs = 2, rule = "float", kinds = "f", expr = "hypot(a, b)",
    doc = "sqrt(x1^2 + x2^2), computed without overflow."},
  {name = "gcd", nargs = 2, rule = "integer", bool = false, expr = "gcd(a, b)",
    doc = "Greatest common divisor of |x1| and |x2|."},
  {name = "lcm", nargs = 2, rule = "integer", bool = false, expr = "lcm(a, b)",
    doc = "Least common multiple of |x1| and |x2|."},

  -- exponentials and logarithms
  {name = "exp", rule = "float", kinds = "fc", expr = "exp(a)", domain = "small", doc = "e to the power of x."},
  {name = "exp2", rule = "float", kinds = "fc", expr = "exp2(a)", domain = "small", doc = "2 to the power of x."},
  {name = "expm1", rule = "float", kinds = "fc", expr = "expm1(a)", domain = "small",
    doc = "exp(x) - 1, also exact for small x."},
  {name = "log", rule = "float", kinds = "fc", expr = "log(a)", domain = "positive", doc = "Natural logarithm of x."},
  {name = "log2", rule = "float", kinds = "fc", expr = "log2(a)", domain = "positive", doc = "Base-2 logarithm of x."},
  {name = "log10", rule = "float", kinds = "fc", expr = "log10(a)", domain = "positive",
    doc = "Base-10 logarithm of x."},
  {name = "log1p", rule = "float", kinds = "fc", expr = "log1p(a)", domain = "positive",
    doc = "log(1 + x), also exact for small x."},
  {name = "logaddexp", nargs = 2, rule = "float", kinds = "f", expr = "logaddexp(a, b)",
    doc = "log(exp(x1) + exp(x2)), computed without overflow."},
  {name = "logaddexp2", nargs = 2, rule = "float", kinds = "f", expr = "logaddexp2(a, b)",
    doc = "log2(2^x1 + 2^x2), computed without overflow."},

  -- circular and hyperbolic functions
  {name = "sin", rule = "float", kinds = "fc", expr = "sin(a)", doc = "Sine of x radians."},
  {name = "cos", rule = "float", kinds = "fc", expr = "cos(a)", doc = "Cosine of x radians."},
  {name = "tan", rule = "float", kinds = "fc", expr = "tan(a)", doc = "Tangent of x radians."},
  {name = "arcsin", rule = "float", kinds = "fc", expr = "asin(a)", domain = "unit", alias = {"asin"},
    doc = "Angle in radians whose sine is x."},
  {name = "arccos", rule = "float", kinds = "fc", expr = "acos(a)", domain = "unit", alias = {"acos"},
    doc = "Angle in radians whose cosine is x."},
  {name = "arctan", rule = "float", kinds = "fc", expr = "atan(a)", alias = {"atan"},
    doc = "Angle in radians whose tangent is x."},
  {name = "arctan2", nargs = 2, rule = "float", kinds = "f", expr = "atan2(a, b)", alias = {"atan2"},
    doc = "Angle in radians of the point (x2, x1), from -pi to pi."},
  {name = "sinh", rule = "float", kinds = "fc", expr = "sinh(a)", domain = "small", doc = "Hyperbolic sine of x."},
  {name = "cosh", rule = "float", kinds = "fc", expr = "cosh(a)", domain = "small", doc = "Hyperbolic cosine of x."},
  {name = "tanh", rule = "float", kinds = "fc", expr = "tanh(a)", doc = "Hyperbolic tangent of x."},
  {name = "arcsinh", rule = "float", kinds = "fc", expr = "asinh(a)", alias = {"asinh"},
    doc = "Number whose hyperbolic sine is x."},
  {name = "arccosh", rule = "float", kinds = "fc", expr = "acosh(a)", domain = "above_one", alias = {"acosh"},
    doc = "Number whose hyperbolic cosine is x."},
  {name = "arctanh", rule = "float", kinds = "fc", expr = "atanh(a)", domain = "unit", alias = {"atanh"},
    doc = "Number whose hyperbolic tangent is x."},
  {name = "deg2rad", rule = "float", kinds = "f", expr = "deg2rad(a)", alias = {"radians"},
    doc = "Degrees as radians."},
  {name = "rad2deg", rule = "float", kinds = "f", expr = "rad2deg(a)", alias = {"degrees"},
    doc = "Radians as degrees."},
  {name = "sinc", rule = "divide", kinds = "fc", expr = "sinc(a)", doc = "sin(pi x) / (pi x), and 1 at 0."},
  {name = "i0", rule = "divide", kinds = "f", expr = "i0(a)",
    doc = "Modified Bessel function of the first kind, of order 0."},

  -- rounding
  {name = "floor", kinds = "biuf", expr = "floor(a)", integer = "a", doc = "Greatest integer not above x."},
  {name = "ceil", kinds = "biuf", expr = "ceil(a)", integer = "a", doc = "Least integer not below x."},
  {name = "trunc", kinds = "biuf", expr = "trunc(a)", integer = "a", alias = {"fix"},
    doc = "x without its fraction."},
  {name = "rint", rule = "float", kinds = "fc", expr = "rint(a)", doc = "Nearest integer as a float; halves to even."},
  {name = "round", kinds = "biufc", expr = "rint(a)", integer = "a", alias = {"around"},
    doc = "x rounded to integers, halves to even; with decimals, see round_decimals."},
  {name = "round_decimals", nargs = 2, rule = "decimals", kinds = "biufc", expr = "round(a, b)", method = false,
    source = "numpy.round", doc = "x rounded to the given number of decimals; negative ones count left of the point."},

  -- order
  {name = "maximum", nargs = 2, kinds = "biufc", expr = "maximum(a, b)", doc = "The greater of x1 and x2, or NaN."},
  {name = "minimum", nargs = 2, kinds = "biufc", expr = "minimum(a, b)", doc = "The lesser of x1 and x2, or NaN."},
  {name = "fmax", nargs = 2, kinds = "biufc", expr = "fmax(a, b)", doc = "The greater of x1 and x2, ignoring NaN."},
  {name = "fmin", nargs = 2, kinds = "biufc", expr = "fmin(a, b)", doc = "The lesser of x1 and x2, ignoring NaN."},
  {name = "clip", nargs = 3, kinds = "biufc", expr = "clip(a, b, c)",
    doc = "x kept between two bounds; without one of them it is minimum or maximum."},
  {name = "where", nargs = 3, rule = "select", kinds = "biufc", expr = "a ? b : c", method = false,
    doc = "x where the condition holds, else y."},
  {name = "heaviside", nargs = 2, rule = "float", kinds = "f", expr = "heaviside(a, b)",
    doc = "0 where x1 is negative, 1 where it is positive, x2 where it is 0."},

  -- comparison and logic
  {name = "equal", nargs = 2, rule = "comparison", expr = "equal(a, b)", alias = {"eq"}, doc = "Whether x1 = x2."},
  {name = "not_equal", nargs = 2, rule = "comparison", expr = "!equal(a, b)", alias = {"ne"},
    doc = "Whether x1 and x2 differ."},
  {name = "less", nargs = 2, rule = "comparison", expr = "less(a, b)", alias = {"lt"}, doc = "Whether x1 < x2."},
  {name = "less_equal", nargs = 2, rule = "comparison", expr = "less_equal(a, b)", alias = {"le"},
    doc = "Whether x1 <= x2."},
  {name = "greater", nargs = 2, rule = "comparison", expr = "less(b, a)", alias = {"gt"}, doc = "Whether x1 > x2."},
  {name = "greater_equal", nargs = 2, rule = "comparison", expr = "less_equal(b, a)", alias = {"ge"},
    doc = "Whether x1 >= x2."},
  {name = "logical_and", nargs = 2, rule = "logical", expr = "a & b", doc = "Whether x1 and x2 are both not 0."},
  {name = "logical_or", nargs = 2, rule = "logical", expr = "a | b", doc = "Whether x1 or x2 is not 0."},
  {name = "logical_xor", nargs = 2, rule = "logical", expr = "a != b", doc = "Whether exactly one is not 0."},
  {name = "logical_not", rule = "logical", expr = "!a", doc = "Whether x is 0."},

  -- bits
  {name = "bitwise_and", nargs = 2, rule = "bitwise", expr = "a & b", alias = {"band"}, doc = "Bits set in both."},
  {name = "bitwise_or", nargs = 2, rule = "bitwise", expr = "a | b", alias = {"bor"}, doc = "Bits set in either."},
  {name = "bitwise_xor", nargs = 2, rule = "bitwise", expr = "a ^ b", alias = {"bxor"}, doc = "Bits set in one only."},
  {name = "bitwise_invert", rule = "bitwise", expr = "~a", bool = "!a", alias = {"invert", "bitwise_not", "bnot"},
    source = "numpy.invert", doc = "All bits turned; of bools, logical_not."},
  {name = "left_shift", nargs = 2, rule = "integer", expr = "shift_left(a, b)", domain = "counts",
    alias = {"bitwise_left_shift", "lshift"}, doc = "x1 times 2^x2; 0 where all bits leave."},
  {name = "right_shift", nargs = 2, rule = "integer", expr = "shift_right(a, b)", domain = "counts",
    alias = {"bitwise_right_shift", "rshift"}, doc = "x1 divided by 2^x2, rounded down."},

  -- floats taken apart
  {name = "isnan", kinds = "biufc", results = BOOL, expr = "isnan(a)", doc = "Whether x is NaN."},
  {name = "isinf", kinds = "biufc", results = BOOL, expr = "isinf(a)", doc = "Whether x is an infinity."},
  {name = "isfinite", kinds = "biufc", results = BOOL, expr = "isfinite(a)", doc = "Whether x is neither."},
  {name = "isposinf", kinds = "biuf", results = BOOL, expr = "isinf(a) & (a > T(0))", doc = "Whether x is infinity."},
  {name = "isneginf", kinds = "biuf", results = BOOL, expr = "isinf(a) & (a < T(0))", doc = "Whether x is -infinity."},
  {name = "isreal", kinds = "biufc", results = BOOL, expr = "imag(a) == 0", doc = "Whether x has no imaginary part."},
  {name = "iscomplex", kinds = "biufc", results = BOOL, expr = "imag(a) != 0",
    doc = "Whether x has an imaginary part."},
  {name = "isclose", nargs = 2, rule = "divide", kinds = "fc", results = BOOL, expr = "isclose(a, b, 1e-5, 1e-8)",
    doc = "Whether x1 and x2 differ by at most 1e-8 + 1e-5 |x2|."},
  {name = "nan_to_num", kinds = "biufc", expr = "nan_to_num<D>(a)", integer = "a",
    doc = "x with 0 in place of NaN, and the greatest finite number with the sign of infinities."},
  {name = "signbit", kinds = "biuf", results = BOOL, expr = "signbit(a)", doc = "Whether x has a minus sign."},
  {name = "copysign", nargs = 2, rule = "float", kinds = "f", expr = "copysign(a, b)",
    doc = "|x1| with the sign of x2."},
  {name = "nextafter", nargs = 2, rule = "float", kinds = "f", expr = "nextafter<D>(a, b)",
    doc = "The float next to x1 in the direction of x2."},
  {name = "ldexp", nargs = 2, rule = "scale", kinds = "f", expr = "ldexp(a, b)", domain = "counts",
    doc = "x1 times 2^x2."},
  {name = "frexp", rule = "float", kinds = "f", results = {"same", "int32"}, expr = {"mantissa(a)", "exponent(a)"},
    doc = "m and e with x = m 2^e and m in [0.5, 1)."},
  {name = "modf", rule = "float", kinds = "f", expr = {"fraction(a)", "trunc(a)"},
    doc = "Fraction and integer part of x, both with its sign."},

  -- complex numbers
  {name = "real", kinds = "biufc", results = REAL, expr = "real(a)", method = false, inplace = false,
    doc = "Real part of x."},
  {name = "imag", kinds = "biufc", results = REAL, expr = "imag(a)", method = false, inplace = false,
    doc = "Imaginary part of x; 0 of a real x."},
  {name = "conj", kinds = "biufc", expr = "conj(a)", alias = {"conjugate"}, source = "numpy.conjugate",
    doc = "x with its imaginary part negated."},
  {name = "angle", rule = "float", kinds = "fc", results = REAL, expr = "angle(a)", inplace = false,
    doc = "Angle of x in the complex plane, from -pi to pi radians."},
}

return complete(rows, "numpy.")

-- Made by spec/golden/promotion.py; do not edit.
local M = {promote = {}, safe = {}, same_kind = {}, sine = {}, weak = {}}
M.promote.bool = {bool = "bool", int8 = "int8", int16 = "int16", int32 = "int32", int64 = "int64", uint8 = "uint8", uint16 = "uint16", uint32 = "uint32", uint64 = "uint64", float16 = "float16", bfloat16 = "bfloat16", float32 = "float32", float64 = "float64", complex64 = "complex64", complex128 = "complex128"}
M.safe.bool = {bool = true, int8 = true, int16 = true, int32 = true, int64 = true, uint8 = true, uint16 = true, uint32 = true, uint64 = true, float16 = true, bfloat16 = true, float32 = true, float64 = true, complex64 = true, complex128 = true}
M.same_kind.bool = {bool = true, int8 = true, int16 = true, int32 = true, int64 = true, uint8 = true, uint16 = true, uint32 = true, uint64 = true, float16 = true, bfloat16 = true, float32 = true, float64 = true, complex64 = true, complex128 = true}
M.sine.bool = "float16"
M.weak.bool = {
  add = {int = "int64", float = "float64", complex = "complex128"},
  divide = {int = "float64", float = "float64", complex = "complex128"},
  power = {int = "int64", float = "float64", complex = "complex128"},
  equal = {int = "bool", float = "bool", complex = "bool"},
}
M.promote.int8 = {bool = "int8", int8 = "int8", int16 = "int16", int32 = "int32", int64 = "int64", uint8 = "int16", uint16 = "int32", uint32 = "int64", uint64 = "float64", float16 = "float16", bfloat16 = "bfloat16", float32 = "float32", float64 = "float64", complex64 = "complex64", complex128 = "complex128"}
M.safe.int8 = {bool = false, int8 = true, int16 = true, int32 = true, int64 = true, uint8 = false, uint16 = false, uint32 = false, uint64 = false, float16 = true, bfloat16 = true, float32 = true, float64 = true, complex64 = true, complex128 = true}
M.same_kind.int8 = {bool = false, int8 = true, int16 = true, int32 = true, int64 = true, uint8 = false, uint16 = false, uint32 = false, uint64 = false, float16 = true, bfloat16 = true, float32 = true, float64 = true, complex64 = true, complex128 = true}
M.sine.int8 = "float16"
M.weak.int8 = {
  add = {int = "int8", float = "float64", complex = "complex128"},
  divide = {int = "float64", float = "float64", complex = "complex128"},
  power = {int = "int8", float = "float64", complex = "complex128"},
  equal = {int = "bool", float = "bool", complex = "bool"},
}
M.promote.int16 = {bool = "int16", int8 = "int16", int16 = "int16", int32 = "int32", int64 = "int64", uint8 = "int16", uint16 = "int32", uint32 = "int64", uint64 = "float64", float16 = "float32", bfloat16 = "float32", float32 = "float32", float64 = "float64", complex64 = "complex64", complex128 = "complex128"}
M.safe.int16 = {bool = false, int8 = false, int16 = true, int32 = true, int64 = true, uint8 = false, uint16 = false, uint32 = false, uint64 = false, float16 = false, bfloat16 = false, float32 = true, float64 = true, complex64 = true, complex128 = true}
M.same_kind.int16 = {bool = false, int8 = true, int16 = true, int32 = true, int64 = true, uint8 = false, uint16 = false, uint32 = false, uint64 = false, float16 = true, bfloat16 = true, float32 = true, float64 = true, complex64 = true, complex128 = true}
M.sine.int16 = "float32"
M.weak.int16 = {
  add = {int = "int16", float = "float64", complex = "complex128"},
  divide = {int = "float64", float = "float64", complex = "complex128"},
  power = {int = "int16", float = "float64", complex = "complex128"},
  equal = {int = "bool", float = "bool", complex = "bool"},
}
M.promote.int32 = {bool = "int32", int8 = "int32", int16 = "int32", int32 = "int32", int64 = "int64", uint8 = "int32", uint16 = "int32", uint32 = "int64", uint64 = "float64", float16 = "float64", bfloat16 = "float64", float32 = "float64", float64 = "float64", complex64 = "complex128", complex128 = "complex128"}
M.safe.int32 = {bool = false, int8 = false, int16 = false, int32 = true, int64 = true, uint8 = false, uint16 = false, uint32 = false, uint64 = false, float16 = false, bfloat16 = false, float32 = false, float64 = true, complex64 = false, complex128 = true}
M.same_kind.int32 = {bool = false, int8 = true, int16 = true, int32 = true, int64 = true, uint8 = false, uint16 = false, uint32 = false, uint64 = false, float16 = true, bfloat16 = true, float32 = true, float64 = true, complex64 = true, complex128 = true}
M.sine.int32 = "float64"
M.weak.int32 = {
  add = {int = "int32", float = "float64", complex = "complex128"},
  divide = {int = "float64", float = "float64", complex = "complex128"},
  power = {int = "int32", float = "float64", complex = "complex128"},
  equal = {int = "bool", float = "bool", complex = "bool"},
}
M.promote.int64 = {bool = "int64", int8 = "int64", int16 = "int64", int32 = "int64", int64 = "int64", uint8 = "int64", uint16 = "int64", uint32 = "int64", uint64 = "float64", float16 = "float64", bfloat16 = "float64", float32 = "float64", float64 = "float64", complex64 = "complex128", complex128 = "complex128"}
M.safe.int64 = {bool = false, int8 = false, int16 = false, int32 = false, int64 = true, uint8 = false, uint16 = false, uint32 = false, uint64 = false, float16 = false, bfloat16 = false, float32 = false, float64 = true, complex64 = false, complex128 = true}
M.same_kind.int64 = {bool = false, int8 = true, int16 = true, int32 = true, int64 = true, uint8 = false, uint16 = false, uint32 = false, uint64 = false, float16 = true, bfloat16 = true, float32 = true, float64 = true, complex64 = true, complex128 = true}
M.sine.int64 = "float64"
M.weak.int64 = {
  add = {int = "int64", float = "float64", complex = "complex128"},
  divide = {int = "float64", float = "float64", complex = "complex128"},
  power = {int = "int64", float = "float64", complex = "complex128"},
  equal = {int = "bool", float = "bool", complex = "bool"},
}
M.promote.uint8 = {bool = "uint8", int8 = "int16", int16 = "int16", int32 = "int32", int64 = "int64", uint8 = "uint8", uint16 = "uint16", uint32 = "uint32", uint64 = "uint64", float16 = "float16", bfloat16 = "bfloat16", float32 = "float32", float64 = "float64", complex64 = "complex64", complex128 = "complex128"}
M.safe.uint8 = {bool = false, int8 = false, int16 = true, int32 = true, int64 = true, uint8 = true, uint16 = true, uint32 = true, uint64 = true, float16 = true, bfloat16 = true, float32 = true, float64 = true, complex64 = true, complex128 = true}
M.same_kind.uint8 = {bool = false, int8 = true, int16 = true, int32 = true, int64 = true, uint8 = true, uint16 = true, uint32 = true, uint64 = true, float16 = true, bfloat16 = true, float32 = true, float64 = true, complex64 = true, complex128 = true}
M.sine.uint8 = "float16"
M.weak.uint8 = {
  add = {int = "uint8", float = "float64", complex = "complex128"},
  divide = {int = "float64", float = "float64", complex = "complex128"},
  power = {int = "uint8", float = "float64", complex = "complex128"},
  equal = {int = "bool", float = "bool", complex = "bool"},
}
M.promote.uint16 = {bool = "uint16", int8 = "int32", int16 = "int32", int32 = "int32", int64 = "int64", uint8 = "uint16", uint16 = "uint16", uint32 = "uint32", uint64 = "uint64", float16 = "float32", bfloat16 = "float32", float32 = "float32", float64 = "float64", complex64 = "complex64", complex128 = "complex128"}
M.safe.uint16 = {bool = false, int8 = false, int16 = false, int32 = true, int64 = true, uint8 = false, uint16 = true, uint32 = true, uint64 = true, float16 = false, bfloat16 = false, float32 = true, float64 = true, complex64 = true, complex128 = true}
M.same_kind.uint16 = {bool = false, int8 = true, int16 = true, int32 = true, int64 = true, uint8 = true, uint16 = true, uint32 = true, uint64 = true, float16 = true, bfloat16 = true, float32 = true, float64 = true, complex64 = true, complex128 = true}
M.sine.uint16 = "float32"
M.weak.uint16 = {
  add = {int = "uint16", float = "float64", complex = "complex128"},
  divide = {int = "float64", float = "float64", complex = "complex128"},
  power = {int = "uint16", float = "float64", complex = "complex128"},
  equal = {int = "bool", float = "bool", complex = "bool"},
}
M.promote.uint32 = {bool = "uint32", int8 = "int64", int16 = "int64", int32 = "int64", int64 = "int64", uint8 = "uint32", uint16 = "uint32", uint32 = "uint32", uint64 = "uint64", float16 = "float64", bfloat16 = "float64", float32 = "float64", float64 = "float64", complex64 = "complex128", complex128 = "complex128"}
M.safe.uint32 = {bool = false, int8 = false, int16 = false, int32 = false, int64 = true, uint8 = false, uint16 = false, uint32 = true, uint64 = true, float16 = false, bfloat16 = false, float32 = false, float64 = true, complex64 = false, complex128 = true}
M.same_kind.uint32 = {bool = false, int8 = true, int16 = true, int32 = true, int64 = true, uint8 = true, uint16 = true, uint32 = true, uint64 = true, float16 = true, bfloat16 = true, float32 = true, float64 = true, complex64 = true, complex128 = true}
M.sine.uint32 = "float64"
M.weak.uint32 = {
  add = {int = "uint32", float = "float64", complex = "complex128"},
  divide = {int = "float64", float = "float64", complex = "complex128"},
  power = {int = "uint32", float = "float64", complex = "complex128"},
  equal = {int = "bool", float = "bool", complex = "bool"},
}
M.promote.uint64 = {bool = "uint64", int8 = "float64", int16 = "float64", int32 = "float64", int64 = "float64", uint8 = "uint64", uint16 = "uint64", uint32 = "uint64", uint64 = "uint64", float16 = "float64", bfloat16 = "float64", float32 = "float64", float64 = "float64", complex64 = "complex128", complex128 = "complex128"}
M.safe.uint64 = {bool = false, int8 = false, int16 = false, int32 = false, int64 = false, uint8 = false, uint16 = false, uint32 = false, uint64 = true, float16 = false, bfloat16 = false, float32 = false, float64 = true, complex64 = false, complex128 = true}
M.same_kind.uint64 = {bool = false, int8 = true, int16 = true, int32 = true, int64 = true, uint8 = true, uint16 = true, uint32 = true, uint64 = true, float16 = true, bfloat16 = true, float32 = true, float64 = true, complex64 = true, complex128 = true}
M.sine.uint64 = "float64"
M.weak.uint64 = {
  add = {int = "uint64", float = "float64", complex = "complex128"},
  divide = {int = "float64", float = "float64", complex = "complex128"},
  power = {int = "uint64", float = "float64", complex = "complex128"},
  equal = {int = "bool", float = "bool", complex = "bool"},
}
M.promote.float16 = {bool = "float16", int8 = "float16", int16 = "float32", int32 = "float64", int64 = "float64", uint8 = "float16", uint16 = "float32", uint32 = "float64", uint64 = "float64", float16 = "float16", bfloat16 = "float32", float32 = "float32", float64 = "float64", complex64 = "complex64", complex128 = "complex128"}
M.safe.float16 = {bool = false, int8 = false, int16 = false, int32 = false, int64 = false, uint8 = false, uint16 = false, uint32 = false, uint64 = false, float16 = true, bfloat16 = false, float32 = true, float64 = true, complex64 = true, complex128 = true}
M.same_kind.float16 = {bool = false, int8 = false, int16 = false, int32 = false, int64 = false, uint8 = false, uint16 = false, uint32 = false, uint64 = false, float16 = true, bfloat16 = true, float32 = true, float64 = true, complex64 = true, complex128 = true}
M.sine.float16 = "float16"
M.weak.float16 = {
  add = {int = "float16", float = "float16", complex = "complex64"},
  divide = {int = "float16", float = "float16", complex = "complex64"},
  power = {int = "float16", float = "float16", complex = "complex64"},
  equal = {int = "bool", float = "bool", complex = "bool"},
}
M.promote.bfloat16 = {bool = "bfloat16", int8 = "bfloat16", int16 = "float32", int32 = "float64", int64 = "float64", uint8 = "bfloat16", uint16 = "float32", uint32 = "float64", uint64 = "float64", float16 = "float32", bfloat16 = "bfloat16", float32 = "float32", float64 = "float64", complex64 = "complex64", complex128 = "complex128"}
M.safe.bfloat16 = {bool = false, int8 = false, int16 = false, int32 = false, int64 = false, uint8 = false, uint16 = false, uint32 = false, uint64 = false, float16 = false, bfloat16 = true, float32 = true, float64 = true, complex64 = true, complex128 = true}
M.same_kind.bfloat16 = {bool = false, int8 = false, int16 = false, int32 = false, int64 = false, uint8 = false, uint16 = false, uint32 = false, uint64 = false, float16 = true, bfloat16 = true, float32 = true, float64 = true, complex64 = true, complex128 = true}
M.sine.bfloat16 = "bfloat16"
M.weak.bfloat16 = {
  add = {int = "bfloat16", float = "bfloat16", complex = "complex64"},
  divide = {int = "bfloat16", float = "bfloat16", complex = "complex64"},
  power = {int = "bfloat16", float = "bfloat16", complex = "complex64"},
  equal = {int = "bool", float = "bool", complex = "bool"},
}
M.promote.float32 = {bool = "float32", int8 = "float32", int16 = "float32", int32 = "float64", int64 = "float64", uint8 = "float32", uint16 = "float32", uint32 = "float64", uint64 = "float64", float16 = "float32", bfloat16 = "float32", float32 = "float32", float64 = "float64", complex64 = "complex64", complex128 = "complex128"}
M.safe.float32 = {bool = false, int8 = false, int16 = false, int32 = false, int64 = false, uint8 = false, uint16 = false, uint32 = false, uint64 = false, float16 = false, bfloat16 = false, float32 = true, float64 = true, complex64 = true, complex128 = true}
M.same_kind.float32 = {bool = false, int8 = false, int16 = false, int32 = false, int64 = false, uint8 = false, uint16 = false, uint32 = false, uint64 = false, float16 = true, bfloat16 = true, float32 = true, float64 = true, complex64 = true, complex128 = true}
M.sine.float32 = "float32"
M.weak.float32 = {
  add = {int = "float32", float = "float32", complex = "complex64"},
  divide = {int = "float32", float = "float32", complex = "complex64"},
  power = {int = "float32", float = "float32", complex = "complex64"},
  equal = {int = "bool", float = "bool", complex = "bool"},
}
M.promote.float64 = {bool = "float64", int8 = "float64", int16 = "float64", int32 = "float64", int64 = "float64", uint8 = "float64", uint16 = "float64", uint32 = "float64", uint64 = "float64", float16 = "float64", bfloat16 = "float64", float32 = "float64", float64 = "float64", complex64 = "complex128", complex128 = "complex128"}
M.safe.float64 = {bool = false, int8 = false, int16 = false, int32 = false, int64 = false, uint8 = false, uint16 = false, uint32 = false, uint64 = false, float16 = false, bfloat16 = false, float32 = false, float64 = true, complex64 = false, complex128 = true}
M.same_kind.float64 = {bool = false, int8 = false, int16 = false, int32 = false, int64 = false, uint8 = false, uint16 = false, uint32 = false, uint64 = false, float16 = true, bfloat16 = true, float32 = true, float64 = true, complex64 = true, complex128 = true}
M.sine.float64 = "float64"
M.weak.float64 = {
  add = {int = "float64", float = "float64", complex = "complex128"},
  divide = {int = "float64", float = "float64", complex = "complex128"},
  power = {int = "float64", float = "float64", complex = "complex128"},
  equal = {int = "bool", float = "bool", complex = "bool"},
}
M.promote.complex64 = {bool = "complex64", int8 = "complex64", int16 = "complex64", int32 = "complex128", int64 = "complex128", uint8 = "complex64", uint16 = "complex64", uint32 = "complex128", uint64 = "complex128", float16 = "complex64", bfloat16 = "complex64", float32 = "complex64", float64 = "complex128", complex64 = "complex64", complex128 = "complex128"}
M.safe.complex64 = {bool = false, int8 = false, int16 = false, int32 = false, int64 = false, uint8 = false, uint16 = false, uint32 = false, uint64 = false, float16 = false, bfloat16 = false, float32 = false, float64 = false, complex64 = true, complex128 = true}
M.same_kind.complex64 = {bool = false, int8 = false, int16 = false, int32 = false, int64 = false, uint8 = false, uint16 = false, uint32 = false, uint64 = false, float16 = false, bfloat16 = false, float32 = false, float64 = false, complex64 = true, complex128 = true}
M.sine.complex64 = "complex64"
M.weak.complex64 = {
  add = {int = "complex64", float = "complex64", complex = "complex64"},
  divide = {int = "complex64", float = "complex64", complex = "complex64"},
  power = {int = "complex64", float = "complex64", complex = "complex64"},
  equal = {int = "bool", float = "bool", complex = "bool"},
}
M.promote.complex128 = {bool = "complex128", int8 = "complex128", int16 = "complex128", int32 = "complex128", int64 = "complex128", uint8 = "complex128", uint16 = "complex128", uint32 = "complex128", uint64 = "complex128", float16 = "complex128", bfloat16 = "complex128", float32 = "complex128", float64 = "complex128", complex64 = "complex128", complex128 = "complex128"}
M.safe.complex128 = {bool = false, int8 = false, int16 = false, int32 = false, int64 = false, uint8 = false, uint16 = false, uint32 = false, uint64 = false, float16 = false, bfloat16 = false, float32 = false, float64 = false, complex64 = false, complex128 = true}
M.same_kind.complex128 = {bool = false, int8 = false, int16 = false, int32 = false, int64 = false, uint8 = false, uint16 = false, uint32 = false, uint64 = false, float16 = false, bfloat16 = false, float32 = false, float64 = false, complex64 = true, complex128 = true}
M.sine.complex128 = "complex128"
M.weak.complex128 = {
  add = {int = "complex128", float = "complex128", complex = "complex128"},
  divide = {int = "complex128", float = "complex128", complex = "complex128"},
  power = {int = "complex128", float = "complex128", complex = "complex128"},
  equal = {int = "bool", float = "bool", complex = "bool"},
}
return M

copy_element.o: runtime/work/copy_element.c runtime/array/array.h \
 runtime/array/value.h runtime/cuna.h runtime/base/base.h \
 runtime/base/dtype.h runtime/base/base.h runtime/base/status.h \
 runtime/base/shape.h runtime/base/status.h runtime/cuna_comm.h \
 runtime/cuna_curand.h runtime/cuna_exchange.h runtime/cuna_fft.h \
 runtime/cuna_lapack.h runtime/cuna_matmul.h runtime/cuna_memory.h \
 runtime/cuna_prepare.h runtime/cuna_raw.h runtime/cuna_record.h \
 runtime/cuna_reduce.h runtime/cuna_result.h runtime/cuna_statement.h \
 runtime/cuna_streams.h runtime/cuna_texture.h runtime/device/context.h \
 runtime/device/device.h runtime/device/stream.h runtime/pool/pool.h \
 runtime/seam/driver.h runtime/device/trace.h
runtime/array/array.h:
runtime/array/value.h:
runtime/cuna.h:
runtime/base/base.h:
runtime/base/dtype.h:
runtime/base/base.h:
runtime/base/status.h:
runtime/base/shape.h:
runtime/base/status.h:
runtime/cuna_comm.h:
runtime/cuna_curand.h:
runtime/cuna_exchange.h:
runtime/cuna_fft.h:
runtime/cuna_lapack.h:
runtime/cuna_matmul.h:
runtime/cuna_memory.h:
runtime/cuna_prepare.h:
runtime/cuna_raw.h:
runtime/cuna_record.h:
runtime/cuna_reduce.h:
runtime/cuna_result.h:
runtime/cuna_statement.h:
runtime/cuna_streams.h:
runtime/cuna_texture.h:
runtime/device/context.h:
runtime/device/device.h:
runtime/device/stream.h:
runtime/pool/pool.h:
runtime/seam/driver.h:
runtime/device/trace.h:

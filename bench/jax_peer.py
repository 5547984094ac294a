"""JAX for gpu_peers.py: the functions that NumPy and CuPy run, each compiled as a whole (jax.jit), with float64 and true
float32 products. What jax.numpy lacks, or cannot compile because values decide a shape, has no row."""
import os
import types

import kernel_peers
import subject_peers

# The twins of these are SciPy's and CuPy's own.
OF_OTHERS = ("files_", "interpolate_", "ndimage_", "signal_", "sparse_", "special_", "stats_")


class Missing:
    """A name that jax.numpy lacks. jax.jit refuses what is computed with it, because it is not an array."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __call__(self, *_, **__):
        return self


class Lenient:
    """A module whose missing names are Missing."""

    def __init__(self, module):
        self.module = module

    @staticmethod
    def ascontiguousarray(x):  # as what is compiled returns all arrays
        return x

    def __getattr__(self, name):
        found = getattr(self.module, name, Missing())
        return Lenient(found) if isinstance(found, types.ModuleType) else found


class JaxPeer:
    def __init__(self, name, plain_functions):
        os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
        import jax
        jax.config.update("jax_enable_x64", True)
        jax.config.update("jax_default_matmul_precision", "highest")
        self.jax, self.xp, self.name, self.version = jax, jax.numpy, name, jax.__version__
        self.plain_functions = plain_functions
        self.device, self.key, self.last = jax.devices()[0].device_kind, jax.random.PRNGKey(1), None

    def lacks(self, error):
        """Whether the error says that JAX has no such function."""
        errors = self.jax.errors
        return isinstance(error, (NotImplementedError, AttributeError, TypeError, errors.JAXTypeError,
                                  errors.JAXIndexError))

    def synchronize(self):
        self.jax.block_until_ready(self.last)

    def spread(self, *shape, dtype="float32"):
        self.key, key = self.jax.random.split(self.key)
        exact = dtype if dtype == "float64" else "float32"
        return self.jax.random.uniform(key, shape, dtype=exact).astype(dtype)

    def zeros(self, *shape):
        return self.xp.zeros(shape, "float32")

    def arange(self, count):
        return self.xp.arange(count)

    def astype(self, x, dtype):
        return x.astype(dtype)

    def ints(self, *shape):
        return (self.spread(*shape) * 100).astype("uint8")

    def host(self, *_):
        raise NotImplementedError

    def compiled(self, fn):
        compiled = self.jax.jit(fn)

        def call(*inputs):
            self.last = compiled(*inputs)
            if self.last is None:  # what changes its argument changes nothing here
                raise NotImplementedError
        return call

    def functions(self):
        xp = Lenient(self.xp)
        named = dict(kernel_peers.array_functions(xp), **subject_peers.array_functions(xp), **self.plain_functions(xp))
        return {name: self.compiled(fn) for name, fn in named.items() if not name.startswith(OF_OTHERS)}

"""Twins of formulas.lua: whole programs of plain operators.

  python3 bench/formulas_peers.py --peer numpy|cupy|jax [--scale 1] [--only name,..]

One line of JSON each, as formulas.lua prints; JAX compiles each program, with exact float32 products."""
import json
import sys
import time

import numpy as np

options = dict(zip(sys.argv[1::2], sys.argv[2::2]))
peer, scale, only = options.get("--peer", "numpy"), float(options.get("--scale", 1)), options.get("--only")
PROGRAMS = {}


def L(n):
    return max(16, int(n * scale))


def S(n):
    return max(16, int(n * scale ** 0.5))


def ramp(shape, lo=0.0, hi=1.0):
    """Fractions of multiples of the golden section, between two numbers."""
    f = np.arange(int(np.prod(shape)), dtype=np.float32) * np.float32(0.61803398875)
    f = f - np.floor(f)
    return (f * np.float32(hi - lo) + np.float32(lo)).astype(np.float32).reshape(shape)


def program(make):
    def add(fn):
        PROGRAMS[fn.__name__] = make, fn
        return fn
    return add


@program(lambda: (ramp((L(1e5),), .1, .5), ramp((L(1e5),), .05, .2)))
def sir_rk4(xp, beta, gamma):
    s = beta*0+.99
    i = beta*0+.01
    def f(s, i):
        inf = beta*s*i
        return -inf, inf-gamma*i
    h = .5
    for _ in range(20):
        a1, b1 = f(s, i)
        a2, b2 = f(s+h/2*a1, i+h/2*b1)
        a3, b3 = f(s+h/2*a2, i+h/2*b2)
        a4, b4 = f(s+h*a3, i+h*b3)
        s = s+h/6*(a1+2*a2+2*a3+a4)
        i = i+h/6*(b1+2*b2+2*b3+b4)
    return s, i


@program(lambda: (ramp((50, L(2e5)), -2, 2),))
def option_paths(xp, z):
    s = xp.full(z.shape[1], 100., dtype=xp.float32)
    best = s
    total = s*0
    for k in range(50):
        s = s*xp.exp(0.0002+0.02*z[k])
        best = xp.maximum(best, s)
        total = total+s
    return xp.mean(xp.maximum(total/50-100, 0)), xp.mean(best-s)


@program(lambda: (ramp((S(1e3), 1), -1.5, 1.5), ramp((1, S(1e3)), -1.5, 1.5)))
def julia(xp, a, b):
    z = a+1j*b
    n = xp.zeros(z.shape, xp.int32)
    for _ in range(20):
        live = xp.abs(z) < 2
        z = xp.where(live, z*z+(-0.4+0.6j), z)
        n = n+live
    return n


@program(lambda: (ramp((S(3e3), 128), -1, 1), ramp((S(3e3), 128), -1, 1)))
def cosine_similarity(xp, x, y):
    x = x/xp.sqrt(xp.sum(x*x, 1, keepdims=True))
    y = y/xp.sqrt(xp.sum(y*y, 1, keepdims=True))
    return xp.matmul(x, y.T)


@program(lambda: (ramp((S(1e3), 16)), ramp((S(1e3), 16))))
def pairwise(xp, x, y):
    d = x[:, None, :]-y[None, :, :]
    return xp.sqrt(xp.sum(d*d, 2))


@program(lambda: (ramp((L(2e5), 64), -1, 1), ramp((64, 10), -1, 1), (np.arange(L(2e5)) % 10).astype(np.int64)))
def softmax_regression(xp, x, w, y):
    z = xp.matmul(x, w)
    z = z-xp.max(z, 1, keepdims=True)
    e = xp.exp(z)
    p = e/xp.sum(e, 1, keepdims=True)
    hot = (y[:, None] == xp.arange(10)[None, :]).astype(xp.float32)
    return xp.matmul(x.T, p-hot)/x.shape[0], -xp.mean(xp.sum(hot*xp.log(p+1e-9), 1))


@program(lambda: (ramp((32, 64, 56, 56), -2, 3), ramp((64,)), ramp((64,))))
def batchnorm(xp, x, g, b):
    m = xp.mean(x, (0, 2, 3), keepdims=True)
    v = xp.mean((x-m)**2, (0, 2, 3), keepdims=True)
    return xp.maximum((x-m)/xp.sqrt(v+1e-5)*g[None, :, None, None]+b[None, :, None, None], 0)


@program(lambda: (ramp((S(1e3), S(1e3))), ramp((S(1e3), S(1e3)))))
def wave(xp, u, v):
    for _ in range(10):
        lap = xp.pad(u[:-2, 1:-1]+u[2:, 1:-1]+u[1:-1, :-2]+u[1:-1, 2:]-4*u[1:-1, 1:-1], 1)
        u, v = 2*u-v+0.1*lap, u
    return u


@program(lambda: (ramp((L(5e6),), -1, 1),))
def moving_average(xp, x):
    c = xp.cumsum(x)
    m = (c[50:]-c[:-50])/50
    return m, xp.mean(xp.abs(x[50:]-m))


@program(lambda: (ramp((L(5e5), 2), -3, 3), ramp((8, 2), -3, 3), ramp((8,), .5, 2), ramp((8,), .1, .2)))
def mixture(xp, x, mu, s, w):
    d = x[:, None, :]-mu[None]
    l = -xp.sum(d*d, 2)/(2*s*s)-2*xp.log(s)+xp.log(w)
    m = xp.max(l, 1, keepdims=True)
    e = xp.exp(l-m)
    t = xp.sum(e, 1, keepdims=True)
    r = e/t
    n = xp.sum(r, 0)
    return xp.matmul(r.T, x)/n[:, None], n, xp.mean(m[:, 0]+xp.log(t[:, 0]))


@program(lambda: (ramp((S(1e3), 3), 0, 10)*np.float32(1.7),))
def lennard_jones(xp, x):
    d = x[:, None, :]-x[None]
    r2 = xp.sum(d*d, 2)+xp.eye(x.shape[0], dtype=xp.float32)
    i6 = 1/(r2*r2*r2)
    f = 24*i6*(2*i6-1)/r2
    return xp.sum(f[:, :, None]*d, 1), xp.sum(4*i6*(i6-1))/2


@program(lambda: ((ramp((S(2e3), S(3e3), 3))*255).astype(np.uint8),))
def photo(xp, p):
    f = p.astype(xp.float32)/255
    grey = 0.299*f[:, :, 0]+0.587*f[:, :, 1]+0.114*f[:, :, 2]
    g = grey**0.45
    return (xp.clip(g*1.2-0.1, 0, 1)*255).astype(xp.uint8), xp.mean(g), xp.mean(f, (0, 1))


@program(lambda: ((ramp((S(2e3), S(3e3)))**2*255).astype(np.uint8),))
def equalise(xp, p):
    n = xp.bincount(p.reshape(-1), **{"length" if xp.__name__ == "jax.numpy" else "minlength": 256})
    c = xp.cumsum(n)
    t = (c-c[0])*255//(p.size-c[0])
    return t.astype(xp.uint8)[p]


@program(lambda: (ramp((L(5e6),), -.01, .0101),))
def drawdown(xp, r):
    w = xp.cumprod(1+r)
    m = xp.maximum.accumulate(w)  # JAX compiles this for minutes
    return xp.min(w/m-1), w[-1]


@program(lambda: (ramp((S(2e3), S(2e3))), ramp((3, 3))))
def conv_shifts(xp, u, k):
    out = 0
    h, w = u.shape
    for i in range(3):
        for j in range(3): out = out+u[i:h-2+i, j:w-2+j]*k[i, j]
    return xp.maximum(out, 0)


@program(lambda: (ramp((L(2e5), 64), -1, 2),))
def correlation_matrix(xp, x):
    d = x-xp.mean(x, 0)
    c = xp.matmul(d.T, d)/(x.shape[0]-1)
    s = xp.sqrt(xp.diag(c))
    return c/s[:, None]/s[None]


@program(lambda: (ramp((S(1e3), S(1e3))), ramp((S(1e3),))))
def power_iteration(xp, a, v):
    for _ in range(20):
        v = xp.matmul(a, v)
        v = v/xp.sqrt(xp.sum(v*v))
    return v, xp.sum(v*xp.matmul(a, v))


@program(lambda: tuple(ramp((256, 256), -1, 1) for _ in range(30)))
def momentum(xp, *a):
    out = []
    for k in range(10):
        w, g, m = a[3*k], a[3*k+1], a[3*k+2]
        m = 0.9*m+g+1e-4*w
        out += [w-0.01*m, m]
    return tuple(out)


@program(lambda: (ramp((L(1e7),), -1, 1),))
def horner(xp, x):
    y = x*0
    for k in range(12): y = y*x+(0.3-0.05*k)
    return y


@program(lambda: tuple(ramp((L(2e6),), -1.5, 1.5)*np.float32(s) for s in (1, .9, .8, .7)))
def haversine(xp, a, b, c, d):
    h = xp.sin((c-a)/2)**2+xp.cos(a)*xp.cos(c)*xp.sin((d-b)/2)**2
    return 2*6371*xp.arcsin(xp.sqrt(h))


@program(lambda: (ramp((S(4096), 1024), -2, 2), ramp((S(4096), 1024)), ramp((1024,)), ramp((1024,))))
def block_tail(xp, x, u, g, b):
    y = x*0.5*(1+xp.tanh(0.7978845608*(x+0.044715*x*x*x)))
    y = xp.where(u > 0.1, y/0.9, 0)+x
    m = xp.mean(y, 1, keepdims=True)
    v = xp.var(y, 1, keepdims=True)
    return (y-m)/xp.sqrt(v+1e-5)*g+b


@program(lambda: (ramp((40, L(1e5)), -1, 1),))
def kalman(xp, z):
    x = z[0]
    p = x*0+1
    out = x*0
    for k in range(40):
        p = p+0.01
        g = p/(p+0.1)
        x = x+g*(z[k]-x)
        p = (1-g)*p
        out = out+x
    return out, p


@program(lambda: (np.where(ramp((S(1e3), S(1e3))) > .5, 1, -1).astype(np.int8), ramp((4, S(1e3), S(1e3)))))
def ising(xp, s, u):
    i = xp.arange(s.shape[0])[:, None]+xp.arange(s.shape[1])[None]
    for k in range(4):
        n = xp.roll(s, 1, 0)+xp.roll(s, -1, 0)+xp.roll(s, 1, 1)+xp.roll(s, -1, 1)
        de = 2*s*n
        flip = (u[k] < xp.exp(-de.astype(xp.float32)*0.4)) & (i % 2 == k % 2)
        s = xp.where(flip, -s, s)
    return s, xp.mean(s.astype(xp.float32))


@program(lambda: (ramp((L(1e5), 100), -3, 3), (np.arange(L(1e5))*7 % 100).astype(np.int64)))
def cross_entropy(xp, z, y):
    m = xp.max(z, 1, keepdims=True)
    l = xp.log(xp.sum(xp.exp(z-m), 1, keepdims=True))+m
    t = xp.take_along_axis(z, y[:, None], 1)
    return xp.mean(l-t), xp.mean((xp.argmax(z, 1) == y).astype(xp.float32))


@program(lambda: (ramp((S(4096), 1024), -3, 3),))
def quantise(xp, w):
    s = xp.max(xp.abs(w), 1, keepdims=True)/127
    q = xp.clip(xp.round(w/s), -127, 127).astype(xp.int8)
    return q, xp.mean((q.astype(xp.float32)*s-w)**2)


@program(lambda: tuple(ramp((8, 512, 64), -1, 1) for _ in range(3)))
def causal_attention(xp, q, k, v):
    s = xp.matmul(q, xp.swapaxes(k, 1, 2))/8
    i = xp.arange(512)
    s = xp.where(i[None, :] <= i[:, None], s, -1e9)
    e = xp.exp(s-xp.max(s, 2, keepdims=True))
    return xp.matmul(e/xp.sum(e, 2, keepdims=True), v)


@program(lambda: (ramp((L(1e6),)),))
def ranks(xp, x):
    r = xp.argsort(xp.argsort(x)).astype(xp.float32)
    return r/x.size, xp.mean(r*x)


@program(lambda: (ramp((S(1e3), S(1e3)))+np.eye(S(1e3), dtype=np.float32)*1000, ramp((S(1e3),))))
def jacobi(xp, a, b):
    d = xp.diag(a)
    x = b*0
    for _ in range(20): x = (b-xp.matmul(a, x)+d*x)/d
    return x


@program(lambda: (ramp((256, 4096), -1, 1), ramp((4096,)), ramp((2049,))))
def spectrum(xp, x, w, f):
    s = xp.fft.rfft(x*w, axis=1)
    p = (xp.abs(s)**2).mean(0)
    return xp.fft.irfft(s*f, 4096, axis=1), xp.log10(p+1e-12)


@program(lambda: (ramp((L(1e6), 3), -1, 1), ramp((3, 3), -1, 1)))
def rotate_points(xp, x, r):
    y = xp.matmul(x, r.T)+xp.array([1, 2, 3], dtype=xp.float32)
    n = xp.sqrt(xp.sum(y**2, 1, keepdims=True))
    return y/n, xp.min(y, 0), xp.max(y, 0)


@program(lambda: (ramp((L(1e6), 32), -1, 1), ramp((32,)), (ramp((L(1e6),)) > .5).astype(np.float32)))
def logistic_step(xp, x, w, y):
    p = 1/(1+xp.exp(-xp.matmul(x, w)))
    g = xp.matmul(x.T, p-y)/x.shape[0]
    return w-0.1*g


@program(lambda: (ramp((L(1e6), 32), -1, 3),))
def standardise(xp, x): return (x-xp.mean(x, 0))/xp.std(x, 0)


@program(lambda: (ramp((S(1e3), S(1e3))),))
def ring(xp, u):
    for _ in range(4):
        up = xp.concatenate([u[-1:], u[:-1]], 0)
        dn = xp.concatenate([u[1:], u[:1]], 0)
        lf = xp.concatenate([u[:, -1:], u[:, :-1]], 1)
        rt = xp.concatenate([u[:, 1:], u[:, :1]], 1)
        u = u+0.1*(up+dn+lf+rt-4*u)
    return u


def prepare():
    """The module, what a program becomes, and what waits for its results."""
    if peer == "jax":
        import jax
        import jax.numpy as xp
        jax.config.update("jax_enable_x64", True)
        jax.config.update("jax_default_matmul_precision", "highest")
        return xp, lambda fn: jax.jit(lambda *a: fn(xp, *a)), jax.block_until_ready
    if peer == "cupy":
        import cupy as xp
        return xp, lambda fn: lambda *a: fn(xp, *a), lambda results: xp.cuda.Device().synchronize()
    return np, lambda fn: lambda *a: fn(np, *a), lambda results: None


def measure(call):
    """Seconds of the first call, and the median of others."""
    start = time.perf_counter()
    call()
    first = time.perf_counter() - start
    start = time.perf_counter()
    call()
    calls = max(1, min(2000, int(0.03 / max(time.perf_counter() - start, 1e-6))))
    times, begin = [], time.perf_counter()
    while len(times) < 15 and (len(times) < 3 or time.perf_counter() - begin < 0.6):
        start = time.perf_counter()
        for _ in range(calls):
            call()
        times.append((time.perf_counter() - start) / calls)
    return first, sorted(times)[len(times) // 2]


xp, compiled, wait = prepare()
for name, (make, fn) in PROGRAMS.items():
    if only and name not in only.split(","):
        continue
    inputs, run = [xp.asarray(x) for x in make()], compiled(fn)
    try:
        first, median = measure(lambda: wait(run(*inputs)))
        results = run(*inputs)
        results = results if isinstance(results, tuple) else (results,)
        sums = ["%.6g" % float(xp.sum(xp.abs(x.astype(xp.float64)))) for x in results]
        row = {"median_us": round(median * 1e6, 1), "first_ms": round(first * 1e3, 1), "check": sums}
    except Exception as error:
        row = {"error": str(error)[:150]}
    print(json.dumps({"name": name, "peer": peer, **row}), flush=True)

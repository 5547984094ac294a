"""The equivalents of programs.lua for other libraries, for subject_peers.py."""

NAMES = {
    "plus_dropped_256": "pg_square", "plus_computed_256": "pg_square", "plus_freed_256": "pg_square",
    "life_512": "pg_cells",
    "mandelbrot_300x400": "pg_row pg_column", "gradients_256": "pg_symmetric pg_vector",
    "mlp_step": "pg_batch pg_wanted pg_first pg_second", "recurrent_64x256": "pg_state pg_steps pg_weights pg_weights",
    "lstm_64x256": "pg_state pg_steps pg_gates pg_bias", "gru_64x256": "pg_state pg_steps pg_gates pg_bias",
    "dot_256": "pg_vector pg_vector", "matvec_256": "pg_square pg_vector", "rfft_256": "pg_vector",
    "set_100": "pg_thousand", "set_rows_100": "pg_hundreds", "rows_100": "pg_hundreds",
}


def makers(_):
    """Inputs by name, as functions of something that has spread(*shape) and astype(x, dtype)."""
    def double(*shape):
        return lambda p: p.astype(p.spread(*shape), "float64")

    def symmetric(p):
        m = p.astype(p.spread(256, 256), "float64")
        m = m + m.T
        for i in range(256):
            m[i, i] += 256
        return m

    return {
        "pg_square": double(256, 256), "pg_vector": double(256), "pg_row": double(1, 400), "pg_column": double(300, 1),
        "pg_batch": double(32, 64), "pg_wanted": double(32, 10), "pg_first": double(64, 128),
        "pg_second": double(128, 10), "pg_symmetric": symmetric,
        "pg_cells": lambda p: p.astype(p.spread(512, 512) > 0.6, "uint8"),
        "pg_state": lambda p: p.spread(64, 256), "pg_steps": lambda p: p.spread(32, 64, 256),
        "pg_weights": lambda p: (p.spread(256, 256) - 0.5) * 0.1,
        "pg_gates": lambda p: (p.spread(8, 256, 256) - 0.5) * 0.1, "pg_bias": lambda p: p.spread(4, 256),
        "pg_thousand": double(1000), "pg_hundreds": double(100, 100),
    }


def workloads(_):
    """name, bytes, inputs"""
    return [("program_" + name, 0, inputs) for name, inputs in NAMES.items()]


def functions(xp, fft):
    def life(g):
        for _ in range(4):
            n = (g[:-2, :-2] + g[:-2, 1:-1] + g[:-2, 2:] + g[1:-1, :-2] + g[1:-1, 2:] + g[2:, :-2] + g[2:, 1:-1]
                 + g[2:, 2:])
            after = xp.zeros_like(g)
            after[1:-1, 1:-1] = xp.logical_or(n == 3, xp.logical_and(g[1:-1, 1:-1] == 1, n == 2))
            g = after
        return g

    def mandelbrot(re, im):
        x, y = re * 0 + im * 0, re * 0 + im * 0
        count = xp.zeros_like(x)
        for _ in range(20):
            x2, y2 = x * x, y * y
            inside = (x2 + y2) < 4
            count = count + inside
            y = xp.where(inside, 2 * x * y + im, y)
            x = xp.where(inside, x2 - y2 + re, x)
        return count

    def gradients(a, b):
        x, r = xp.zeros_like(b), b + 0
        p, rs = r, r @ r
        for _ in range(20):
            ap = a @ p
            alpha = rs / (p @ ap)
            x, r = x + alpha * p, r - alpha * ap
            new = r @ r
            p, rs = r + (new / rs) * p, new
        return x

    def mlp_step(x, wanted, w1, w2):
        z = x @ w1
        h = z.clip(0, None)
        d = (h @ w2 - wanted) * 0.01
        dh = (d @ w2.T) * (z > 0)
        return w1 - 0.1 * (x.T @ dh), w2 - 0.1 * (h.T @ d)

    def recurrent(h, xs, w, u):
        for k in range(32):
            h = xp.tanh(h @ w + xs[k] @ u + 0.01)
        return h

    def gate(x, h, weights, bias, k):
        return x @ weights[k] + h @ weights[k + 4] + bias[k]

    def sigmoid(x):
        return 1 / (1 + xp.exp(-x))

    def lstm(h, xs, weights, bias):
        c = h
        for k in range(32):
            x = xs[k]
            i, f = sigmoid(gate(x, h, weights, bias, 0)), sigmoid(gate(x, h, weights, bias, 1))
            o, g = sigmoid(gate(x, h, weights, bias, 2)), xp.tanh(gate(x, h, weights, bias, 3))
            c = f * c + i * g
            h = o * xp.tanh(c)
        return h

    def gru(h, xs, weights, bias):
        for k in range(32):
            x = xs[k]
            z, r = sigmoid(gate(x, h, weights, bias, 0)), sigmoid(gate(x, h, weights, bias, 1))
            n = xp.tanh(gate(x, r * h, weights, bias, 2))
            h = (1 - z) * n + z * h
        return h

    def set_elements(x):
        for i in range(100):
            x[i] = i

    def set_rows(m):
        for i in range(100):
            m[i, 6] = i

    def rows(m):
        for i in range(100):
            m[i]

    table = {"plus_dropped_256": lambda x: x + x, "plus_computed_256": lambda x: x + x,
             "plus_freed_256": lambda x: x + x, "life_512": life, "mandelbrot_300x400": mandelbrot, "gradients_256": gradients, "mlp_step": mlp_step,
             "recurrent_64x256": recurrent, "lstm_64x256": lstm, "gru_64x256": gru, "dot_256": lambda x, y: x @ y, "matvec_256": lambda m, x: m @ x,
             "rfft_256": fft.rfft, "set_100": set_elements, "set_rows_100": set_rows, "rows_100": rows}
    return {"program_" + name: fn for name, fn in table.items()}


def array_functions(xp):
    """NumPy's and CuPy's."""
    return functions(xp, xp.fft)


def torch_functions(torch):
    return functions(torch, torch.fft)

"""The equivalents of random.lua for other libraries, for subject_peers.py."""


def counts(length):
    return length(1e8), length(1e7)


def makers(length):
    """Inputs by name, as functions of something that has arange(count) and astype(x, dtype)."""
    n, few = counts(length)

    def zeros(count, dtype):
        return lambda p: p.astype(p.arange(count) * 0, dtype)

    return {
        "drawn_f": zeros(n, "float32"),
        "drawn_d": zeros(n, "float64"),
        "drawn_i": zeros(n, "int32"),
        "drawn_l": zeros(n, "int64"),
        "drawn_few": zeros(few, "float64"),
        "drawn_counts": zeros(few, "int64"),
        "weights_1e3": lambda p: p.astype(p.arange(1000) * 0 + 1, "float64") / 1000,
    }


def workloads(length):
    """name, bytes, inputs"""
    n, few = counts(length)
    return [
        ("random_f32_1e8", 4 * n, "drawn_f"),
        ("random_f64_1e8", 8 * n, "drawn_d"),
        ("random_normal_f32_1e8", 4 * n, "drawn_f"),
        ("random_normal_f64_1e8", 8 * n, "drawn_d"),
        ("random_exponential_f32_1e8", 4 * n, "drawn_f"),
        ("random_exponential_f64_1e8", 8 * n, "drawn_d"),
        ("random_integers_i32_1e8", 4 * n, "drawn_i"),
        ("random_integers_i64_1e8", 8 * n, "drawn_l"),
        ("random_gamma_f64_1e7", 8 * few, "drawn_few"),
        ("random_beta_f64_1e7", 8 * few, "drawn_few"),
        ("random_poisson_1e7", 8 * few, "drawn_counts"),
        ("random_binomial_1e7", 8 * few, "drawn_counts"),
        ("random_permutation_1e7", 8 * few, "drawn_few"),
        ("random_shuffle_f64_1e7", 16 * few, "drawn_few"),
        ("random_choice_1e7", 8 * few, "weights_1e3"),
        ("random_choice_weights_1e7", 8 * few, "weights_1e3"),
    ]


def array_functions(xp):
    """NumPy's and CuPy's; of CuPy what its generators do not have is asked of its older functions."""
    rng, old = xp.random.default_rng(1), xp.random

    def uniform(x):
        return rng.random(out=x, dtype=x.dtype)

    def normal(x):
        return rng.standard_normal(out=x, dtype=x.dtype)

    def exponential(x):
        return rng.standard_exponential(out=x, dtype=x.dtype)

    def integers(x):
        return rng.integers(0, 1000, x.size, dtype=x.dtype)

    def few(p):
        return 10000000

    return {
        "random_f32_1e8": uniform,
        "random_f64_1e8": uniform,
        "random_normal_f32_1e8": normal,
        "random_normal_f64_1e8": normal,
        "random_exponential_f32_1e8": exponential,
        "random_exponential_f64_1e8": exponential,
        "random_integers_i32_1e8": integers,
        "random_integers_i64_1e8": integers,
        "random_gamma_f64_1e7": lambda x: rng.gamma(2.5, 1, x.size),
        "random_beta_f64_1e7": lambda x: rng.beta(2.5, 3.5, x.size),
        "random_poisson_1e7": lambda x: rng.poisson(20, x.size),
        "random_binomial_1e7": lambda x: rng.binomial(50, 0.4, x.size),
        "random_permutation_1e7": lambda x: old.permutation(x.size),
        "random_shuffle_f64_1e7": lambda x: old.shuffle(x),
        "random_choice_1e7": lambda p: old.choice(1000, few(p)),
        "random_choice_weights_1e7": lambda p: old.choice(1000, few(p), p=p),
    }


def torch_functions(torch):
    def uniform(x):
        return x.uniform_()

    def normal(x):
        return x.normal_()

    def exponential(x):
        return x.exponential_()

    def integers(x):
        return x.random_(0, 1000)

    return {
        "random_f32_1e8": uniform,
        "random_f64_1e8": uniform,
        "random_normal_f32_1e8": normal,
        "random_normal_f64_1e8": normal,
        "random_exponential_f32_1e8": exponential,
        "random_exponential_f64_1e8": exponential,
        "random_integers_i32_1e8": integers,
        "random_integers_i64_1e8": integers,
        "random_permutation_1e7": lambda x: torch.randperm(x.numel(), device=x.device),
        "random_choice_1e7": lambda p: torch.randint(0, 1000, (10000000,), device=p.device),
        "random_choice_weights_1e7": lambda p: torch.multinomial(p, 10000000, replacement=True),
    }

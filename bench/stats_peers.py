"""The equivalents of stats.lua for other libraries, for subject_peers.py."""
import importlib


def makers(length):
    """Inputs by name, as functions of a peer."""
    n, few, points = length(10000000), length(1000000), length(10000)
    return {
        "sample": lambda p: p.spread(n).astype("float64"),
        "other_sample": lambda p: p.spread(n).astype("float64") ** 2,
        "sample_few": lambda p: p.spread(few).astype("float64") * 1e3 % 1,
        "other_few": lambda p: p.spread(few).astype("float64") * 1e5 % 1,
        "centres": lambda p: p.spread(points).astype("float64"),
    }


def workloads(length):
    """name, bytes, inputs"""
    n, few, points = 8 * length(10000000), 8 * length(1000000), 8 * length(10000)
    return [
        ("stats_zscore_f64_1e7", 2 * n, "sample"),
        ("stats_skew_f64_1e7", n, "sample"),
        ("stats_kurtosis_f64_1e7", n, "sample"),
        ("stats_entropy_f64_1e7", n, "sample"),
        ("stats_pearsonr_f64_1e7", 2 * n, "sample other_sample"),
        ("stats_ttest_ind_f64_1e7", 2 * n, "sample other_sample"),
        ("stats_rankdata_f64_1e6", 2 * few, "sample_few"),
        ("stats_spearmanr_f64_1e6", 2 * few, "sample_few other_few"),
        ("stats_ks_2samp_f64_1e6", 2 * few, "sample_few other_few"),
        ("stats_norm_pdf_f64_1e7", 2 * n, "sample"),
        ("stats_norm_cdf_f64_1e7", 2 * n, "sample"),
        ("stats_norm_ppf_f64_1e6", 2 * few, "sample_few"),
        ("stats_gamma_cdf_f64_1e6", 2 * few, "sample_few"),
        ("stats_kde_f64_1e4_1e4", 2 * points, "centres"),
    ]


def array_functions(xp):
    """SciPy's and, where it has them, CuPy's; none without SciPy."""
    try:
        stats = importlib.import_module("scipy.stats" if xp.__name__ == "numpy" else "cupyx.scipy.stats")
    except ImportError:
        return {}
    both = {"stats_zscore_f64_1e7": stats.zscore, "stats_entropy_f64_1e7": stats.entropy}
    if xp.__name__ != "numpy":
        return both
    return {
        **both,
        "stats_skew_f64_1e7": stats.skew,
        "stats_kurtosis_f64_1e7": stats.kurtosis,
        "stats_pearsonr_f64_1e7": lambda x, y: stats.pearsonr(x, y)[0],
        "stats_ttest_ind_f64_1e7": lambda x, y: stats.ttest_ind(x, y)[0],
        "stats_rankdata_f64_1e6": stats.rankdata,
        "stats_spearmanr_f64_1e6": lambda x, y: stats.spearmanr(x, y)[0],
        "stats_ks_2samp_f64_1e6": lambda x, y: stats.ks_2samp(x, y, "two-sided", "asymp")[0],
        "stats_norm_pdf_f64_1e7": stats.norm.pdf,
        "stats_norm_cdf_f64_1e7": stats.norm.cdf,
        "stats_norm_ppf_f64_1e6": stats.norm.ppf,
        "stats_gamma_cdf_f64_1e6": lambda x: stats.gamma.cdf(x, 2.5),
        "stats_kde_f64_1e4_1e4": lambda x: stats.gaussian_kde(x)(x),
    }


def torch_functions(torch):
    return {}

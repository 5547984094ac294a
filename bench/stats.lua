-- Workloads of statistics and distributions, as subjects.lua describes. Their twins are in stats_peers.py.
local cn = require "cuna"

return function(spread, length)
  local n, few, points = length(1e7), length(1e6), length(1e4)

  local makers = {
    sample = function() return spread { n }:astype "float64" end,
    other_sample = function() return spread { n }:astype "float64" ^ 2 end,
    sample_few = function() return spread { few }:astype "float64" * 1e3 % 1 end,
    other_few = function() return spread { few }:astype "float64" * 1e5 % 1 end,
    centres = function() return spread { points }:astype "float64" end,
  }

  return makers, {
    { "stats_zscore_f64_1e7", 8 * n, 8 * n, "sample", function(x) return cn.stats.zscore(x) end },
    { "stats_skew_f64_1e7", 8 * n, 0, "sample", function(x) return cn.stats.skew(x) end },
    { "stats_kurtosis_f64_1e7", 8 * n, 0, "sample", function(x) return cn.stats.kurtosis(x) end },
    { "stats_entropy_f64_1e7", 8 * n, 0, "sample", function(x) return cn.stats.entropy(x) end },
    { "stats_pearsonr_f64_1e7", 16 * n, 0, "sample other_sample",
      function(x, y) return (cn.stats.pearsonr(x, y)) end },
    { "stats_ttest_ind_f64_1e7", 16 * n, 0, "sample other_sample",
      function(x, y) return (cn.stats.ttest_ind(x, y)) end },
    { "stats_rankdata_f64_1e6", 8 * few, 8 * few, "sample_few", function(x) return cn.stats.rankdata(x) end },
    { "stats_spearmanr_f64_1e6", 16 * few, 0, "sample_few other_few",
      function(x, y) return (cn.stats.spearmanr(x, y)) end },
    { "stats_ks_2samp_f64_1e6", 16 * few, 0, "sample_few other_few",
      function(x, y) return (cn.stats.ks_2samp(x, y, "two-sided", "asymp")) end },
    { "stats_norm_pdf_f64_1e7", 8 * n, 8 * n, "sample", function(x) return cn.stats.norm.pdf(x) end },
    { "stats_norm_cdf_f64_1e7", 8 * n, 8 * n, "sample", function(x) return cn.stats.norm.cdf(x) end },
    { "stats_norm_ppf_f64_1e6", 8 * few, 8 * few, "sample_few", function(x) return cn.stats.norm.ppf(x) end },
    { "stats_gamma_cdf_f64_1e6", 8 * few, 8 * few, "sample_few", function(x) return cn.stats.gamma.cdf(x, 2.5) end },
    { "stats_kde_f64_1e4_1e4", 8 * points, 8 * points, "centres",
      function(x) return cn.stats.gaussian_kde(x):evaluate(x) end },
  }
end

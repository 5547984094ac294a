---@meta _
-- Made by `make docs` from the comments in lua/cuna/, for editors: nothing loads this file.
-- Statistics: summaries, correlations, tests, distributions, densities.

---@class cuna.stats
local stats = {}

--- what NaN does: it makes NaN, is an error, or is left out
---@alias cuna.NanPolicy "propagate"|"raise"|"omit"

--- the hypothesis that a test has beside its own
---@alias cuna.Alternative "two-sided"|"less"|"greater"

--- A density of a sample, from cn.stats.gaussian_kde; k(points) is k:evaluate(points).
---@class cuna.GaussianKde
---@field dataset cuna.Array the sample, (axes, elements)
---@field weights cuna.Array that sum to 1, (elements,)
---@field d integer axes
---@field n integer elements
---@field neff number effective elements: 1 over the sum of the squared weights
---@field factor number the bandwidth
---@field covariance cuna.Array of the kernels, (d, d)
local GaussianKde = {}

--- A distribution with its parameters. Functions of points take arrays, tables or numbers, and broadcast.
---@class cuna.Distribution
local Distribution = {}

--- Distances from the mean along an axis, over the standard deviation. NaN where all elements are equal. Follows
--- scipy.stats.zscore.
---
--- ```lua
--- cn.stats.zscore {1, 3} --> [-1. 1.]
--- ```
---@param a cuna.Operand
---@param axis integer|nil # default 1
---@param ddof number|nil # the deviation divides by n - ddof, default 0
---@param nan_policy cuna.NanPolicy|nil # default "propagate"
---@return cuna.Array # of a's shape
---@overload fun(a: cuna.Operand, options: {axis?: integer, ddof?: number, nan_policy?: cuna.NanPolicy}): cuna.Array
function stats.zscore(a, axis, ddof, nan_policy) end

--- Distances from the mean of another sample along an axis, over its standard deviation. Follows scipy.stats.zmap.
---
--- ```lua
--- cn.stats.zmap({2, 5}, {1, 3}) --> [0. 3.]
--- ```
---@param scores cuna.Operand
---@param compare cuna.Operand # the sample with the mean and the deviation
---@param axis integer|nil # of compare, default 1
---@param ddof number|nil # the deviation divides by n - ddof, default 0
---@param nan_policy cuna.NanPolicy|nil # default "propagate"
---@return cuna.Array
---@overload fun(scores: cuna.Operand, compare: cuna.Operand, options: {axis?: integer, ddof?: number, nan_policy?: cuna.NanPolicy}): cuna.Array
function stats.zmap(scores, compare, axis, ddof, nan_policy) end

--- Entropies of distributions along an axis, which are scaled to sum to 1; with qk entropies relative to it. Follows
--- scipy.stats.entropy.
---
--- ```lua
--- cn.stats.entropy({1, 1}, nil, 2) --> 1.0
--- cn.stats.entropy({1, 1}, {1, 3}, {base = 2}):round(6) --> 0.207519
--- ```
---@param pk cuna.Operand
---@param qk cuna.Operand|nil
---@param base number|nil # of the logarithm, default e
---@param axis integer|nil # default 1
---@return cuna.Array
---@overload fun(pk: cuna.Operand, options: {qk?: cuna.Operand, base?: number, axis?: integer}): cuna.Array
function stats.entropy(pk, qk, base, axis) end

--- Means along an axis without a share of the least and as many of the greatest elements. Follows
--- scipy.stats.trim_mean.
---
--- ```lua
--- cn.stats.trim_mean({1, 2, 3, 100}, 0.25) --> 2.5
--- ```
---@param a cuna.Operand
---@param proportiontocut number # the share of each side, from 0 and below 0.5
---@param axis integer|nil # default 1
---@return cuna.Array
---@overload fun(a: cuna.Operand, proportiontocut: number, options: {axis?: integer}): cuna.Array
function stats.trim_mean(a, proportiontocut, axis) end

--- Skewness along an axis: the third moment about the mean over the deviation's third power. NaN of equal elements.
--- Follows scipy.stats.skew.
---
--- ```lua
--- cn.stats.skew {0, 0, 3} --> 0.7071067811865475
--- ```
---@param a cuna.Operand
---@param axis integer|nil # default 1
---@param bias boolean|nil # false: corrected for the bias of samples; default true
---@param nan_policy cuna.NanPolicy|nil # default "propagate"
---@param keepdims boolean|nil # default false
---@return cuna.Array
---@overload fun(a: cuna.Operand, options: {axis?: integer, bias?: boolean, nan_policy?: cuna.NanPolicy, keepdims?: boolean}): cuna.Array
function stats.skew(a, axis, bias, nan_policy, keepdims) end

--- Kurtosis along an axis: the fourth moment about the mean over the squared variance. NaN of equal elements. Follows
--- scipy.stats.kurtosis.
---
--- ```lua
--- cn.stats.kurtosis {1, 2, 3, 4} --> -1.36
--- ```
---@param a cuna.Operand
---@param axis integer|nil # default 1
---@param fisher boolean|nil # true (default): less 3, so that a normal distribution has 0
---@param bias boolean|nil # false: corrected for the bias of samples; default true
---@param nan_policy cuna.NanPolicy|nil # default "propagate"
---@param keepdims boolean|nil # default false
---@return cuna.Array
---@overload fun(a: cuna.Operand, options: {axis?: integer, fisher?: boolean, bias?: boolean, nan_policy?: cuna.NanPolicy, keepdims?: boolean}): cuna.Array
function stats.kurtosis(a, axis, fisher, bias, nan_policy, keepdims) end

--- The most frequent element along an axis, the least one of several, and how often it comes. NaN is an element like
--- others, and with nan_policy "omit" none. Follows scipy.stats.mode.
---
--- ```lua
--- cn.stats.mode {3, 1, 2, 1} --> 1.0, 2
--- ```
---@param a cuna.Operand
---@param axis integer|nil # default 1
---@param nan_policy cuna.NanPolicy|nil # default "propagate"
---@param keepdims boolean|nil # default false
---@return cuna.Array # modes
---@return cuna.Array # counts int64
---@overload fun(a: cuna.Operand, options: {axis?: integer, nan_policy?: cuna.NanPolicy, keepdims?: boolean}): cuna.Array, cuna.Array
function stats.mode(a, axis, nan_policy, keepdims) end

--- Ranks of elements among those along an axis, from 1 up: float64 of the method "average", int64 of others. NaN makes
--- the ranks along its axis NaN, and with nan_policy "omit" its own; methods other than "average" wait to know whether
--- there is NaN, and are float64 then. Follows scipy.stats.rankdata.
---
--- ```lua
--- cn.stats.rankdata {0, 2, 3, 2} --> [1. 2.5 4. 2.5]
--- cn.stats.rankdata({0, 2, 3, 2}, "min") --> [1 2 4 2]
--- ```
---@param a cuna.Operand
---@param method string|nil # ranks of equal elements: "average" (default), "min", "max", "dense" (as min, without gaps),  "ordinal" (all different, in order of a)
---@param axis integer|nil # default: a is flattened
---@param nan_policy cuna.NanPolicy|nil # default "propagate"
---@return cuna.Array # of a's shape, without an axis 1-d
---@overload fun(a: cuna.Operand, options: {method?: string, axis?: integer, nan_policy?: cuna.NanPolicy}): cuna.Array
function stats.rankdata(a, method, axis, nan_policy) end

--- Where scores are among the elements of a sample, in percent. Follows scipy.stats.percentileofscore.
---
--- ```lua
--- cn.stats.percentileofscore({1, 2, 3, 4}, {2, 3}) --> [50. 75.]
--- ```
---@param a cuna.Operand # a vector
---@param score cuna.Operand
---@param kind string|nil # of elements equal to the score, "rank" (default) counts the middle one, "weak" all, "strict"  none, "mean" half
---@return cuna.Array # of the shape of score
---@overload fun(a: cuna.Operand, score: cuna.Operand, options: {kind?: string}): cuna.Array
function stats.percentileofscore(a, score, kind) end

--- Percentiles, of the elements between limits if some are given, for which it waits. Follows
--- scipy.stats.scoreatpercentile; cn.percentile has more methods.
---
--- ```lua
--- cn.stats.scoreatpercentile(cn.arange(100), 50) --> 49.5
--- cn.stats.scoreatpercentile({1, 2, 3, 400}, 50, {0, 10}) --> 2.0
--- ```
---@param a cuna.Operand
---@param per cuna.Operand # percentiles, 0 to 100
---@param limit number[]|nil # the least and the greatest element that counts
---@param interpolation_method string|nil # "fraction" (default), "lower" or "higher"
---@param axis integer|nil # default: a is flattened; with limits it always is
---@return cuna.Array
---@overload fun(a: cuna.Operand, per: cuna.Operand, options: {limit?: number[], interpolation_method?: string, axis?: integer}): cuna.Array
function stats.scoreatpercentile(a, per, limit, interpolation_method, axis) end

--- Geometric means along an axis: NaN where an element is negative. Follows scipy.stats.gmean.
---
--- ```lua
--- cn.stats.gmean {1, 4} --> 2.0
--- ```
---@param a cuna.Operand
---@param axis integer|nil # default 1
---@param weights cuna.Operand|nil # of a's shape, or of the axis alone; default: all equal
---@param nan_policy cuna.NanPolicy|nil # default "propagate"; with weights not "omit"
---@param keepdims boolean|nil # default false
---@return cuna.Array
---@overload fun(a: cuna.Operand, options: {axis?: integer, weights?: cuna.Operand, nan_policy?: cuna.NanPolicy, keepdims?: boolean}): cuna.Array
function stats.gmean(a, axis, weights, nan_policy, keepdims) end

--- Harmonic means along an axis: 0 where an element is 0, NaN where one is negative, for which scipy.stats.hmean raises
--- an error.
---
--- ```lua
--- cn.stats.hmean {1, 3} --> 1.5
--- ```
---@param a cuna.Operand
---@param axis integer|nil # default 1
---@param weights cuna.Operand|nil # of a's shape, or of the axis alone; default: all equal
---@param nan_policy cuna.NanPolicy|nil # default "propagate"; with weights not "omit"
---@param keepdims boolean|nil # default false
---@return cuna.Array
---@overload fun(a: cuna.Operand, options: {axis?: integer, weights?: cuna.Operand, nan_policy?: cuna.NanPolicy, keepdims?: boolean}): cuna.Array
function stats.hmean(a, axis, weights, nan_policy, keepdims) end

--- Standard errors of means along an axis. Follows scipy.stats.sem.
---
--- ```lua
--- cn.stats.sem {1, 2, 3, 4}:round(6) --> 0.645497
--- ```
---@param a cuna.Operand
---@param axis integer|nil # default 1
---@param ddof number|nil # the deviation divides by n - ddof, default 1
---@param nan_policy cuna.NanPolicy|nil # default "propagate"
---@return cuna.Array
---@overload fun(a: cuna.Operand, options: {axis?: integer, ddof?: number, nan_policy?: cuna.NanPolicy}): cuna.Array
function stats.sem(a, axis, ddof, nan_policy) end

--- Standard deviations along an axis over the means. Follows scipy.stats.variation.
---
--- ```lua
--- cn.stats.variation {1, 3} --> 0.5
--- ```
---@param a cuna.Operand
---@param axis integer|nil # default 1
---@param nan_policy cuna.NanPolicy|nil # default "propagate"
---@param ddof number|nil # the deviation divides by n - ddof, default 0
---@param keepdims boolean|nil # default false
---@return cuna.Array
---@overload fun(a: cuna.Operand, options: {axis?: integer, nan_policy?: cuna.NanPolicy, ddof?: number, keepdims?: boolean}): cuna.Array
function stats.variation(a, axis, nan_policy, ddof, keepdims) end

--- Moments about the mean along an axis. Follows scipy.stats.moment.
---
--- ```lua
--- cn.stats.moment({1, 2, 6}, 3) --> 6.0
--- ```
---@param a cuna.Operand
---@param order integer|nil # default 1, whose moment is 0
---@param axis integer|nil # default 1
---@param nan_policy cuna.NanPolicy|nil # default "propagate"
---@return cuna.Array
---@overload fun(a: cuna.Operand, options: {order?: integer, axis?: integer, nan_policy?: cuna.NanPolicy}): cuna.Array
function stats.moment(a, order, axis, nan_policy) end

--- Ranges between two percentiles along an axis, the quartiles if no others are given. Follows scipy.stats.iqr, whose
--- method is called interpolation.
---
--- ```lua
--- cn.stats.iqr {1, 2, 3, 4, 5} --> 2.0
--- ```
---@param x cuna.Operand
---@param axis integer|nil # default: x is flattened
---@param rng number[]|nil # the two percentiles, default {25, 75}
---@param scale number|"normal"|nil # what ranges are divided by, default 1; "normal": 1.349, for deviations of normal  samples
---@param nan_policy cuna.NanPolicy|nil # default "propagate"
---@param method string|nil # as of cn.percentile, default "linear"
---@param keepdims boolean|nil # default false
---@return cuna.Array
---@overload fun(x: cuna.Operand, options: {axis?: integer, rng?: number[], scale?: number|"normal", nan_policy?: cuna.NanPolicy, method?: string, keepdims?: boolean}): cuna.Array
function stats.iqr(x, axis, rng, scale, nan_policy, method, keepdims) end

--- Medians of the distances from the median along an axis. Follows scipy.stats.median_abs_deviation.
---
--- ```lua
--- cn.stats.median_abs_deviation {1, 2, 3, 4, 100} --> 1.0
--- ```
---@param x cuna.Operand
---@param axis integer|nil # default 1
---@param scale number|"normal"|nil # what they are divided by, default 1; "normal": 0.6745, for deviations of normal  samples
---@param nan_policy cuna.NanPolicy|nil # default "propagate"
---@return cuna.Array
---@overload fun(x: cuna.Operand, options: {axis?: integer, scale?: number|"normal", nan_policy?: cuna.NanPolicy}): cuna.Array
function stats.median_abs_deviation(x, axis, scale, nan_policy) end

--- Pearson's correlation of two samples, and the probability of one as far from 0 without correlation. NaN where all
--- elements of a sample are equal. Follows scipy.stats.pearsonr.
---
--- ```lua
--- cn.stats.pearsonr({1, 2, 3}, {1, 3, 2}):round(6) --> 0.5
--- select(2, cn.stats.pearsonr({1, 2, 3}, {1, 3, 2})):round(6) --> 0.666667
--- ```
---@param x cuna.Operand # a vector of at least 2 elements
---@param y cuna.Operand # as long
---@param alternative cuna.Alternative|nil # default "two-sided"
---@return cuna.Array # r
---@return cuna.Array # p
---@overload fun(x: cuna.Operand, y: cuna.Operand, options: {alternative?: cuna.Alternative}): cuna.Array, cuna.Array
function stats.pearsonr(x, y, alternative) end

--- Spearman's correlation, that of ranks, and the probability of one as far from 0 without correlation. Of more than
--- two variables both are matrices. NaN where all elements of a variable are equal. Follows scipy.stats.spearmanr.
---
--- ```lua
--- cn.stats.spearmanr({1, 2, 3}, {10, 30, 20}):round(6) --> 0.5
--- ```
---@param a cuna.Operand # a vector, or variables in columns
---@param b cuna.Operand|nil # more variables
---@param axis integer|nil # along which the elements of a variable lie, default 1
---@param nan_policy cuna.NanPolicy|nil # "propagate" (default) or "raise"
---@param alternative cuna.Alternative|nil # default "two-sided"
---@return cuna.Array # rho
---@return cuna.Array # p
---@overload fun(a: cuna.Operand, options: {b?: cuna.Operand, axis?: integer, nan_policy?: cuna.NanPolicy, alternative?: cuna.Alternative}): cuna.Array, cuna.Array
function stats.spearmanr(a, b, axis, nan_policy, alternative) end

--- The line of least squares through points, and how well it is known. Where all x are equal the results are NaN, where
--- all y are all but the line. Follows scipy.stats.linregress, which raises an error for the former.
---
--- ```lua
--- cn.stack({cn.stats.linregress({0, 1, 2}, {1, 3, 5})}):round() --> [2. 1. 1. 0. 0. 0.]
--- ```
---@param x cuna.Operand # a vector of at least 2 elements
---@param y cuna.Operand # as long
---@param alternative cuna.Alternative|nil # for the slope, default "two-sided"
---@return cuna.Array # slope
---@return cuna.Array # intercept
---@return cuna.Array # r Pearson's correlation
---@return cuna.Array # p the probability of a slope as far from 0 without one
---@return cuna.Array # stderr the standard error of the slope
---@return cuna.Array # intercept_stderr
---@overload fun(x: cuna.Operand, y: cuna.Operand, options: {alternative?: cuna.Alternative}): cuna.Array, cuna.Array, cuna.Array, cuna.Array, cuna.Array, cuna.Array
function stats.linregress(x, y, alternative) end

--- Kendall's tau-b of two samples, and the probability of one as far from 0 without correlation. Waits; the results are
--- Lua numbers. NaN where a sample has NaN or equal elements only. Follows scipy.stats.kendalltau.
---
--- ```lua
--- cn.stats.kendalltau({1, 2, 3, 4}, {1, 3, 2, 4}) --> 0.66666666666667, 0.33333333333333
--- ```
---@param x cuna.Operand # a vector of at least 2 elements
---@param y cuna.Operand # as long
---@param method string|nil # "exact" (without equal elements), "asymptotic" or "auto" (default): exact for up to 33  elements without equal ones
---@return number # tau
---@return number # p
---@overload fun(x: cuna.Operand, y: cuna.Operand, options: {method?: string}): number, number
function stats.kendalltau(x, y, method) end

--- Student's test of the mean of one sample. Follows scipy.stats.ttest_1samp.
---
--- ```lua
--- cn.stats.ttest_1samp({1, 2, 4, 5}, 3) --> 0.0, 1.0, 3.0
--- ```
---@param a cuna.Operand
---@param popmean cuna.Operand # the mean that is expected: a number, or an array with length 1 along the axis
---@param axis integer|nil # default 1
---@param nan_policy cuna.NanPolicy|nil # default "propagate"
---@param alternative cuna.Alternative|nil # default "two-sided"
---@param keepdims boolean|nil # default false
---@return cuna.Array # t
---@return cuna.Array # p
---@return cuna.Array # df degrees of freedom
---@overload fun(a: cuna.Operand, popmean: cuna.Operand, options: {axis?: integer, nan_policy?: cuna.NanPolicy, alternative?: cuna.Alternative, keepdims?: boolean}): cuna.Array, cuna.Array, cuna.Array
function stats.ttest_1samp(a, popmean, axis, nan_policy, alternative, keepdims) end

--- Student's test of the means of two samples whose elements belong together. Follows scipy.stats.ttest_rel.
---
--- ```lua
--- cn.stats.ttest_rel({1, 2, 3}, {2, 2, 2}) --> 0.0, 1.0, 2.0
--- ```
---@param a cuna.Operand
---@param b cuna.Operand # of a's shape
---@param axis integer|nil # default 1
---@param nan_policy cuna.NanPolicy|nil # "omit" leaves pairs out; default "propagate"
---@param alternative cuna.Alternative|nil # default "two-sided"
---@param keepdims boolean|nil # default false
---@return cuna.Array # t
---@return cuna.Array # p
---@return cuna.Array # df degrees of freedom
---@overload fun(a: cuna.Operand, b: cuna.Operand, options: {axis?: integer, nan_policy?: cuna.NanPolicy, alternative?: cuna.Alternative, keepdims?: boolean}): cuna.Array, cuna.Array, cuna.Array
function stats.ttest_rel(a, b, axis, nan_policy, alternative, keepdims) end

--- Student's test of the means of two independent samples, or Welch's. Follows scipy.stats.ttest_ind.
---
--- ```lua
--- cn.stats.ttest_ind({1, 2, 3}, {0, 2, 4}) --> 0.0, 1.0, 4.0
--- select(2, cn.stats.ttest_ind({1, 2, 3}, {3, 4, 5})):round(6) --> 0.070484
--- ```
---@param a cuna.Operand
---@param b cuna.Operand # of a's shape but for the axis
---@param axis integer|nil # default 1
---@param equal_var boolean|nil # false: the variances may differ (Welch's test); default true
---@param nan_policy cuna.NanPolicy|nil # default "propagate"
---@param alternative cuna.Alternative|nil # default "two-sided"
---@return cuna.Array # t
---@return cuna.Array # p
---@return cuna.Array # df degrees of freedom
---@overload fun(a: cuna.Operand, b: cuna.Operand, options: {axis?: integer, equal_var?: boolean, nan_policy?: cuna.NanPolicy, alternative?: cuna.Alternative}): cuna.Array, cuna.Array, cuna.Array
function stats.ttest_ind(a, b, axis, equal_var, nan_policy, alternative) end

--- The chi-square test of frequencies along an axis. With f_exp it waits, to see whether the sums agree. Follows
--- scipy.stats.chisquare.
---
--- ```lua
--- cn.stats.chisquare {16, 18, 16, 14, 12, 12} --> 2.0, 0.8491450360846097
--- ```
---@param f_obs cuna.Operand # observed frequencies
---@param f_exp cuna.Operand|nil # expected ones, with the same sums; default: equal ones
---@param ddof integer|nil # degrees of freedom less than their number, below it less 1; default 0
---@param axis integer|nil # default 1
---@return cuna.Array # statistic
---@return cuna.Array # p
---@overload fun(f_obs: cuna.Operand, options: {f_exp?: cuna.Operand, ddof?: integer, axis?: integer}): cuna.Array, cuna.Array
function stats.chisquare(f_obs, f_exp, ddof, axis) end

--- The test of Kolmogorov and Smirnov whether two samples have one distribution. Waits; the results are Lua numbers.
--- Follows scipy.stats.ks_2samp.
---
--- ```lua
--- cn.stats.ks_2samp({1, 2, 3}, {4, 5, 6}) --> 1, 0.1, 3, 1
--- ```
---@param data1 cuna.Operand # a vector
---@param data2 cuna.Operand # a vector
---@param alternative cuna.Alternative|nil # "less": the distribution function of data1 is below; default "two-sided"
---@param method string|nil # "exact", "asymp" or "auto" (default): exact for up to 10000 elements
---@return number # statistic the greatest distance of the distribution functions
---@return number # p
---@return number # location the element where it is
---@return integer # sign 1 where the distribution function of data1 is above, else -1
---@overload fun(data1: cuna.Operand, data2: cuna.Operand, options: {alternative?: cuna.Alternative, method?: string}): number, number, number, integer
function stats.ks_2samp(data1, data2, alternative, method) end

--- Sets another bandwidth. Follows scipy.stats.gaussian_kde.set_bandwidth.
---
--- ```lua
--- cn.stats.gaussian_kde({1, 2, 4}):set_bandwidth(0.5).factor --> 0.5
--- ```
---@param bw_method string|number|function|nil # "scott" (default), "silverman", a number, or a function of the density
---@return cuna.GaussianKde # itself
function GaussianKde:set_bandwidth(bw_method) end

--- The density at points. Follows scipy.stats.gaussian_kde.evaluate.
---
--- ```lua
--- cn.stats.gaussian_kde({1, 2, 4}):evaluate({2}):round(6) --> [0.214895]
--- ```
---@param points cuna.Operand # (axes, points); of one axis a vector
---@return cuna.Array # (points,)
function GaussianKde:evaluate(points) end

GaussianKde.pdf = GaussianKde.evaluate

--- The logarithm of the density at points, also where the density is 0. Follows scipy.stats.gaussian_kde.logpdf.
---
--- ```lua
--- cn.stats.gaussian_kde({1, 2, 4}):logpdf({2}):round(6) --> [-1.537604]
--- ```
---@param points cuna.Operand # (axes, points); of one axis a vector
---@return cuna.Array # (points,)
function GaussianKde:logpdf(points) end

--- The probability of an interval, of one axis. Follows scipy.stats.gaussian_kde.integrate_box_1d.
---
--- ```lua
--- cn.stats.gaussian_kde({1, 2, 4}):integrate_box_1d(-cn.inf, cn.inf) --> 1.0
--- ```
---@param low number
---@param high number
---@return cuna.Array # 0-d
function GaussianKde:integrate_box_1d(low, high) end

--- Draws from the density. Follows scipy.stats.gaussian_kde.resample.
---
--- ```lua
--- cn.stats.gaussian_kde({1, 2, 4}):resample(10, 1).shape --> (1, 10)
--- ```
---@param size integer|nil # default: the effective elements
---@param seed cuna.Generator|integer|nil # default: the generator of cn.random
---@return cuna.Array # (axes, size)
function GaussianKde:resample(size, seed) end

--- The density of a sample, estimated by Gaussian kernels with the covariance of the sample times a squared bandwidth.
--- A sample in a plane of fewer axes is a LinAlgError. Follows scipy.stats.gaussian_kde.
---
--- ```lua
--- cn.stats.gaussian_kde({1, 2, 4})({1, 3}):round(4) --> [0.1917 0.1842]
--- ```
---@param dataset cuna.Operand # (axes, elements); of one axis a vector
---@param bw_method string|number|function|nil # "scott" (default), "silverman", a number, or a function of the density
---@param weights cuna.Operand|nil # (elements,)
---@return cuna.GaussianKde
---@overload fun(dataset: cuna.Operand, options: {bw_method?: string|number|function, weights?: cuna.Operand}): cuna.GaussianKde
function stats.gaussian_kde(dataset, bw_method, weights) end

--- The normal distribution, of mean loc and standard deviation scale. Its functions take (x, loc, scale). Follows
--- scipy.stats.norm.
---
--- ```lua
--- cn.stats.norm.cdf({-1, 0, 1}) --> [0.15865525 0.5 0.84134475]
--- cn.stats.norm(100, 15):sf(130):round(9) --> 0.022750132
--- ```
---@param loc cuna.Operand|nil # default 0
---@param scale cuna.Operand|nil # default 1
---@return cuna.Distribution
---@overload fun(options: {loc?: cuna.Operand, scale?: cuna.Operand}): cuna.Distribution
function stats.norm(loc, scale) end

--- The uniform distribution from loc to loc + scale. Its functions take (x, loc, scale). Follows scipy.stats.uniform.
---
--- ```lua
--- cn.stats.uniform.pdf({0, 3, 9}, 1, 4) --> [0. 0.25 0. ]
--- ```
---@param loc cuna.Operand|nil # default 0
---@param scale cuna.Operand|nil # default 1
---@return cuna.Distribution
---@overload fun(options: {loc?: cuna.Operand, scale?: cuna.Operand}): cuna.Distribution
function stats.uniform(loc, scale) end

--- The exponential distribution of mean scale, from loc on. Its functions take (x, loc, scale). Follows
--- scipy.stats.expon.
---
--- ```lua
--- cn.stats.expon.sf(3, {scale = 1.5}) --> 0.1353352832366127
--- ```
---@param loc cuna.Operand|nil # default 0
---@param scale cuna.Operand|nil # default 1
---@return cuna.Distribution
---@overload fun(options: {loc?: cuna.Operand, scale?: cuna.Operand}): cuna.Distribution
function stats.expon(loc, scale) end

--- The gamma distribution of shape a. Its functions take (x, a, loc, scale). Follows scipy.stats.gamma.
---
--- ```lua
--- cn.stats.gamma.cdf({1, 2}, 2) --> [0.26424112 0.59399415]
--- ```
---@param a cuna.Operand
---@param loc cuna.Operand|nil # default 0
---@param scale cuna.Operand|nil # default 1
---@return cuna.Distribution
---@overload fun(options: {a?: cuna.Operand, loc?: cuna.Operand, scale?: cuna.Operand}): cuna.Distribution
function stats.gamma(a, loc, scale) end

--- The beta distribution of shapes a and b, from loc to loc + scale. Its functions take (x, a, b, loc, scale). Follows
--- scipy.stats.beta.
---
--- ```lua
--- cn.stats.beta.pdf({0.25, 0.5}, 2, 2) --> [1.125 1.5 ]
--- ```
---@param a cuna.Operand
---@param b cuna.Operand
---@param loc cuna.Operand|nil # default 0
---@param scale cuna.Operand|nil # default 1
---@return cuna.Distribution
---@overload fun(options: {a?: cuna.Operand, b?: cuna.Operand, loc?: cuna.Operand, scale?: cuna.Operand}): cuna.Distribution
function stats.beta(a, b, loc, scale) end

--- Student's t distribution with df degrees of freedom. Its functions take (x, df, loc, scale). Follows scipy.stats.t.
---
--- ```lua
--- cn.stats.t.sf(2, 10):round(9) --> 0.036694017
--- ```
---@param df cuna.Operand
---@param loc cuna.Operand|nil # default 0
---@param scale cuna.Operand|nil # default 1
---@return cuna.Distribution
---@overload fun(options: {df?: cuna.Operand, loc?: cuna.Operand, scale?: cuna.Operand}): cuna.Distribution
function stats.t(df, loc, scale) end

--- The chi-square distribution with df degrees of freedom. Its functions take (x, df, loc, scale). Follows
--- scipy.stats.chi2.
---
--- ```lua
--- cn.stats.chi2.ppf(0.95, {1, 2}) --> [3.84145882 5.99146455]
--- ```
---@param df cuna.Operand
---@param loc cuna.Operand|nil # default 0
---@param scale cuna.Operand|nil # default 1
---@return cuna.Distribution
---@overload fun(options: {df?: cuna.Operand, loc?: cuna.Operand, scale?: cuna.Operand}): cuna.Distribution
function stats.chi2(df, loc, scale) end

--- The F distribution with dfn and dfd degrees of freedom. Its functions take (x, dfn, dfd, loc, scale). Follows
--- scipy.stats.f.
---
--- ```lua
--- cn.stats.f.sf({1, 4}, 2, 10) --> [0.40187757 0.05292215]
--- ```
---@param dfn cuna.Operand
---@param dfd cuna.Operand
---@param loc cuna.Operand|nil # default 0
---@param scale cuna.Operand|nil # default 1
---@return cuna.Distribution
---@overload fun(options: {dfn?: cuna.Operand, dfd?: cuna.Operand, loc?: cuna.Operand, scale?: cuna.Operand}): cuna.Distribution
function stats.f(dfn, dfd, loc, scale) end

--- The chi distribution with df degrees of freedom. Its functions take (x, df, loc, scale). Follows scipy.stats.chi.
---
--- ```lua
--- cn.stats.chi.cdf({1, 2}, 2) --> [0.39346934 0.86466472]
--- ```
---@param df cuna.Operand
---@param loc cuna.Operand|nil # default 0
---@param scale cuna.Operand|nil # default 1
---@return cuna.Distribution
---@overload fun(options: {df?: cuna.Operand, loc?: cuna.Operand, scale?: cuna.Operand}): cuna.Distribution
function stats.chi(df, loc, scale) end

--- The distribution of a number whose logarithm is normal with standard deviation s. Its functions take (x, s, loc,
--- scale). Follows scipy.stats.lognorm.
---
--- ```lua
--- cn.stats.lognorm.cdf({0, 1, 2}, 0.5) --> [0. 0.5 0.91717148]
--- ```
---@param s cuna.Operand
---@param loc cuna.Operand|nil # default 0
---@param scale cuna.Operand|nil # default 1; its logarithm is the mean of the logarithm
---@return cuna.Distribution
---@overload fun(options: {s?: cuna.Operand, loc?: cuna.Operand, scale?: cuna.Operand}): cuna.Distribution
function stats.lognorm(s, loc, scale) end

--- The Laplace distribution. Its functions take (x, loc, scale). Follows scipy.stats.laplace.
---
--- ```lua
--- cn.stats.laplace.cdf {-1, 0, 1} --> [0.18393972 0.5 0.81606028]
--- ```
---@param loc cuna.Operand|nil # default 0
---@param scale cuna.Operand|nil # default 1
---@return cuna.Distribution
---@overload fun(options: {loc?: cuna.Operand, scale?: cuna.Operand}): cuna.Distribution
function stats.laplace(loc, scale) end

--- The logistic distribution. Its functions take (x, loc, scale). Follows scipy.stats.logistic.
---
--- ```lua
--- cn.stats.logistic.cdf {-1, 0, 1} --> [0.26894142 0.5 0.73105858]
--- ```
---@param loc cuna.Operand|nil # default 0
---@param scale cuna.Operand|nil # default 1
---@return cuna.Distribution
---@overload fun(options: {loc?: cuna.Operand, scale?: cuna.Operand}): cuna.Distribution
function stats.logistic(loc, scale) end

--- The Cauchy distribution, which has no mean. Its functions take (x, loc, scale). Follows scipy.stats.cauchy.
---
--- ```lua
--- cn.stats.cauchy.sf {0, 1} --> [0.5 0.25]
--- ```
---@param loc cuna.Operand|nil # default 0
---@param scale cuna.Operand|nil # default 1
---@return cuna.Distribution
---@overload fun(options: {loc?: cuna.Operand, scale?: cuna.Operand}): cuna.Distribution
function stats.cauchy(loc, scale) end

--- The Weibull distribution of shape c. Its functions take (x, c, loc, scale). Follows scipy.stats.weibull_min.
---
--- ```lua
--- cn.stats.weibull_min.sf({1, 2}, 2) --> [0.36787944 0.01831564]
--- ```
---@param c cuna.Operand
---@param loc cuna.Operand|nil # default 0
---@param scale cuna.Operand|nil # default 1
---@return cuna.Distribution
---@overload fun(options: {c?: cuna.Operand, loc?: cuna.Operand, scale?: cuna.Operand}): cuna.Distribution
function stats.weibull_min(c, loc, scale) end

--- The Rayleigh distribution. Its functions take (x, loc, scale). Follows scipy.stats.rayleigh.
---
--- ```lua
--- cn.stats.rayleigh.cdf {1, 2} --> [0.39346934 0.86466472]
--- ```
---@param loc cuna.Operand|nil # default 0
---@param scale cuna.Operand|nil # default 1
---@return cuna.Distribution
---@overload fun(options: {loc?: cuna.Operand, scale?: cuna.Operand}): cuna.Distribution
function stats.rayleigh(loc, scale) end

--- The Pareto distribution of shape b, from loc + scale on. Its functions take (x, b, loc, scale). Follows
--- scipy.stats.pareto.
---
--- ```lua
--- cn.stats.pareto.sf({1, 2, 4}, 2) --> [1. 0.25 0.0625]
--- ```
---@param b cuna.Operand
---@param loc cuna.Operand|nil # default 0
---@param scale cuna.Operand|nil # default 1
---@return cuna.Distribution
---@overload fun(options: {b?: cuna.Operand, loc?: cuna.Operand, scale?: cuna.Operand}): cuna.Distribution
function stats.pareto(b, loc, scale) end

--- The Gumbel distribution of greatest values. Its functions take (x, loc, scale). Follows scipy.stats.gumbel_r.
---
--- ```lua
--- cn.stats.gumbel_r.cdf {0, 2} --> [0.36787944 0.87342302]
--- ```
---@param loc cuna.Operand|nil # default 0
---@param scale cuna.Operand|nil # default 1
---@return cuna.Distribution
---@overload fun(options: {loc?: cuna.Operand, scale?: cuna.Operand}): cuna.Distribution
function stats.gumbel_r(loc, scale) end

--- The Poisson distribution of mean mu. Its functions take (k, mu, loc). ppf, isf and median wait. Follows
--- scipy.stats.poisson.
---
--- ```lua
--- cn.stats.poisson.pmf({0, 1, 2}, 2) --> [0.13533528 0.27067057 0.27067057]
--- cn.stats.poisson.ppf(0.5, {1, 10}) --> [ 1. 10.]
--- ```
---@param mu cuna.Operand
---@param loc cuna.Operand|nil # default 0
---@return cuna.Distribution
---@overload fun(options: {mu?: cuna.Operand, loc?: cuna.Operand}): cuna.Distribution
function stats.poisson(mu, loc) end

--- The binomial distribution of n trials with probability p. Its functions take (k, n, p, loc). ppf, isf and median
--- wait. Follows scipy.stats.binom.
---
--- ```lua
--- cn.stats.binom.pmf({0, 1, 2}, 2, 0.5) --> [0.25 0.5 0.25]
--- cn.stats.binom(10, 0.3):ppf {0.1, 0.9} --> [1. 5.]
--- ```
---@param n cuna.Operand
---@param p cuna.Operand
---@param loc cuna.Operand|nil # default 0
---@return cuna.Distribution
---@overload fun(options: {n?: cuna.Operand, p?: cuna.Operand, loc?: cuna.Operand}): cuna.Distribution
function stats.binom(n, p, loc) end

--- The Bernoulli distribution: 1 with probability p, else 0. Its functions take (k, p, loc). Follows
--- scipy.stats.bernoulli.
---
--- ```lua
--- cn.stats.bernoulli.pmf({0, 1, 2}, 0.25) --> [0.75 0.25 0. ]
--- ```
---@param p cuna.Operand
---@param loc cuna.Operand|nil # default 0
---@return cuna.Distribution
---@overload fun(options: {p?: cuna.Operand, loc?: cuna.Operand}): cuna.Distribution
function stats.bernoulli(p, loc) end

--- The geometric distribution: how many trials the first success takes that has probability p. Its functions take (k,
--- p, loc). Follows scipy.stats.geom.
---
--- ```lua
--- cn.stats.geom.pmf({1, 2, 3}, 0.5) --> [0.5 0.25 0.125]
--- cn.stats.geom.ppf({0.5, 0.9}, 0.5) --> [1. 4.]
--- ```
---@param p cuna.Operand
---@param loc cuna.Operand|nil # default 0
---@return cuna.Distribution
---@overload fun(options: {p?: cuna.Operand, loc?: cuna.Operand}): cuna.Distribution
function stats.geom(p, loc) end

--- The negative binomial distribution: failures before n successes that have probability p. n need not be whole. Its
--- functions take (k, n, p, loc). ppf, isf and median wait. Follows scipy.stats.nbinom.
---
--- ```lua
--- cn.stats.nbinom.pmf({0, 1, 2}, 2, 0.5) --> [0.25 0.25 0.1875]
--- cn.stats.nbinom(5, 0.5):ppf {0.1, 0.9} --> [1. 9.]
--- ```
---@param n cuna.Operand
---@param p cuna.Operand
---@param loc cuna.Operand|nil # default 0
---@return cuna.Distribution
---@overload fun(options: {n?: cuna.Operand, p?: cuna.Operand, loc?: cuna.Operand}): cuna.Distribution
function stats.nbinom(n, p, loc) end

--- The density at points, of a continuous distribution.
---
--- ```lua
--- cn.stats.norm(0, 2):pdf(0) --> 0.19947114020071635
--- ```
---@param x cuna.Operand
---@return cuna.Array
function Distribution:pdf(x) end

--- The logarithm of the density, also where that is 0 in floats.
---
--- ```lua
--- cn.stats.expon():logpdf {1, 1000} --> [ -1. -1000.]
--- ```
---@param x cuna.Operand
---@return cuna.Array
function Distribution:logpdf(x) end

--- The probability of points, of a discrete distribution.
---
--- ```lua
--- cn.stats.binom(2, 0.5):pmf {0, 1, 2} --> [0.25 0.5 0.25]
--- ```
---@param k cuna.Operand
---@return cuna.Array
function Distribution:pmf(k) end

--- The logarithm of the probability of points.
---
--- ```lua
--- cn.stats.poisson(1):logpmf {0, 1} --> [-1. -1.]
--- ```
---@param k cuna.Operand
---@return cuna.Array
function Distribution:logpmf(k) end

--- The probability of a value of at most x.
---
--- ```lua
--- cn.stats.uniform(0, 4):cdf {-1, 1, 9} --> [0. 0.25 1. ]
--- ```
---@param x cuna.Operand
---@return cuna.Array
function Distribution:cdf(x) end

--- The probability of a value beyond x, also exact where it is small.
---
--- ```lua
--- cn.stats.expon():sf {0, 100} --> [1.00000000e+00 3.72007598e-44]
--- ```
---@param x cuna.Operand
---@return cuna.Array
function Distribution:sf(x) end

--- The logarithm of cdf(x).
---
--- ```lua
--- cn.stats.uniform():logcdf {1} --> [0.]
--- ```
---@param x cuna.Operand
---@return cuna.Array
function Distribution:logcdf(x) end

--- The logarithm of sf(x).
---
--- ```lua
--- cn.stats.expon():logsf {2} --> [-2.]
--- ```
---@param x cuna.Operand
---@return cuna.Array
function Distribution:logsf(x) end

--- The x whose cdf is q, of discrete distributions the least whose cdf is at least q.
---
--- ```lua
--- cn.stats.norm():ppf {0.025, 0.975} --> [-1.95996398 1.95996398]
--- ```
---@param q cuna.Operand
---@return cuna.Array
function Distribution:ppf(q) end

--- The x whose sf is q.
---
--- ```lua
--- cn.stats.norm():isf {0.025} --> [1.95996398]
--- ```
---@param q cuna.Operand
---@return cuna.Array
function Distribution:isf(q) end

--- The mean.
---
--- ```lua
--- cn.stats.gamma(3):mean() --> 3.0
--- ```
---@return cuna.Array
function Distribution:mean() end

--- The variance.
---
--- ```lua
--- cn.stats.gamma(3, 0, 2):var() --> 12.0
--- ```
---@return cuna.Array
function Distribution:var() end

--- The standard deviation.
---
--- ```lua
--- cn.stats.norm(0, 3):std() --> 3.0
--- ```
---@return cuna.Array
function Distribution:std() end

--- The median.
---
--- ```lua
--- cn.stats.norm(5):median() --> 5.0
--- ```
---@return cuna.Array
function Distribution:median() end

--- The interval about the median that has a share of the probability.
---
--- ```lua
--- cn.stats.uniform():interval(0.5) --> 0.25, 0.75
--- ```
---@param confidence number
---@return cuna.Array # low
---@return cuna.Array # high
function Distribution:interval(confidence) end

--- Draws. Impossible parameters are an error, so that it waits.
---
--- ```lua
--- cn.stats.norm(10, 2):rvs(3, 1) --> [9.08699837 5.69088576 8.52422249]
--- ```
---@param size cuna.Shape|nil # default: the shape of the parameters
---@param random_state cuna.Generator|integer|nil # a generator or a seed; default: the generator of cn.random
---@return cuna.Array
---@overload fun(self: cuna.Distribution, options: {size?: cuna.Shape, random_state?: cuna.Generator|integer}): cuna.Array
function Distribution:rvs(size, random_state) end

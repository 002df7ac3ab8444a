# Reference values for analysis/methods/texts/matching.py: differences between the texts of conditions and equivalence tests.
# Rscript tests/oracles/matching.R, in the root of the project. Base R only.
library(jsonlite)

# kind: "d" (standard deviations: of the differences where paired, else pooled), "percent" of the mean of both, or "raw".
equivalence <- function(a, b, paired, kind, size) {
  pooled <- if (paired) {
    sqrt((var(a) + var(b)) / 2)
  } else {
    sqrt(((length(a) - 1) * var(a) + (length(b) - 1) * var(b)) / (length(a) + length(b) - 2))
  }
  own <- if (paired) sd(a - b) else pooled
  bound <- switch(kind, d = size * own, percent = size / 100 * (mean(a) + mean(b)) / 2, raw = size)
  plain <- t.test(a, b, paired = paired)
  interval <- t.test(a, b, paired = paired, conf.level = 0.90)$conf.int
  low <- t.test(a, b, paired = paired, mu = -bound, alternative = "greater")$p.value
  high <- t.test(a, b, paired = paired, mu = bound, alternative = "less")$p.value
  list(
    a = a, b = b, paired = paired, kind = kind, size = size, bound = bound,
    diff = mean(a) - mean(b), sd = pooled, d = (mean(a) - mean(b)) / pooled,
    d_low = interval[1] / pooled, d_high = interval[2] / pooled, diff_low = interval[1], diff_high = interval[2],
    percent = 200 * (mean(a) - mean(b)) / (mean(a) + mean(b)),
    t = unname(plain$statistic), df = unname(plain$parameter), p = plain$p.value, p_equivalence = max(low, high)
  )
}

set.seed(20211103)
cases <- list(
  paired_alike = equivalence(round(rnorm(40, 12, 3)), round(rnorm(40, 12, 3)), TRUE, "d", 0.2),
  paired_close = { x <- rnorm(24, 15, 4); equivalence(x, x + rnorm(24, 0.2, 0.8), TRUE, "percent", 5) },
  paired_apart = { x <- rnorm(16, 15, 4); equivalence(x, x + rnorm(16, 3, 1), TRUE, "raw", 1) },
  separate_equal = equivalence(rnorm(60, 5, 0.4), rnorm(60, 5, 0.4), FALSE, "d", 0.5),
  paired_surely_alike = { x <- rnorm(80, 15, 4); equivalence(x, x + rnorm(80, 0.3, 0.8), TRUE, "percent", 5) },
  separate_unequal = equivalence(rnorm(12, 5, 0.2), rnorm(30, 5.4, 0.9), FALSE, "percent", 3)
)
write_json(
  list(versions = list(R = R.version.string), cases = cases), "tests/oracles/matching.json",
  digits = NA, auto_unbox = TRUE, pretty = TRUE
)

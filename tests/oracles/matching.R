# Reference values for analysis/methods/matching.py: differences between the texts of conditions and equivalence tests.
# Rscript tests/oracles/matching.R, in the root of the project. Base R only.
library(jsonlite)

equivalence <- function(a, b, paired, bound) {
  sd <- if (paired) {
    sqrt((var(a) + var(b)) / 2)
  } else {
    sqrt(((length(a) - 1) * var(a) + (length(b) - 1) * var(b)) / (length(a) + length(b) - 2))
  }
  plain <- t.test(a, b, paired = paired)
  interval <- t.test(a, b, paired = paired, conf.level = 0.90)$conf.int
  low <- t.test(a, b, paired = paired, mu = -bound * sd, alternative = "greater")$p.value
  high <- t.test(a, b, paired = paired, mu = bound * sd, alternative = "less")$p.value
  list(
    a = a, b = b, paired = paired, bound = bound,
    diff = mean(a) - mean(b), sd = sd, d = (mean(a) - mean(b)) / sd,
    d_low = interval[1] / sd, d_high = interval[2] / sd,
    t = unname(plain$statistic), df = unname(plain$parameter), p = plain$p.value, p_equivalence = max(low, high)
  )
}

set.seed(20211103)
cases <- list(
  paired_alike = equivalence(round(rnorm(40, 12, 3)), round(rnorm(40, 12, 3)), TRUE, 0.5),
  paired_close = { x <- rnorm(24, 15, 4); equivalence(x, x + rnorm(24, 0.2, 0.8), TRUE, 0.5) },
  paired_apart = { x <- rnorm(16, 15, 4); equivalence(x, x + rnorm(16, 3, 1), TRUE, 0.3) },
  separate_equal = equivalence(rnorm(60, 5, 0.4), rnorm(60, 5, 0.4), FALSE, 0.5),
  separate_unequal = equivalence(rnorm(12, 5, 0.2), rnorm(30, 5.4, 0.9), FALSE, 0.8)
)
write_json(
  list(versions = list(R = R.version.string), cases = cases), "tests/oracles/matching.json",
  digits = NA, auto_unbox = TRUE, pretty = TRUE
)

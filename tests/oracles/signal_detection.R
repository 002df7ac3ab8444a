# Reference values for signal detection: d' and c of log-linear counts as coefficients of a probit regression.
#
#   Rscript signal_detection.R > signal_detection.json
#
# With counts to which .5 was added, a probit model of the answers on signal (+1/2) and noise (-1/2) is saturated: its
# slope is d', its intercept -c. Intervals of means by t.test.
suppressPackageStartupMessages(library(jsonlite))

cells <- expand.grid(hits = c(0, 1, 12, 20), false_alarms = c(0, 3, 24))
cells$n_signal <- 20
cells$n_noise <- 24
fitted <- function(row) {
  counts <- data.frame(
    side = c(0.5, -0.5),
    yes = c(row$hits, row$false_alarms) + 0.5,
    no = c(row$n_signal - row$hits, row$n_noise - row$false_alarms) + 0.5
  )
  model <- suppressWarnings(glm(cbind(yes, no) ~ side, binomial("probit"), counts,
    control = glm.control(epsilon = 1e-14, maxit = 200)))
  c(d_prime = unname(coef(model)[2]), criterion = -unname(coef(model)[1]))
}
found <- t(sapply(seq_len(nrow(cells)), function(at) fitted(cells[at, ])))
cells <- cbind(cells, found)
interval <- t.test(cells$d_prime)$conf.int
write(toJSON(list(
  version = R.version.string, cells = cells, mean = mean(cells$d_prime), sd = sd(cells$d_prime),
  ci_low = interval[1], ci_high = interval[2]
), digits = NA, auto_unbox = TRUE, pretty = TRUE), stdout())

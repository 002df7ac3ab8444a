# Reference values for signal detection: d' and c of log-linear counts as coefficients of a probit regression.
#
#   Rscript signal_detection.R > signal_detection.json
#
# With counts to which .5 was added, a probit model of the answers on signal (+1/2) and noise (-1/2) is saturated: its
# slope is d', its intercept -c. Intervals of means by t.test. With the rates H and F and the true numbers of trials as
# weights, its standard errors are those of Gourevitch and Galanter (1967). The first six people against the last six:
# t.test, paired as if they were the same six in two conditions, and Welch's.
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
errors <- function(row) {
  rates <- data.frame(
    side = c(0.5, -0.5), n = c(row$n_signal, row$n_noise),
    rate = (c(row$hits, row$false_alarms) + 0.5) / (c(row$n_signal, row$n_noise) + 1)
  )
  model <- suppressWarnings(glm(rate ~ side, binomial("probit"), rates, weights = n,
    control = glm.control(epsilon = 1e-14, maxit = 200)))
  se <- sqrt(diag(vcov(model)))
  c(d_prime_se = unname(se[2]), criterion_se = unname(se[1]))
}
found <- t(sapply(seq_len(nrow(cells)), function(at) fitted(cells[at, ])))
precise <- t(sapply(seq_len(nrow(cells)), function(at) errors(cells[at, ])))
cells <- cbind(cells, found, precise)
against <- function(values, ...) {
  test <- t.test(values[1:6], values[7:12], ...)
  list(
    diff = if (length(test$estimate) == 1) unname(test$estimate) else unname(diff(rev(test$estimate))),
    t = unname(test$statistic), df = unname(test$parameter), p = test$p.value,
    ci_low = test$conf.int[1], ci_high = test$conf.int[2]
  )
}
interval <- t.test(cells$d_prime)$conf.int
write(toJSON(list(
  version = R.version.string, cells = cells, mean = mean(cells$d_prime), sd = sd(cells$d_prime),
  ci_low = interval[1], ci_high = interval[2],
  paired = list(d_prime = against(cells$d_prime, paired = TRUE), criterion = against(cells$criterion, paired = TRUE)),
  welch = list(d_prime = against(cells$d_prime), criterion = against(cells$criterion))
), digits = NA, auto_unbox = TRUE, pretty = TRUE), stdout())

# Power of mixed models of answers, by simulation with lme4 and ordinal: what analysis.methods.power is held against.
#
#   Rscript tests/oracles/power_of_answers.R [SIMULATIONS] > tests/oracles/power_of_answers.json
#
# Everybody sees every item in one of two orders, as a Latin square has it; order is coded -1/2 and 1/2, so that the
# effect and the standard deviations of its slopes are those of the difference between the orders, in log odds.
suppressPackageStartupMessages({library(lme4); library(ordinal)})
simulations <- as.integer(c(commandArgs(TRUE), "400")[1])
set.seed(20)

design <- function(people, items) {
  frame <- expand.grid(item = seq_len(items), participant = seq_len(people))
  frame$order <- ifelse((frame$item + frame$participant) %% 2 == 0, -0.5, 0.5)
  frame
}

latent <- function(frame, effect, sds) {
  of <- function(unit, sd) rnorm(max(unit), 0, sd)[unit]
  (effect + of(frame$participant, sds$participant_order) + of(frame$item, sds$item_order)) * frame$order +
    of(frame$participant, sds$participant) + of(frame$item, sds$item)
}

p_logistic <- function(frame, effect, sds, intercept) {
  frame$z <- rbinom(nrow(frame), 1, plogis(intercept + latent(frame, effect, sds)))
  fit <- suppressWarnings(suppressMessages(glmer(
    z ~ order + (1 + order || participant) + (1 + order || item), frame, binomial)))
  coef(summary(fit))["order", "Pr(>|z|)"]
}

p_cumulative <- function(frame, effect, sds, thresholds) {
  y <- latent(frame, effect, sds) + rlogis(nrow(frame))
  frame$z <- factor(findInterval(y, thresholds))
  frame$participant <- factor(frame$participant); frame$item <- factor(frame$item)
  fit <- suppressWarnings(clmm(z ~ order + (1 | participant) + (1 | item), frame))
  coef(summary(fit))["order", "Pr(>|z|)"]
}

share <- function(p_of) {
  p <- replicate(simulations, tryCatch(p_of(), error = function(fault) NA))
  mean(!is.na(p) & p < 0.05)
}

slopes <- list(participant = 1, item = 0.8, participant_order = 0.5, item_order = 0.4)
intercepts <- list(participant = 1, item = 0.8, participant_order = 0, item_order = 0)
frame <- design(24, 16)
glmm <- share(function() p_logistic(frame, 0.9, slopes, 0.4))
clmm <- share(function() p_cumulative(frame, 0.5, intercepts, c(-1.5, 0, 1.5)))
cat(sprintf('{"simulations": %d, "lme4": "%s", "ordinal": "%s", "glmer": %.4f, "clmm": %.4f}\n',
            simulations, packageVersion("lme4"), packageVersion("ordinal"), glmm, clmm))

# Reference values: answers of three and four categories. chisq.test, fisher.test (base R), chisq.test()$stdres,
# lme4::glmer on the answers that are one category or the baseline, nnet::multinom without random effects.
# Run in this folder: Rscript categories.R   (writes categories.json)
suppressPackageStartupMessages({library(jsonlite); library(lme4); library(nnet)})
tables <- list(
  small = matrix(c(3, 1, 1, 3), 2), uneven = matrix(c(4, 0, 1, 0, 4, 2), 2), three = matrix(c(6, 2, 1, 3, 7, 2, 0, 3, 8), 3),
  empty = matrix(c(9, 5, 0, 7, 3, 0, 4, 4), 2), large = matrix(c(100, 90, 120, 140, 80, 70), 2), long = matrix(c(2, 5, 1, 4, 3, 6, 4, 1, 2, 3), 5))
tested <- lapply(tables, function(t) {
  c2 <- suppressWarnings(chisq.test(t, correct = FALSE)); used <- t[, colSums(t) > 0, drop = FALSE]
  list(table = t, chi2 = unname(suppressWarnings(chisq.test(used, correct = FALSE))$statistic),
       df = unname(suppressWarnings(chisq.test(used, correct = FALSE))$parameter), p = suppressWarnings(chisq.test(used, correct = FALSE))$p.value,
       exact = fisher.test(used, workspace = 2e7)$p.value, residuals = suppressWarnings(chisq.test(used, correct = FALSE))$stdres) })
set.seed(20261128)
d <- expand.grid(participant = sprintf("P%02d", 1:20), item = sprintf("I%02d", 1:16))
n <- as.integer(sub("P", "", d$participant)) + as.integer(sub("I", "", d$item)); d$marker <- c("because", "cause")[1 + n %% 2]
people <- matrix(rnorm(40, 0, .8), 20); things <- matrix(rnorm(32, 0, .5), 16)
eta <- cbind(0, .2 + .9 * (d$marker == "cause"), -.3) + cbind(0, people[as.integer(d$participant), ]) + cbind(0, things[as.integer(d$item), ])
d$choice <- apply(exp(eta), 1, function(w) sample(c("none", "left", "right"), 1, prob = w))
binary <- function(k) { s <- d[d$choice %in% c("none", k), ]; m <- glmer((choice == k) ~ marker + (1 | participant) + (1 | item), s, family = binomial,
  control = glmerControl(optimizer = "bobyqa", optCtrl = list(maxfun = 1e5), tolPwrss = 1e-10))
  list(n = nrow(s), beta = unname(fixef(m)), se = unname(sqrt(diag(as.matrix(vcov(m))))), log_lik = as.numeric(logLik(m)),
       sd = unname(sapply(c("participant", "item"), function(g) attr(VarCorr(m)[[g]], "stddev")))) }
d$choice <- factor(d$choice, levels = c("none", "left", "right")); plain <- multinom(choice ~ marker, d, trace = FALSE, abstol = 1e-12, reltol = 1e-14, maxit = 1000)
shown <- predict(plain, data.frame(marker = c("because", "cause")), type = "probs"); rownames(shown) <- c("because", "cause")
d$choice <- as.character(d$choice)
writeLines(toJSON(list(versions = list(R = R.version.string, lme4 = as.character(packageVersion("lme4")), nnet = as.character(packageVersion("nnet"))),
  tables = tested, data = d, glmer = list(left = binary("left"), right = binary("right")),
  multinom = list(coefficients = coef(plain), se = summary(plain)$standard.errors, probabilities = shown)), digits = NA, auto_unbox = TRUE, dataframe = "columns"), "categories.json")

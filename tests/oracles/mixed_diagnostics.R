# Reference values: conditional modes and variances of random effects (ranef, condVar), residuals, and fixed effects without each participant and item by refits.
# Run in this folder: OPENBLAS_NUM_THREADS=1 Rscript mixed_diagnostics.R   (writes mixed_diagnostics.json)
suppressPackageStartupMessages({library(jsonlite); library(lme4)})
set.seed(20261122)
d <- expand.grid(participant = sprintf("P%02d", 1:16), item = sprintf("I%02d", 1:12), stringsAsFactors = FALSE)
p <- as.integer(factor(d$participant)); i <- as.integer(factor(d$item))
d$order <- c("ab", "ba")[(p + i) %% 2 + 1]; b <- d$order == "ba"
d <- d[keep <- runif(nrow(d)) < .9, ]; p <- p[keep]; i <- i[keep]; b <- b[keep]
eta <- .4 * b + rnorm(16, 0, .7)[p] + rnorm(12, 0, .5)[i] + b * (rnorm(16, 0, .5)[p] + rnorm(12, 0, .4)[i])
d$y <- round(eta + rnorm(nrow(d)), 3); d$correct <- as.integer(runif(nrow(d)) < plogis(eta))
tight <- lmerControl(optimizer = "bobyqa", calc.derivs = FALSE, optCtrl = list(rhobeg = 1e-2, rhoend = 1e-10, maxfun = 1e6))
tight2 <- glmerControl(optimizer = "bobyqa", calc.derivs = FALSE, tolPwrss = 1e-13, optCtrl = list(rhobeg = 1e-2, rhoend = 1e-10, maxfun = 1e6))
modes <- function(m) { x <- as.data.frame(ranef(m, condVar = TRUE)); data.frame(group = as.character(x$grpvar), unit = as.character(x$grp), term = as.character(x$term), estimate = x$condval, se = x$condsd) }
f <- y ~ order + (1 + order | participant) + (1 + order | item); g <- correct ~ order + (1 | participant) + (1 | item)
m <- lmer(f, d, control = tight); k <- glmer(g, d, family = binomial, control = tight2)
without <- function(model, refit) do.call(rbind, lapply(c("participant", "item"), function(group) do.call(rbind, lapply(sort(unique(d[[group]])), function(unit)
  data.frame(group = group, unit = unit, without = unname(fixef(refit(d[d[[group]] != unit, ]))["orderba"]))))))
versions <- c(R = R.version.string, lme4 = as.character(packageVersion("lme4")))
writeLines(toJSON(list(versions = as.list(versions), data = d, lmer = list(modes = modes(m), residuals = unname(residuals(m)), fitted = unname(fitted(m)),
    without = without(m, function(x) lmer(f, x, control = tight))),
  glmer = list(modes = modes(k), without = without(k, function(x) glmer(g, x, family = binomial, control = tight2)))),
  digits = NA, auto_unbox = TRUE, dataframe = "rows"), "mixed_diagnostics.json")

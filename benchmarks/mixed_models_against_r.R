# Fits one mixed model: Rscript mixed_models_against_r.R FILE.csv lmer|glmer|glmer-tight|clmm [FORMULA]
# Prints JSON: processor seconds of fit and summary, and the criterion. Without a formula it only loads packages and data.
suppressPackageStartupMessages({library(lme4); library(lmerTest)})
arguments <- commandArgs(TRUE)
d <- read.csv(arguments[1], stringsAsFactors = TRUE)
if (length(arguments) < 3) { cat('{"seconds": 0, "criterion": null}\n'); quit() }
f <- as.formula(arguments[3])
tight <- glmerControl(optimizer = "bobyqa", tolPwrss = 1e-12, optCtrl = list(rhobeg = 2e-2, rhoend = 1e-8, maxfun = 2e5))
if (arguments[2] == "clmm") suppressPackageStartupMessages(library(ordinal))
if (!is.null(d$score)) d$score <- factor(d$score)
t <- system.time({
  m <- suppressWarnings(switch(arguments[2], lmer = lmer(f, d), clmm = clmm(f, data = d), glmer = glmer(f, d, family = binomial), `glmer-tight` = glmer(f, d, family = binomial, control = tight)))
  s <- suppressWarnings(coef(summary(m)))
})
criterion <- if (arguments[2] == "lmer") REMLcrit(m) else -2 * as.numeric(logLik(m))
cat(sprintf('{"seconds": %.3f, "criterion": %.9f}\n', t[["user.self"]] + t[["sys.self"]], criterion))

# Fits the maximal models of published data: Rscript published_models.R FOLDER MODELS.json
# Prints JSON per data set: processor seconds as lmer is called by most, and the criterion with a tight optimiser.
suppressPackageStartupMessages({library(lme4); library(jsonlite)})
arguments <- commandArgs(TRUE)
models <- fromJSON(arguments[2])
usual <- lmerControl(optimizer = "bobyqa", calc.derivs = FALSE, optCtrl = list(maxfun = 1e6))
tight <- lmerControl(optimizer = "bobyqa", calc.derivs = FALSE, optCtrl = list(rhobeg = 0.02, rhoend = 1e-9, maxfun = 1e6))
for (name in names(models)) {
  d <- read.csv(file.path(arguments[1], paste0(name, ".csv")))
  seconds <- system.time(fit <- suppressMessages(suppressWarnings(
    lmer(as.formula(models[[name]]), d, REML = FALSE, control = usual))))
  again <- suppressMessages(suppressWarnings(
    lmer(as.formula(models[[name]]), d, REML = FALSE, control = tight, start = getME(fit, "theta"))))
  lowest <- min(-2 * as.numeric(logLik(fit)), -2 * as.numeric(logLik(again)))
  cat(sprintf('{"data": "%s", "seconds": %.2f, "criterion": %.6f, "tight": %.6f, "version": "%s"}\n', name,
    seconds[["user.self"]] + seconds[["sys.self"]], -2 * as.numeric(logLik(fit)), lowest, packageVersion("lme4")))
}

# Effect sizes of mixed models: marginal and conditional R2 of performance::r2_nakagawa and by hand from the fits (Nakagawa,
# Johnson & Schielzeth 2017; random slopes as Johnson 2014), partial eta squared from F, Bayes factors from BIC.
# Rscript mixed.R in this folder writes mixed.json, the data included.
suppressPackageStartupMessages({library(lme4); library(lmerTest); library(performance); library(effectsize); library(jsonlite)})
set.seed(2013)
d <- expand.grid(participant = sprintf("P%02d", 1:18), item = sprintf("I%02d", 1:12))
p <- as.integer(d$participant); i <- as.integer(d$item)
d$marker <- c("because", "cause", "so")[(p + i) %% 3 + 1]; d$order <- c("ab", "ba")[(p %/% 3 + i) %% 2 + 1]; d$x <- round(rnorm(nrow(d)), 3)
eta <- c(because = 0, cause = .4, so = -.5)[d$marker] + (.5 + rnorm(18, 0, .5)[p]) * (d$order == "ba") + .3 * d$x + rnorm(18, 0, .8)[p] + rnorm(12, 0, .5)[i]
d$y <- round(eta + rnorm(nrow(d)), 3); d$correct <- as.integer(runif(nrow(d)) < plogis(eta))
tight <- lmerControl(optimizer = "bobyqa", calc.derivs = FALSE, optCtrl = list(rhobeg = 1e-2, rhoend = 1e-9, maxfun = 1e6))
tight_g <- glmerControl(optimizer = "bobyqa", calc.derivs = FALSE, optCtrl = list(rhobeg = 1e-2, rhoend = 1e-8, maxfun = 1e6))
by_hand <- function(m, residual) {
  fixed <- var(as.vector(model.matrix(m) %*% fixef(m)))
  random <- sum(sapply(names(VarCorr(m)), function(g) {
    terms <- getME(m, "mmList"); z <- terms[[grep(paste0("\\| *", g, "$"), names(terms))]]
    mean(rowSums((z %*% VarCorr(m)[[g]]) * z))
  }))
  c(marginal = fixed / (fixed + random + residual), conditional = (fixed + random) / (fixed + random + residual))
}
r2 <- function(m, residual) {
  theirs <- suppressWarnings(r2_nakagawa(m))
  list(marginal = unname(by_hand(m, residual)[1]), conditional = unname(by_hand(m, residual)[2]),
       performance = unname(c(theirs$R2_marginal, theirs$R2_conditional)))
}
out <- list(versions = sapply(c("lme4", "lmerTest", "performance", "effectsize"), function(p) as.character(packageVersion(p))), data = d)
linear <- c("y ~ marker + x + (1 | participant) + (1 | item)", "y ~ marker + order + x + (1 + order | participant) + (1 | item)")
out$lmm <- lapply(setNames(linear, linear), function(f) {
  m <- lmerTest::lmer(as.formula(f), d, control = tight); r2(m, sigma(m)^2)
})
logistic <- c("correct ~ marker + x + (1 | participant) + (1 | item)", "correct ~ order + (1 + order | participant)")
out$glmm <- lapply(setNames(logistic, logistic), function(f) {
  m <- glmer(as.formula(f), d, family = binomial, control = tight_g); r2(m, pi^2 / 3)
})
m <- lmerTest::lmer(as.formula(linear[1]), d, control = tight); a <- anova(m)
out$pes <- lapply(setNames(rownames(a), rownames(a)), function(e) {
  s <- F_to_eta2(a[e, "F value"], a[e, "NumDF"], a[e, "DenDF"], ci = .9, alternative = "two.sided"); c(s$Eta2_partial, s$CI_low, s$CI_high)
})
bf <- function(small, large) exp((BIC(small) - BIC(large)) / 2)
fit <- function(f) lmer(as.formula(f), d, REML = FALSE, control = tight)
out$bic <- list(lmm = bf(fit("y ~ x + (1 | participant) + (1 | item)"), fit(linear[1])),
  glmm = bf(glmer(correct ~ x + (1 | participant) + (1 | item), d, family = binomial, control = tight_g), glmer(as.formula(logistic[1]), d, family = binomial, control = tight_g)))
odds <- oddsratio(matrix(c(56, 48, 14, 32), 2)); out$odds <- c(odds$Odds_ratio, odds$CI_low, odds$CI_high)
writeLines(toJSON(out, auto_unbox = TRUE, digits = NA, dataframe = "columns"), "mixed.json")

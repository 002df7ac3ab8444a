# Reference values: estimated marginal means and comparisons in the unit of the measure by emmeans (type = "response", regrid, mode = "mean.class"), d by eff_size.
# Run in this folder: OPENBLAS_NUM_THREADS=1 Rscript means_in_units.R   (writes means_in_units.json)
suppressPackageStartupMessages({library(jsonlite); library(lme4); library(lmerTest); library(ordinal); library(emmeans)})
set.seed(20261128)
d <- expand.grid(participant = sprintf("P%02d", 1:18), item = sprintf("I%02d", 1:12))
p <- as.integer(d$participant); i <- as.integer(d$item)
d$marker <- c("because", "cause", "so")[(p + i) %% 3 + 1]; d$order <- c("ab", "ba")[(p %/% 3 + i) %% 2 + 1]
d <- d[runif(nrow(d)) < .9, ]; p <- as.integer(d$participant); i <- as.integer(d$item)
eta <- c(because = 0, cause = .4, so = -.3)[d$marker] * ifelse(d$order == "ba", 1.5, .6) + .4 * (d$order == "ba") + rnorm(18, 0, .7)[p] + rnorm(12, 0, .8)[i]
d$rt_ms <- round(exp(6 + .3 * eta + rnorm(nrow(d), 0, .4)), 1); d$correct <- as.integer(runif(nrow(d)) < plogis(1 + eta)); d$words <- rpois(nrow(d), exp(1 + .5 * eta))
d$rating <- cut(eta + rlogis(nrow(d)), c(-Inf, -1, .3, 1.6, Inf), labels = FALSE)
d$rated <- factor(d$rating, ordered = TRUE); d$marker <- factor(d$marker); d$order <- factor(d$order)
plain <- function(x) { x <- as.data.frame(x); x[] <- lapply(x, function(v) if (is.factor(v)) as.character(v) else v); rownames(x) <- NULL; x }
tight <- lmerControl(optimizer = "bobyqa", calc.derivs = FALSE, optCtrl = list(rhobeg = 1e-2, rhoend = 1e-10, maxfun = 1e6))
tightest <- glmerControl(optimizer = "bobyqa", tolPwrss = 1e-13, calc.derivs = TRUE, optCtrl = list(rhobeg = 1e-3, rhoend = 1e-10, maxfun = 1e6))
emm_options(lmer.df = "satterthwaite", msg.interaction = FALSE)
means <- function(m, of, ...) plain(summary(emmeans(m, of, ...), type = "response"))
pairs_of <- function(e, ...) plain(summary(pairs(e, ...), type = "response", infer = c(TRUE, TRUE)))
total <- function(m) {   # the variance of a single observation, and its degrees of freedom by Satterthwaite on the variances that lmerTest has
  v <- as.data.frame(VarCorr(m)); sum(v$vcov)
}
# edf = 2 V^2 / var(V): by lmerTest's covariance of (theta, sigma) and numerical derivatives.
edf <- function(m) {
  at <- c(m@theta, sigma(m)); V <- function(x) { s <- x[length(x)]; s^2 * (1 + sum(x[-length(x)]^2)) }
  g <- sapply(seq_along(at), function(k) { h <- 1e-5; up <- at; down <- at; up[k] <- up[k] + h; down[k] <- down[k] - h; (V(up) - V(down)) / (2 * h) })
  l <- as_lmerModLmerTest(m); 2 * V(at)^2 / as.numeric(t(g) %*% l@vcov_varpar %*% g)
}
linear <- function(formula) {
  m <- eval(bquote(lmer(.(formula), d, control = tight))); inside <- emmeans(m, ~ marker | order); across <- emmeans(m, ~ order | marker)
  size <- function(e) plain(eff_size(e, sigma = sqrt(total(m)), edf = edf(m)))
  list(total = total(m), edf = edf(m), means = means(m, ~ marker:order), marker = pairs_of(inside), order = pairs_of(across),
       marker_units = plain(pairs(regrid(inside))), order_units = plain(pairs(regrid(across))), marker_d = size(inside), order_d = size(across))
}
# The Hessian of the tightly fitted criterion by Richardson extrapolation: differences at one step width carry the noise of the inner iterations.
precise_vcov <- function(m) {
  f <- update(m, devFunOnly = TRUE); x <- c(getME(m, "theta"), fixef(m)); e <- function(i, h) replace(numeric(length(x)), i, h)
  second <- function(h) outer(seq_along(x), seq_along(x), Vectorize(function(i, j) (f(x + e(i, h) + e(j, h)) - f(x + e(i, h) - e(j, h)) - f(x - e(i, h) + e(j, h)) + f(x - e(i, h) - e(j, h))) / (4 * h^2)))
  V <- solve((4 * second(.03) - second(.06)) / 6); keep <- tail(seq_len(nrow(V)), length(fixef(m))); V[keep, keep]
}
general <- function(m) {
  V <- precise_vcov(m); inside <- emmeans(m, ~ marker | order, vcov. = V, data = d); across <- emmeans(m, ~ order | marker, vcov. = V, data = d)
  list(means = means(m, ~ marker:order, vcov. = V, data = d), marker = pairs_of(inside), order = pairs_of(across), marker_units = pairs_of(regrid(inside)), order_units = pairs_of(regrid(across)))
}
additive <- function(m) { e <- emmeans(m, ~ marker, vcov. = precise_vcov(m), data = d); list(means = plain(summary(e, type = "response")), marker = pairs_of(e), marker_units = pairs_of(regrid(e))) }
points <- function(m) {
  inside <- emmeans(m, ~ marker | order, mode = "mean.class"); across <- emmeans(m, ~ order | marker, mode = "mean.class")
  list(means = plain(emmeans(m, ~ marker:order, mode = "mean.class")), marker_units = pairs_of(inside), order_units = pairs_of(across))
}
over <- function(m) list(means = plain(emmeans(m, ~ marker, mode = "mean.class")), marker_units = pairs_of(emmeans(m, ~ marker, mode = "mean.class")))
precise <- clm.control(gradTol = 1e-12)
found <- list(
  `rt_ms` = linear(rt_ms ~ marker * order + (1 | participant) + (1 | item)),
  `log(rt_ms)` = linear(log(rt_ms) ~ marker * order + (1 | participant) + (1 | item)),
  `log10(rt_ms)` = linear(log10(rt_ms) ~ marker * order + (1 | participant) + (1 | item)),
  correct = general(glmer(correct ~ marker * order + (1 | participant) + (1 | item), d, binomial, control = tightest)),
  correct_additive = additive(glmer(correct ~ marker + order + (1 | participant) + (1 | item), d, binomial, control = tightest)),
  words = general(glmer(words ~ marker * order + (1 | participant) + (1 | item), d, poisson, control = tightest)),
  clm = points(clm(rated ~ marker * order, data = d, control = precise)),
  clm_additive = over(clm(rated ~ marker + order, data = d, control = precise)),
  clmm = points(clmm(rated ~ marker * order + (1 | participant) + (1 | item), data = d, control = clmm.control(gradTol = 1e-10))))
versions <- c(R = R.version.string, sapply(c("lme4", "lmerTest", "ordinal", "emmeans"), function(p) as.character(packageVersion(p))))
writeLines(toJSON(list(versions = as.list(versions), data = plain(d[names(d) != "rated"]), found = found), digits = NA, auto_unbox = TRUE, na = "null", dataframe = "rows"), "means_in_units.json")

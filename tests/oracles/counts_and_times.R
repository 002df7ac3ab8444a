# Reference values for mixed models of counts and times: data made here, fitted by glmmTMB (the same Laplace approximation), counts also by
# lme4 (glmer, glmer.nb); means and comparisons by emmeans; inverse Gaussian models by TMB from inverse_gaussian.cpp beside this file.
# Run in this folder: OPENBLAS_NUM_THREADS=1 Rscript counts_and_times.R   (writes counts_and_times.json)
suppressPackageStartupMessages({library(jsonlite); library(lme4); library(glmmTMB); library(emmeans); library(TMB)})
set.seed(20260219)
plain <- function(d) { d <- as.data.frame(d); d[] <- lapply(d, function(x) if (is.factor(x)) as.character(x) else x); rownames(d) <- NULL; d }
cases <- list()
tight <- glmmTMBControl(optimizer = optim, optArgs = list(method = "BFGS"), optCtrl = list(reltol = 1e-16, maxit = 2000))
sds <- function(m) do.call(rbind, lapply(names(VarCorr(m)$cond), function(g) { v <- VarCorr(m)$cond[[g]]; data.frame(group = sub("\\.[0-9]+$", "", g), term = rownames(v), sd = unname(attr(v, "stddev"))) }))
correlation <- function(m) { found <- list(); for (g in names(VarCorr(m)$cond)) { r <- attr(VarCorr(m)$cond[[g]], "correlation"); if (nrow(r) == 2) found[[g]] <- r[2, 1] }; found }
add <- function(name, formula, data, family, given = list(), written = NULL, sum = FALSE, pairs = NULL, offset = NULL, small = NULL) {
  options(contrasts = if (sum) c("contr.sum", "contr.poly") else c("contr.treatment", "contr.poly"))
  data$.off <- if (is.null(offset)) 0 else log(data[[offset]])
  fit <- function(f, reml = FALSE) { m <- eval(bquote(glmmTMB(.(f), data, family = family, offset = .off, control = tight, REML = reml)))
    again <- try(suppressWarnings(update(m, start = list(beta = m$fit$parfull[names(m$fit$parfull) == "beta"], theta = m$fit$parfull[names(m$fit$parfull) == "theta"]))), silent = TRUE)
    if (inherits(again, "try-error") || is.na(logLik(again)) || logLik(again) < logLik(m)) m else again }
  m <- fit(formula); s <- coef(summary(m))$cond
  out <- list(formula = if (is.null(written)) paste(deparse(formula, 500), collapse = "") else written, given = given, sum = sum, data = plain(data[names(data) != ".off"]),
    fixed = data.frame(term = rownames(s), estimate = unname(s[, 1]), se = unname(s[, 2])), sds = sds(m), correlations = correlation(m),
    log_lik = as.numeric(logLik(m)), aic = AIC(m), bic = BIC(m), dispersion = sigma(m))
  if (!is.null(pairs)) {
    e <- emmeans(m, as.formula(paste("~", pairs)), offset = 0)
    out$pairs_of <- pairs; out$means <- plain(as.data.frame(e)); out$response <- plain(as.data.frame(summary(e, type = "response")))
    out$pairs <- plain(as.data.frame(summary(pairs(e, adjust = "tukey"), infer = TRUE)))
    out$ratios <- plain(as.data.frame(summary(pairs(e, adjust = "tukey"), infer = TRUE, type = "response")))
  }
  if (sum) {
    V <- vcov(m)$cond; b <- fixef(m)$cond; X <- model.matrix(m); a <- attr(X, "assign"); labels <- attr(terms(m), "term.labels")
    out$wald <- do.call(rbind, lapply(seq_along(labels), function(t) { i <- which(a == t); data.frame(effect = labels[t], df = length(i), chi2 = drop(t(b[i]) %*% solve(V[i, i]) %*% b[i])) }))
    bars <- paste(sprintf("(%s)", sapply(lme4::findbars(formula), function(x) paste(deparse(x), collapse = ""))), collapse = " + ")
    out$ratio <- do.call(rbind, lapply(seq_along(labels), function(t) { data$.X <- X[, a != t & a != 0, drop = FALSE]
      r <- eval(bquote(glmmTMB(.(as.formula(paste(deparse(formula[[2]]), "~ ", if (ncol(data$.X)) ".X +", bars))), data, family = family, offset = .off, control = tight)))
      data.frame(effect = labels[t], df = sum(a == t), chi2 = 2 * as.numeric(logLik(m) - logLik(r))) }))
    r <- fit(formula, TRUE); s <- coef(summary(r))$cond   # F tests rest on these
    out$restricted <- list(estimate = unname(s[, 1]), se = unname(s[, 2]), sds = sds(r))
  }
  if (!is.null(small)) { r <- eval(bquote(glmmTMB(.(small), data, family = family, offset = .off, control = tight)))
    out$compare <- list(formula = paste(deparse(small, 500), collapse = ""), chi2 = 2 * as.numeric(logLik(m) - logLik(r))) }
  cases[[name]] <<- out; cat(name, out$log_lik, sigma(m), "\n"); invisible(m)
}
crossed <- function(people, items, seen = 1) {
  d <- expand.grid(participant = sprintf("P%02d", seq_len(people)), item = sprintf("I%02d", seq_len(items)))
  d$marker <- c("because", "cause", "so")[(as.integer(d$participant) + as.integer(d$item)) %% 3 + 1]
  d$order <- c("ab", "ba")[(as.integer(d$participant) %/% 3 + as.integer(d$item)) %% 2 + 1]
  d <- d[runif(nrow(d)) < seen, ]; p <- as.integer(d$participant); i <- as.integer(d$item); ba <- as.numeric(d$order == "ba")
  d$words <- round(runif(nrow(d), 6, 24))
  d$eta <- c(because = 0, cause = .2, so = -.3)[d$marker] + .3 * ba + rnorm(people, 0, .5)[p] + rnorm(people, 0, .3)[p] * ba + rnorm(items, 0, .3)[i] + rnorm(items, 0, .2)[i] * ba
  d
}
columns <- c("participant", "item", "marker", "order", "words")
d <- crossed(24, 18, .85); d$fixations <- rpois(nrow(d), exp(.8 + d$eta)); pd <- d[c(columns, "fixations")]
add("poisson, crossed intercepts, interaction", fixations ~ marker * order + (1 | participant) + (1 | item), pd, poisson, list(family = "poisson"), sum = TRUE, pairs = "marker")
add("poisson, slopes with correlations", fixations ~ order + (1 + order | participant) + (1 | item), pd, poisson, list(family = "poisson"), sum = TRUE)
d$o <- ifelse(d$order == "ba", .5, -.5); d2 <- d[c(columns, "o", "fixations")]
add("poisson, slopes without correlations", fixations ~ o + (1 + o || participant) + (1 + o || item), d2, poisson, list(family = "poisson"))
add("poisson, a covariate", fixations ~ marker + scale(words) + (1 | participant) + (1 | item), pd, poisson, list(family = "poisson"), pairs = "marker", small = fixations ~ marker + (1 | participant) + (1 | item))
e <- d; e$regressions <- rpois(nrow(e), e$words / 12 * exp(d$eta)); e <- e[c(columns, "regressions")]
add("poisson, exposure", regressions ~ order + (1 | participant) + (1 | item), e, poisson, list(family = "poisson", exposure = "words"), offset = "words", sum = TRUE, pairs = "order")
l <- crossed(20, 12); l$keys <- rpois(nrow(l), exp(5.5 + l$eta)); l <- l[c(columns, "keys")]
add("poisson, large counts", keys ~ order + (1 | participant) + (1 | item), l, poisson, list(family = "poisson"))
d$fixations <- rnbinom(nrow(d), mu = exp(.8 + d$eta), size = 2); nd <- d[c(columns, "fixations")]
nb <- add("negative binomial, crossed intercepts, interaction", fixations ~ marker * order + (1 | participant) + (1 | item), nd, nbinom2, list(family = "negative-binomial"), sum = TRUE, pairs = "marker")
add("negative binomial, slopes", fixations ~ order + (1 + order | participant) + (1 | item), nd, nbinom2, list(family = "negative-binomial"), sum = TRUE, pairs = "order")
e$regressions <- rnbinom(nrow(e), mu = e$words / 12 * exp(d$eta), size = 1.2)
add("negative binomial, exposure", regressions ~ order + (1 | participant) + (1 | item), e, nbinom2, list(family = "negative-binomial", exposure = "words"), offset = "words", small = regressions ~ 1 + (1 | participant) + (1 | item))
b <- glmer.nb(fixations ~ marker * order + (1 | participant) + (1 | item), nd, control = glmerControl(optimizer = "bobyqa", tolPwrss = 1e-12), nb.control = list(tol = 1e-8))
cases[["negative binomial, crossed intercepts, interaction"]]$glmer <- list(log_lik = as.numeric(logLik(b)), theta = getME(b, "glmer.nb.theta"), estimate = unname(fixef(b)))
options(contrasts = c("contr.sum", "contr.poly"))
g <- glmer(fixations ~ marker * order + (1 | participant) + (1 | item), pd, family = poisson, control = glmerControl(optimizer = "bobyqa", tolPwrss = 1e-13, optCtrl = list(rhoend = 1e-9, maxfun = 1e6)))
cases[["poisson, crossed intercepts, interaction"]]$glmer <- list(log_lik = as.numeric(logLik(g)), estimate = unname(fixef(g)))
d$ms <- round(rgamma(nrow(d), 8, 8 / exp(6.2 + .4 * d$eta)), 1); td <- d[c(columns, "ms")]
add("gamma, log link, interaction", ms ~ marker * order + (1 | participant) + (1 | item), td, Gamma(link = "log"), list(family = "gamma", link = "log"), sum = TRUE, pairs = "marker")
add("gamma, log link, slopes", ms ~ order + (1 + order | participant) + (1 | item), td, Gamma(link = "log"), list(family = "gamma", link = "log"), sum = TRUE)
td$s <- td$ms / 1000
id <- add("gamma, identity link, in seconds", s ~ order + (1 | participant) + (1 | item), td, Gamma(link = "identity"), list(family = "gamma", link = "identity"), sum = TRUE, pairs = "order")
# Inverse Gaussian, which neither package has with this approximation: the joint density in C++, integrated by TMB.
if (!file.exists("inverse_gaussian.so")) compile("inverse_gaussian.cpp", flags = "-O1 -w"); dyn.load(dynlib("inverse_gaussian"))
inverse <- function(name, link, data) {
  options(contrasts = c("contr.treatment", "contr.poly")); X <- model.matrix(~ order, data); y <- data$s
  o <- MakeADFun(list(y = y, X = X, p = as.integer(factor(data$participant)) - 1L, i = as.integer(factor(data$item)) - 1L, identity = as.integer(link == "identity")),
    list(beta = c(if (link == "identity") mean(y) else log(mean(y)), 0), logsd = log(c(.1, .1)), logshape = log(5), u = rep(0, length(unique(data$participant))), v = rep(0, length(unique(data$item)))), random = c("u", "v"), DLL = "inverse_gaussian", silent = TRUE)
  f <- nlminb(o$par, o$fn, o$gr, control = list(rel.tol = 1e-15, eval.max = 2000, iter.max = 2000)); f <- optim(f$par, o$fn, o$gr, method = "BFGS", control = list(reltol = 1e-16, maxit = 500)); r <- sdreport(o, f$par); s <- summary(r, "fixed")
  cases[[name]] <<- list(formula = "s ~ order + (1 | participant) + (1 | item)", given = list(family = "inverse-gaussian", link = link), sum = FALSE, data = plain(data),
    fixed = data.frame(term = colnames(X), estimate = unname(s[1:2, 1]), se = unname(s[1:2, 2])), sds = data.frame(group = c("participant", "item"), term = "(Intercept)", sd = unname(exp(s[3:4, 1]))), correlations = list(),
    log_lik = -f$value, shape = unname(exp(s[5, 1]))); cat(name, -f$value, exp(s[3:5, 1]), "\n")
}
gauss <- function(n, mu, shape) { v <- rnorm(n)^2; x <- mu + mu^2 * v / (2 * shape) - mu / (2 * shape) * sqrt(4 * mu * shape * v + mu^2 * v^2); ifelse(runif(n) <= mu / (mu + x), x, mu^2 / x) }
iv <- crossed(20, 16, .9); iv$s <- round(gauss(nrow(iv), exp(-.7 + .4 * iv$eta), 6), 4); iv <- iv[c(columns, "s")]
inverse("inverse gaussian, log link", "log", iv); inverse("inverse gaussian, identity link", "identity", iv)
versions <- c(R = R.version.string, sapply(c("lme4", "glmmTMB", "TMB", "emmeans"), function(p) as.character(packageVersion(p))))
writeLines(toJSON(c(list(versions = as.list(versions)), cases), digits = NA, auto_unbox = TRUE, na = "null", dataframe = "rows"), "counts_and_times.json")

# Reference values for mixed logistic and cumulative logit models: data made here, fitted by lme4, ordinal, MASS; means by emmeans.
# Run in this folder: OPENBLAS_NUM_THREADS=1 Rscript generalised_mixed.R   (writes generalised_mixed.json)
suppressPackageStartupMessages({library(jsonlite); library(lme4); library(ordinal); library(MASS); library(emmeans); library(car)})
emm_options(msg.interaction = FALSE)
set.seed(20120101)
# Default tolerances of glmer stop early and leave SEs off by a percent; the Hessian of the tightly fitted criterion is
# taken by Richardson extrapolation, because differences at one step width carry the noise of the inner iterations.
tight <- glmerControl(optimizer = "bobyqa", tolPwrss = 1e-13, check.conv.grad = "ignore", check.conv.hess = "ignore", check.conv.singular = "ignore",
                      calc.derivs = FALSE, optCtrl = list(rhobeg = 2e-2, rhoend = 1e-9, maxfun = 1e6))
plain <- function(d) { d <- as.data.frame(d); d[] <- lapply(d, function(x) if (is.factor(x)) as.character(x) else x); rownames(d) <- NULL; d }
precise <- function(m) {
  f <- update(m, devFunOnly = TRUE); at <- c(getME(m, "theta"), fixef(m)); k <- length(getME(m, "theta"))
  free <- c(getME(m, "theta") > 1e-4 | getME(m, "lower") < 0, rep(TRUE, length(fixef(m))))   # a variance of zero has no curvature of its own
  g <- function(x) { y <- at; y[free] <- x; f(y) }
  x <- at[free]; e <- function(i, h) replace(numeric(length(x)), i, h)
  second <- function(h) outer(seq_along(x), seq_along(x), Vectorize(function(i, j) (g(x + e(i, h) + e(j, h)) - g(x + e(i, h) - e(j, h)) - g(x - e(i, h) + e(j, h)) + g(x - e(i, h) - e(j, h))) / (4 * h^2)))
  H <- (4 * second(.03) - second(.06)) / 3
  V <- solve(H / 2); keep <- tail(seq_len(nrow(V)), length(fixef(m))); V[keep, keep, drop = FALSE]
}
cases <- list()
glm_case <- function(name, formula, data, sum = FALSE, weights = NULL, written = NULL, given = list(), pairs = NULL, by = NULL) {
  options(contrasts = if (sum) c("contr.sum", "contr.poly") else c("contr.treatment", "contr.poly"))
  m <- suppressWarnings(glmer(formula, data, family = binomial, control = tight))
  V <- precise(m); b <- fixef(m); se <- sqrt(diag(V))
  out <- list(formula = if (is.null(written)) paste(deparse(formula, 500), collapse = "") else written, sum = sum, data = plain(data), given = given,
    fixed = data.frame(term = names(b), estimate = unname(b), se = se), varcorr = { vc <- as.data.frame(VarCorr(m)); vc$grp <- sub("\\.[0-9]+$", "", vc$grp); vc },
    log_lik = as.numeric(logLik(m)), aic = AIC(m), bic = BIC(m), n = nobs(m), singular = isSingular(m, tol = 1e-3))
  if (!is.null(pairs)) {
    g <- as.formula(paste("~", paste(pairs, collapse = "*"), if (!is.null(by)) paste("|", by)))
    e <- emmeans(m, g, vcov. = V, data = data)
    out$pairs <- plain(as.data.frame(summary(pairs(e, adjust = "tukey"), infer = TRUE)))
    out$holm <- plain(as.data.frame(summary(pairs(e, adjust = "holm"))))$p.value
    out$means <- plain(as.data.frame(e)); out$probabilities <- plain(as.data.frame(summary(e, type = "response")))
    out$pairs_of <- pairs; out$by <- by
  }
  if (sum) {   # type III Wald tests and likelihood ratios without each term's columns
    X <- model.matrix(m); a <- attr(X, "assign"); labels <- attr(terms(m), "term.labels")
    out$wald <- do.call(rbind, lapply(seq_along(labels), function(t) { i <- which(a == t); c2 <- drop(t(b[i]) %*% solve(V[i, i]) %*% b[i]); data.frame(effect = labels[t], df = length(i), chi2 = c2, p = pchisq(c2, length(i), lower.tail = FALSE)) }))
    bars <- paste(sprintf("(%s)", sapply(lme4::findbars(formula), function(x) paste(deparse(x), collapse = ""))), collapse = " + ")
    out$ratio <- do.call(rbind, lapply(seq_along(labels), function(t) { d <- data; d$.X <- X[, a != t & a != 0, drop = FALSE]
      r <- suppressWarnings(glmer(as.formula(paste(deparse(formula[[2]]), "~ ", if (ncol(d$.X)) ".X +", bars)), d, family = binomial, control = tight))
      c2 <- 2 * as.numeric(logLik(m) - logLik(r)); data.frame(effect = labels[t], df = sum(a == t), chi2 = c2, p = pchisq(c2, sum(a == t), lower.tail = FALSE)) }))
  }
  cases[[name]] <<- out; cat(name, out$log_lik, out$singular, "\n")
}
crossed <- function(people, items, seen = 1) {
  d <- expand.grid(participant = sprintf("P%02d", seq_len(people)), item = sprintf("I%02d", seq_len(items)))
  d$marker <- c("because", "cause", "so")[(as.integer(d$participant) + as.integer(d$item)) %% 3 + 1]
  d$order <- c("ab", "ba")[(as.integer(d$participant) %/% 3 + as.integer(d$item)) %% 2 + 1]
  d <- d[runif(nrow(d)) < seen, ]; p <- as.integer(d$participant); i <- as.integer(d$item)
  ba <- as.numeric(d$order == "ba"); mk <- c(because = 0, cause = .4, so = -.6)[d$marker]
  d$eta <- -.4 + .7 * ba + mk + rnorm(people, 0, .9)[p] + rnorm(people, 0, .7)[p] * ba + rnorm(items, 0, .6)[i] + rnorm(items, 0, .4)[i] * ba
  d$words <- round(runif(nrow(d), 6, 24)); d
}
d <- crossed(24, 18, .85); d$correct <- rbinom(nrow(d), 1, plogis(d$eta))
d <- d[c("participant", "item", "marker", "order", "words", "correct")]
glm_case("unbalanced, crossed intercepts, interaction", correct ~ marker * order + (1 | participant) + (1 | item), d, sum = TRUE, pairs = "marker", by = "order")
glm_case("treatment contrasts and a covariate", correct ~ marker + order + scale(words) + (1 | participant) + (1 | item), d, pairs = "marker")
glm_case("singular slopes", correct ~ order + (1 + order | participant) + (1 + order | item), d, sum = TRUE)
v <- crossed(36, 24, .95); q <- rnorm(36); r <- rnorm(24); v$correct <- rbinom(nrow(v), 1, plogis(v$eta + ifelse(v$order == "ba", 1, -.4) * (q[as.integer(v$participant)] + .8 * r[as.integer(v$item)])))
v <- v[c("participant", "item", "marker", "order", "correct")]
glm_case("random slopes", correct ~ order + (1 + order | participant) + (1 + order | item), v, sum = TRUE)
d2 <- v; d2$o <- ifelse(d2$order == "ba", .5, -.5)
glm_case("slopes without correlation", correct ~ o + (1 + o || participant) + (1 | item), d2)
n <- data.frame(school = factor(rep(sprintf("S%d", 1:8), times = c(20, 34, 16, 25, 38, 14, 28, 30))))
n$class <- factor(unlist(lapply(split(seq_len(nrow(n)), n$school), function(r) rep(c("a", "b", "c"), length.out = length(r)))))
n$x <- round(rnorm(nrow(n)), 3); sc <- rnorm(8, 0, .8); cl <- setNames(rnorm(24, 0, .9), paste(rep(sprintf("S%d", 1:8), each = 3), c("a", "b", "c")))
n$passed <- rbinom(nrow(n), 1, plogis(.3 + .8 * n$x + sc[n$school] + cl[paste(n$school, n$class)]))
glm_case("nested groups", passed ~ x + (1 | school / class), n)
few <- d[d$participant %in% sprintf("P%02d", 1:4), ]
glm_case("few groups", correct ~ order + (1 | participant), few)
near <- d; near$correct <- as.integer(near$correct == 1 & !(near$marker == "so")); near$correct[which(near$marker == "so")[7]] <- 1
glm_case("nearly separated", correct ~ marker + (1 | participant) + (1 | item), near)
flat <- d; flat$correct <- rbinom(nrow(flat), 1, plogis(c(ab = -.3, ba = .4)[flat$order]))
glm_case("singular", correct ~ order + (1 | participant) + (1 | item), flat)
k <- expand.grid(participant = sprintf("P%02d", 1:20), block = c("one", "two", "three")); k$block <- as.character(k$block)
k$of <- sample(4:12, nrow(k), TRUE); k$right <- rbinom(nrow(k), k$of, plogis(.2 + c(one = 0, two = .5, three = .9)[k$block] + rnorm(20)[as.integer(k$participant)]))
glm_case("binomial counts", cbind(right, of - right) ~ block + (1 | participant), k, written = "right ~ block + (1 | participant)", given = list(trials = "of"))
empty <- near; empty$correct[empty$marker == "so"] <- 0   # in the limit, the likelihood is that of the other rows
rest <- droplevels(empty[empty$marker != "so", ])
glm_case("rows that a cell without successes leaves", correct ~ marker + order + (1 | participant) + (1 | item), rest)
cases[["rows that a cell without successes leaves"]]$separated <- plain(empty)

# Cumulative logits
o <- crossed(20, 15, .9); o$rating <- cut(o$eta + rlogis(nrow(o)), c(-Inf, -1.6, -.4, .5, 1.7, Inf), labels = FALSE); o <- o[c("participant", "item", "marker", "order", "words", "rating")]
o$rating_f <- factor(o$rating, ordered = TRUE)
ordinal_case <- function(name, formula, data, written, sum = FALSE, mixed = FALSE, pairs = NULL) {
  options(contrasts = if (sum) c("contr.sum", "contr.poly") else c("contr.treatment", "contr.poly"))
  m <- if (mixed) clmm(formula, data, Hess = TRUE, control = clmm.control(gradTol = 1e-6, maxIter = 200)) else clm(formula, data = data, control = clm.control(gradTol = 1e-10))
  s <- coef(summary(m)); k <- length(m$alpha)
  out <- list(formula = written, sum = sum, data = plain(data[names(data) != "rating_f"]),
    thresholds = data.frame(threshold = rownames(s)[1:k], estimate = unname(s[1:k, 1]), se = unname(s[1:k, 2])),
    fixed = data.frame(term = rownames(s)[-(1:k)], estimate = unname(s[-(1:k), 1]), se = unname(s[-(1:k), 2])),
    log_lik = as.numeric(logLik(m)), aic = AIC(m), n = nobs(m))
  if (mixed) out$varcorr <- lapply(VarCorr(m), function(v) { v <- unclass(as.matrix(v)); attributes(v) <- list(dim = dim(v)); v })
  if (!is.null(pairs)) { e <- emmeans(m, as.formula(paste("~", pairs)), data = data)
    out$pairs <- plain(as.data.frame(summary(pairs(e, adjust = "tukey"), infer = TRUE))); out$pairs_of <- pairs; out$means <- plain(as.data.frame(e)) }
  cases[[name]] <<- out; cat(name, out$log_lik, "\n")
}
ordinal_case("ordinal, fixed effects", rating_f ~ marker * order + scale(words), o, "rating ~ marker * order + scale(words)")
ordinal_case("ordinal, nominal test", rating_f ~ marker + order + words, o, "rating ~ marker + order + words", sum = TRUE)
nt <- nominal_test(clm(rating_f ~ marker + order + words, data = o)); nt <- nt[-1, ]   # at top level: it cannot find data inside a function
cases[["ordinal, nominal test"]]$nominal <- data.frame(effect = rownames(nt), df = nt$Df, chi2 = nt$LRT, p = nt$`Pr(>Chi)`)
ordinal_case("ordinal, one random intercept", rating_f ~ marker + order + (1 | participant), o, "rating ~ marker + order + (1 | participant)", mixed = TRUE, pairs = "marker")
ordinal_case("ordinal, crossed intercepts", rating_f ~ marker * order + (1 | participant) + (1 | item), o, "rating ~ marker * order + (1 | participant) + (1 | item)", sum = TRUE, mixed = TRUE)
w <- v; w$rating <- cut(qlogis(runif(nrow(w))) + ifelse(w$order == "ba", 1.2, -.3) * q[as.integer(w$participant)] + r[as.integer(w$item)], c(-Inf, -1, .2, 1.5, Inf), labels = FALSE); w$rating_f <- factor(w$rating, ordered = TRUE); w$correct <- NULL
ordinal_case("ordinal, random slopes", rating_f ~ order + (1 + order | participant) + (1 | item), w, "rating ~ order + (1 + order | participant) + (1 | item)", mixed = TRUE)
options(contrasts = c("contr.treatment", "contr.poly"))
p <- polr(rating_f ~ marker + order + words, o, Hess = TRUE, control = list(reltol = 1e-15)); s <- coef(summary(p))
cases[["polr"]] <- list(formula = "rating ~ marker + order + words", sum = FALSE, data = plain(o[names(o) != "rating_f"]), coefficients = data.frame(term = rownames(s), estimate = unname(s[, 1]), se = unname(s[, 2])), log_lik = as.numeric(logLik(p)))

# McNemar's test of paired clauses, exact and asymptotic
tables <- list(c(40, 12, 3, 45), c(10, 9, 9, 2), c(5, 0, 7, 1), c(100, 31, 14, 60))
cases[["mcnemar"]] <- lapply(tables, function(v) { t <- matrix(v, 2, byrow = TRUE); list(both = v[1], only_a = v[2], only_b = v[3], neither = v[4],
  exact = binom.test(v[2], v[2] + v[3])$p.value, chi2 = unname(mcnemar.test(t, correct = FALSE)$statistic), p = mcnemar.test(t, correct = FALSE)$p.value,
  chi2_corrected = unname(mcnemar.test(t)$statistic), p_corrected = mcnemar.test(t)$p.value) })
versions <- c(R = R.version.string, sapply(c("lme4", "ordinal", "MASS", "emmeans"), function(p) as.character(packageVersion(p))))
writeLines(toJSON(c(list(versions = as.list(versions)), cases), digits = NA, auto_unbox = TRUE, na = "null", dataframe = "rows"), "generalised_mixed.json")

# Reference values: coefficients of mixed models under contr.helmert, MASS::contr.sdif, contr.poly and hypotheses of one's own (ginv).
# Run in this folder: OPENBLAS_NUM_THREADS=1 Rscript mixed_contrasts.R   (writes mixed_contrasts.json)
suppressPackageStartupMessages({library(jsonlite); library(MASS); library(lme4); library(lmerTest); library(ordinal)})
set.seed(20261123)
d <- expand.grid(participant = sprintf("P%02d", 1:18), item = sprintf("I%02d", 1:12))
p <- as.integer(d$participant); i <- as.integer(d$item)
d$condition <- c("a", "b", "c")[(p + i) %% 3 + 1]; d$order <- c("ab", "ba")[(p %/% 3 + i) %% 2 + 1]; d$dose <- c("none", "low", "mid", "high")[(p + 5 * (i %/% 3)) %% 4 + 1]
d <- d[runif(nrow(d)) < .9, ]; p <- as.integer(d$participant); i <- as.integer(d$item)
eta <- c(a = 0, b = .4, c = -.5)[d$condition] + .5 * (d$order == "ba") + c(none = 0, low = .5, mid = .7, high = .6)[d$dose] + rnorm(18, 0, .8)[p] + rnorm(12, 0, .5)[i]
d$y <- round(eta + rnorm(nrow(d)), 3); d$correct <- as.integer(runif(nrow(d)) < plogis(eta)); d$rating <- cut(eta + rlogis(nrow(d)), c(-Inf, -.7, .5, 1.8, Inf), labels = FALSE)
levels_of <- list(condition = c("a", "b", "c"), order = c("ab", "ba"), dose = c("none", "low", "mid", "high"))
for (name in names(levels_of)) d[[name]] <- factor(d[[name]], levels = levels_of[[name]])
own <- list(condition = rbind(c(1, -1, 0), c(.5, .5, -1)), dose = rbind(c(-1, 1, 0, 0), c(0, -1/2, -1/2, 1)))
coded <- function(name, kind) { k <- length(levels_of[[name]]); switch(kind, treatment = contr.treatment(k), sum = contr.sum(k), helmert = contr.helmert(k), repeated = contr.sdif(k), polynomial = contr.poly(k), own = ginv(own[[name]])) }
hypotheses <- function(codes) { made <- zapsmall(ginv(cbind(1, codes)), 12)[-1, , drop = FALSE]; unname(made) }
plain <- function(x) { x <- as.data.frame(x); x[] <- lapply(x, function(v) if (is.factor(v)) as.character(v) else v); rownames(x) <- NULL; x }
tight <- lmerControl(optimizer = "bobyqa", calc.derivs = FALSE, optCtrl = list(rhobeg = 1e-2, rhoend = 1e-9, maxfun = 1e6))
close <- glmerControl(optimizer = "bobyqa", tolPwrss = 1e-13, check.conv.grad = "ignore", check.conv.hess = "ignore", optCtrl = list(rhobeg = 1e-2, rhoend = 1e-10, maxfun = 1e6))
fitted_with <- function(method, formula, kinds) {
  data <- d; for (name in names(kinds)) contrasts(data[[name]]) <- coded(name, kinds[[name]])
  data$rated <- factor(data$rating, ordered = TRUE)
  if (method == "lmm") { m <- lmer(as.formula(paste("y ~", formula)), data, control = tight); s <- coef(summary(m)); found <- data.frame(estimate = s[, 1], se = s[, 2], df = s[, 3], p = s[, 5]); a <- anova(m); tests <- data.frame(effect = rownames(a), df1 = a$NumDF, df2 = a$DenDF, f = a$`F value`) }
  if (method == "glmm") { s <- coef(summary(glmer(as.formula(paste("correct ~", formula)), data, family = binomial, control = close))); found <- data.frame(estimate = s[, 1], se = s[, 2], p = s[, 4]); tests <- NULL }
  if (method == "ordinal") { s <- coef(summary(clm(as.formula(paste("rated ~", formula)), data = data, control = clm.control(gradTol = 1e-10)))); s <- s[-(1:3), ]; found <- data.frame(estimate = s[, 1], se = s[, 2], p = s[, 4]); tests <- NULL }
  list(method = method, formula = formula, contrasts = as.list(kinds), fixed = plain(found), anova = tests)
}
crossed <- "condition * order + (1 + order | participant) + (1 | item)"; plainly <- "condition + dose + (1 | participant) + (1 | item)"
cases <- list(
  fitted_with("lmm", crossed, c(condition = "repeated", order = "repeated")), fitted_with("lmm", crossed, c(condition = "helmert", order = "treatment")),
  fitted_with("lmm", crossed, c(condition = "own", order = "sum")), fitted_with("lmm", plainly, c(condition = "own", dose = "polynomial")),
  fitted_with("lmm", plainly, c(condition = "treatment", dose = "helmert")), fitted_with("lmm", plainly, c(condition = "sum", dose = "own")),
  fitted_with("glmm", plainly, c(condition = "repeated", dose = "polynomial")), fitted_with("glmm", plainly, c(condition = "own", dose = "helmert")),
  fitted_with("ordinal", "condition * order + dose", c(condition = "repeated", order = "sum", dose = "polynomial")), fitted_with("ordinal", "condition + dose", c(condition = "own", dose = "helmert")))
sets <- list(); for (kind in c("treatment", "sum", "helmert", "repeated", "polynomial")) for (name in names(levels_of)) sets[[length(sets) + 1]] <- list(kind = kind, levels = levels_of[[name]], codes = unname(coded(name, kind)), hypotheses = hypotheses(coded(name, kind)))
versions <- c(R = R.version.string, sapply(c("lme4", "lmerTest", "ordinal", "MASS"), function(p) as.character(packageVersion(p))))
writeLines(toJSON(list(versions = as.list(versions), data = plain(d), cases = cases, sets = sets, own = lapply(own, function(h) list(hypotheses = h, codes = ginv(h)))),
                  digits = NA, auto_unbox = TRUE, na = "null", dataframe = "rows"), "mixed_contrasts.json")

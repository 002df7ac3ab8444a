# Reference values: variances without correlations, of two levels (lme4, lmerTest with a column of sum contrasts, as afex expands ||)
# and of four levels that share one (nlme::lme with pdIdent over orthonormal contrasts, one grouping factor).
# Run in this folder: OPENBLAS_NUM_THREADS=1 Rscript mixed_without_correlations.R   (writes mixed_without_correlations.json)
suppressPackageStartupMessages({library(jsonlite); library(lme4); library(lmerTest); library(nlme)})
set.seed(20261122)
d <- expand.grid(participant = sprintf("P%02d", 1:20), item = sprintf("I%02d", 1:16))
p <- as.integer(d$participant); i <- as.integer(d$item)
d$marker <- c("because", "cause", "so", "thus")[(p + i) %% 4 + 1]; d$order <- c("ab", "ba")[(p %/% 4 + i) %% 2 + 1]
m <- as.integer(factor(d$marker)); o <- as.integer(factor(d$order))
d$z <- round(.3 * (o == 2) + rnorm(20, 0, .6)[p] + rnorm(16, 0, .4)[i] + matrix(rnorm(80, 0, .6), 20)[cbind(p, m)] +
               matrix(rnorm(40, 0, .5), 20)[cbind(p, o)] + rnorm(nrow(d), 0, .8), 3)
d <- d[runif(nrow(d)) < .93, ]; raw <- d
d$marker <- factor(d$marker); d$order <- factor(d$order); contrasts(d$marker) <- contr.sum(4); contrasts(d$order) <- contr.sum(2)
d$o1 <- ifelse(d$order == "ab", 1, -1)
tight <- lmerControl(optimizer = "bobyqa", calc.derivs = FALSE, optCtrl = list(rhobeg = 1e-2, rhoend = 1e-9, maxfun = 1e6))
two <- lmer(z ~ marker * order + (1 + o1 || participant) + (1 + o1 || item), d, control = tight); a <- anova(two)
v <- as.data.frame(VarCorr(two)); v <- v[v$grp != "Residual", ]
sd <- data.frame(group = sub("\\.1$", "", v$grp), term = ifelse(v$var1 == "o1", "order", v$var1), sd = v$sdcor)
anova <- data.frame(effect = rownames(a), df1 = a$NumDF, df2 = a$DenDF, f = a$`F value`, p = a$`Pr(>F)`)
H <- contr.helmert(4); H <- H %*% diag(1 / sqrt(colSums(H^2))); Z <- H[as.integer(d$marker), ]; d$h1 <- Z[, 1]; d$h2 <- Z[, 2]; d$h3 <- Z[, 3]
four <- lme(z ~ marker, d, random = list(participant = pdBlocked(list(pdIdent(~ 1), pdIdent(~ h1 + h2 + h3 - 1)))), method = "REML",
            control = lmeControl(opt = "optim", reltol = 1e-12, msMaxIter = 1000, tolerance = 1e-10))
s <- as.numeric(VarCorr(four)[, "StdDev"])
result <- list(versions = list(R = R.version.string, lme4 = as.character(packageVersion("lme4")), nlme = as.character(packageVersion("nlme"))), data = raw,
  `two levels` = list(terms = "marker * order + (1 + order || participant) + (1 + order || item)", criterion = as.numeric(REMLcrit(two)), anova = anova, sd = sd),
  `one variance for four levels` = list(terms = "marker + (1 + marker || participant)", log_lik = as.numeric(logLik(four)), parameters = attr(logLik(four), "df"),
    estimate = unname(fixef(four)), se = unname(sqrt(diag(vcov(four)))), intercept = s[1], omega = s[2], sigma = s[5]))
writeLines(toJSON(result, digits = NA, auto_unbox = TRUE, dataframe = "rows"), "mixed_without_correlations.json")

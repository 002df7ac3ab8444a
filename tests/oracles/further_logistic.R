# Logistic regression in blocks: glm to convergence, likelihood-ratio tests, Firth's estimates.
# Writes further_logistic.json beside this file: data and expected values. Needs jsonlite and brglm2.
# Run in this folder: OPENBLAS_NUM_THREADS=1 Rscript further_logistic.R [folder of VerbAgg.csv]
suppressPackageStartupMessages({library(jsonlite); library(brglm2)})
options(contrasts = c("contr.treatment", "contr.poly"))
tight <- list(epsilon = 1e-14, maxit = 100)
set.seed(20151)
n <- 240
d <- data.frame(fluency = round(rnorm(n), 3), clarity = round(rnorm(n, 2, 1.5), 3), pace = round(rgamma(n, 20, .1), 1),
                genre = sample(c("letters", "news", "novel"), n, TRUE))
eta <- -.6 - .8 * d$fluency + .01 * (d$pace - 200) + .9 * (d$genre == "novel")
d$garbled <- rbinom(n, 1, plogis(eta))
cells <- function(m) { s <- summary(m)$coefficients; k <- grep("Estimate", colnames(s)); ci <- exp(confint.default(m))
  data.frame(term = rownames(s), b = s[, 1], se = s[, 2], wald = s[, 3]^2, p = s[, 4], exp_b = exp(s[, 1]), or_low = ci[, 1], or_high = ci[, 2]) }
measures <- function(m, before, null, y) { n <- length(y); ll <- as.numeric(logLik(m)); l0 <- as.numeric(logLik(null)); lb <- as.numeric(logLik(before))
  p <- fitted(m); r <- rank(p); n1 <- sum(y); cs <- 1 - exp(2 * (l0 - ll) / n); sdf <- attr(logLik(m), "df") - attr(logLik(before), "df"); mdf <- attr(logLik(m), "df") - 1
  list(n = n, minus2ll = -2 * ll, step_chi2 = 2 * (ll - lb), step_df = sdf, step_p = pchisq(2 * (ll - lb), sdf, lower.tail = FALSE),
       model_chi2 = 2 * (ll - l0), model_df = mdf, model_p = pchisq(2 * (ll - l0), mdf, lower.tail = FALSE), cox_snell = cs,
       nagelkerke = cs / (1 - exp(2 * l0 / n)), mcfadden = 1 - ll / l0, fit_accuracy = mean((p >= .5) == (y == 1)), auc = (sum(r[y == 1]) - n1 * (n1 + 1) / 2) / (n1 * (n - n1))) }
# glm's standard errors use the weights of the step before the last: once more from the solution.
exact <- function(f, d) { m <- glm(f, binomial, d, control = tight); environment(f) <- environment(); glm(f, binomial, d, control = tight, start = coef(m)) }
hierarchy <- function(formulas, d, y) { null <- glm(update(formulas[[1]], . ~ 1), binomial, d, control = tight); before <- null; out <- list()
  for (f in formulas) { m <- exact(f, d); t <- drop1(m, test = "LRT")[-1, ]
    out[[length(out) + 1]] <- list(measures = measures(m, before, null, y), coefficients = cells(m),
      terms = data.frame(term = rownames(t), chi2 = t$LRT, df = t$Df, p = t[["Pr(>Chi)"]])); before <- m }
  out }
R <- list(versions = list(R = R.version.string, brglm2 = as.character(packageVersion("brglm2"))), data = as.list(d))
R$blocks <- hierarchy(list(garbled ~ fluency + clarity, garbled ~ fluency + clarity + genre + pace), d, d$garbled)
R$interaction <- hierarchy(list(garbled ~ fluency + genre + fluency:genre), d, d$garbled)
b <- glm(garbled ~ fluency + clarity + genre + pace, binomial, d, control = tight)
repeat { t <- drop1(b, test = "LRT")[-1, ]; if (max(t[["Pr(>Chi)"]]) <= .05) break; b <- update(b, paste(". ~ . -", rownames(t)[which.max(t[["Pr(>Chi)"]])])) }
R$backward <- list(terms = attr(terms(b), "term.labels"), coefficients = cells(exact(formula(b), d)))
firth <- function(f, d) { m <- glm(f, binomial, d, method = "brglmFit", type = "AS_mean", epsilon = 1e-12, maxit = 1000); cells(m) }
R$firth <- firth(garbled ~ fluency + clarity + genre + pace, d)
# Quasi-complete separation: every garbled == 1 with flag 1; and complete separation by one variable.
q <- d[1:60, ]; q$flag <- as.integer(q$garbled == 1 & q$fluency < 0.5)
R$quasi <- list(flag = q$flag, firth = firth(garbled ~ clarity + flag, q), limit = hierarchy(list(garbled ~ clarity), q[q$flag == 0, ], q$garbled[q$flag == 0]))
s <- d[1:40, ]; s$perfect <- s$fluency; y <- as.integer(s$fluency > median(s$fluency))
s$garbled <- y; R$complete <- list(garbled = y, firth = firth(garbled ~ fluency + clarity, s))
folder <- commandArgs(TRUE)
if (length(folder) == 1) { v <- read.csv(file.path(folder, "VerbAgg.csv"), stringsAsFactors = TRUE); v$y <- as.integer(v$r2 == "Y")
  R$verbagg <- hierarchy(list(y ~ Anger + Gender, y ~ Anger + Gender + btype + situ + mode), v, v$y) }
norow <- function(x) if (is.data.frame(x)) { rownames(x) <- NULL; x } else if (is.list(x)) lapply(x, norow) else x
writeLines(toJSON(norow(R), digits = NA, auto_unbox = TRUE, dataframe = "rows"), "further_logistic.json")

# Reliability of ratings and dependent correlations: psych::ICC (lmer = FALSE), psych::paired.r and psych::r.test
# (Williams' test), cor.test.
# Run in this folder: OPENBLAS_NUM_THREADS=1 Rscript human_judgements.R   (writes human_judgements.json)
suppressPackageStartupMessages({library(jsonlite); library(psych)})
set.seed(2023)
forms <- c("ICC(1)", "ICC(2)", "ICC(3)", "ICC(1,k)", "ICC(2,k)", "ICC(3,k)")
of <- function(x) { r <- ICC(na.omit(x), lmer = FALSE)$results
  list(ratings = x, results = data.frame(type = forms, icc = r$ICC, f = r$F, df1 = r$df1, df2 = r$df2, p = r$p,
                                         ci_low = r$"lower bound", ci_high = r$"upper bound")) }
likert <- function(n, k, between, rater) pmin(pmax(round(4 + outer(rnorm(n, 0, between), rnorm(k, 0, rater), "+") + rnorm(n * k)), 1), 7)
frames <- list(
  shrout_fleiss = matrix(c(9,2,5,8, 6,1,3,2, 8,4,6,8, 7,1,2,6, 10,5,6,9, 6,2,4,7), ncol = 4, byrow = TRUE),
  good = likert(40, 5, 1.5, .5), unequal_raters = likert(25, 3, 1, 2), poor = likert(60, 4, .2, .1),
  below_zero = cbind(c(1, 7, 2, 6, 3, 5), c(7, 2, 6, 1, 5, 3)), two_raters = round(likert(15, 2, 1, .5) + rnorm(30, 0, .1), 3))
holes <- likert(30, 4, 1, .5); holes[cbind(c(2, 9, 17), c(1, 4, 2))] <- NA
long <- na.omit(data.frame(unit = factor(row(holes)), value = c(holes))); table <- anova(aov(value ~ unit, long))
unequal <- list(f = table$F[1], p = table$"Pr(>F)"[1], df1 = table$Df[1], df2 = table$Df[2], between = table$"Mean Sq"[1], within = table$"Mean Sq"[2])
icc <- c(lapply(frames, of), list(holes = of(holes)))
williams <- lapply(1:40, function(i) { n <- sample(c(4, 5, 8, 20, 60), 1)
  h <- rnorm(n); a <- h * runif(1, -1, 1) + rnorm(n); b <- a * runif(1, -1, 2) + h * runif(1) + rnorm(n)
  a <- round(a, 3); b <- round(b, 3); h <- round(h, 3)
  found <- r.test(n = n, r12 = cor(h, a), r13 = cor(h, b), r23 = cor(a, b))
  paired <- paired.r(cor(h, a), cor(h, b), cor(a, b), n)
  list(human = h, a = a, b = b, r12 = cor(h, a), r13 = cor(h, b), r23 = cor(a, b), t = found$t, p = found$p,
       t_paired = paired$t, p_paired = paired$p) })
write_json(list(versions = list(R = R.version.string, psych = as.character(packageVersion("psych"))), icc = icc, unequal = unequal, williams = williams),
           "human_judgements.json", digits = NA, na = "null", auto_unbox = TRUE)

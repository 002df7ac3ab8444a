# Intervals of effect sizes: eta squared and omega squared by the noncentral F, d_z and d_av by the noncentral t.
# Rscript intervals.R in this folder writes intervals.json. The data are those of ../anova.
# effectsize searches its bounds by optim, to three digits; uniroot on pf and pt has the others.
suppressPackageStartupMessages({library(afex); library(effectsize); library(jsonlite)})
afex_options(type = 3)
read <- function(name) read.csv(file.path("..", "anova", paste0(name, ".csv")), stringsAsFactors = TRUE)

root <- function(f, start, step) {
  if (f(start) <= 0) return(start)
  uniroot(f, c(start, start + step), extendInt = "downX", tol = 1e-12, maxiter = 10000)$root
}
lambda_of_f <- function(f, df1, df2, level = .9) c(
  root(function(l) pf(f, df1, df2, l) - (1 + level) / 2, 0, f * df1 + 1), root(function(l) pf(f, df1, df2, l) - (1 - level) / 2, 0, f * df1 + 1))
delta_of_t <- function(t, df, level = .95) c(
  uniroot(function(d) suppressWarnings(pt(t, df, d)) - (1 + level) / 2, t + c(-12, 12), tol = 1e-12)$root,
  uniroot(function(d) suppressWarnings(pt(t, df, d)) - (1 - level) / 2, t + c(-12, 12), tol = 1e-12)$root)

effects_of <- function(fit) {
  s <- suppressWarnings(summary(fit$Anova, multivariate = FALSE))
  u <- s$univariate.tests; errors <- sum(unique(round(u[, 3], 9)))
  u <- u[-1, , drop = FALSE]
  e <- s$pval.adjustments
  lapply(setNames(rownames(u), rownames(u)), function(name) {
    df1 <- u[name, 2]; df2 <- u[name, 4]; f <- u[name, 5]
    eps <- if (name %in% rownames(e)) e[name, "GG eps"] else 1
    bounds <- lambda_of_f(f, df1 * eps, df2 * eps) / eps
    ss <- bounds * u[name, 3] / df2
    partial <- F_to_eta2(f, df1 * eps, df2 * eps, ci = .9, alternative = "two.sided")
    list(pes = bounds / (bounds + df2), ges = ss / (ss + errors), omega2 = bounds / (bounds + df1 + df2 + 1),
         effectsize = c(partial$CI_low, partial$CI_high), eps = eps)
  })
}
fit_of <- function(data, dv, ...) suppressWarnings(suppressMessages(aov_ez("participant", dv, data, fun_aggregate = mean, na.rm = TRUE, ...)))
out <- list(versions = sapply(c("afex", "effectsize"), function(p) as.character(packageVersion(p))))
within <- read("two_within"); within$participant <- factor(within$participant); within$item <- factor(within$item)
mixed <- read("mixed_unbalanced"); mixed$participant <- factor(mixed$participant)
skewed <- read("non_spherical"); skewed$participant <- factor(skewed$participant)
out$two_within <- effects_of(fit_of(within, "z", within = c("marker", "order")))
out$mixed_unbalanced <- effects_of(fit_of(mixed, "y", within = c("marker", "order"), between = c("group", "sex")))
out$non_spherical <- effects_of(fit_of(skewed, names(skewed)[ncol(skewed)], within = setdiff(names(skewed), c("participant", names(skewed)[ncol(skewed)]))))

# d_z and d_av of two conditions over participants and over items; d_z against effectsize::cohens_d, paired.
paired <- function(a, b) {
  n <- length(a); d <- a - b; t <- unname(t.test(a, b, paired = TRUE)$statistic); bounds <- delta_of_t(t, n - 1)
  average <- sqrt((var(a) + var(b)) / 2)
  theirs <- cohens_d(a, b, paired = TRUE)
  list(d_z = mean(d) / sd(d), d_z_ci = bounds / sqrt(n), effectsize = c(theirs$Cohens_d, theirs$CI_low, theirs$CI_high),
       d_av = mean(d) / average, d_av_ci = bounds * sd(d) / sqrt(n) / average)
}
of_unit <- function(unit, ...) {
  cells <- aggregate(within["z"], list(unit = within[[unit]], marker = within$marker, order = within$order), mean, na.rm = TRUE)
  means <- aggregate(cells["z"], cells[c("unit", "marker")], mean)
  value <- function(m) means$z[means$marker == m]
  paired(value("because"), value("cause"))
}
out$because_cause <- list(participant = of_unit("participant"), item = of_unit("item"))

# Two groups of unequal size: Cohen's d with the pooled standard deviation; the mean over the cells of everybody.
means <- aggregate(mixed["y"], mixed[c("participant", "group", "marker", "order")], mean)
means <- aggregate(means["y"], means[c("participant", "group")], mean)
groups <- levels(means$group)[1:2]
two <- droplevels(means[means$group %in% groups, ])
a <- two$y[two$group == groups[1]]; b <- two$y[two$group == groups[2]]
t <- unname(t.test(a, b, var.equal = TRUE)$statistic); theirs <- cohens_d(a, b)
out$groups <- list(levels = groups, d = t * sqrt(1 / length(a) + 1 / length(b)),
  ci = delta_of_t(t, length(a) + length(b) - 2) * sqrt(1 / length(a) + 1 / length(b)),
  effectsize = c(theirs$Cohens_d, theirs$CI_low, theirs$CI_high))
writeLines(toJSON(out, auto_unbox = TRUE, digits = NA, pretty = TRUE), "intervals.json")

# What follows an analysis of variance: checks of its assumptions, omega squared, simple effects, planned contrasts, and
# ranks in its place. Writes follow_up.json beside this file: Rscript follow_up.R
suppressMessages({library(afex); library(emmeans); library(effectsize); library(car); library(jsonlite)})
afex_options(type = 3)
here <- dirname(sub("--file=", "", grep("--file=", commandArgs(FALSE), value = TRUE)))
read <- function(name) read.csv(file.path(here, paste0(name, ".csv")), stringsAsFactors = TRUE)
out <- list(versions = list(R = R.version.string, afex = as.character(packageVersion("afex")),
  car = as.character(packageVersion("car")), emmeans = as.character(packageVersion("emmeans")),
  effectsize = as.character(packageVersion("effectsize"))))

mixed <- read("mixed_unbalanced"); mixed$participant <- factor(mixed$participant)
fit <- suppressMessages(aov_ez("participant", "y", mixed, within = c("marker", "order"), between = c("group", "sex"),
  fun_aggregate = mean))
means <- aggregate(y ~ participant + group + sex, mixed, mean)
wide <- aggregate(y ~ participant + group + sex + marker + order, mixed, mean)
levene <- function(data, center) {
  table <- leveneTest(y ~ group * sex, data, center = center)
  list(df1 = table$Df[1], df2 = table$Df[2], f = table$`F value`[1], p = table$`Pr(>F)`[1])
}
out$levene <- list(mean = levene(means, mean), median = levene(means, median),

  cells = lapply(split(wide, list(wide$marker, wide$order), sep = ":"), levene, center = median))
within <- read("two_within"); within$participant <- factor(within$participant)
two <- suppressWarnings(suppressMessages(aov_ez("participant", "z", within, within = c("marker", "order"),
  fun_aggregate = mean, na.rm = TRUE, include_aov = TRUE)))
from_f <- function(table) lapply(split(table, rownames(table)), function(row)
  F_to_omega2(row$F, row$`num Df`, row$`den Df`)$Omega2_partial)
uncorrected <- function(fit) anova(fit, correction = "none")
out$omega <- list(two_within = from_f(uncorrected(two)), mixed_unbalanced = from_f(uncorrected(fit)))

table_of <- function(fit) {
  raw <- suppressWarnings(anova(fit, correction = "none", es = "none")); gg <- suppressWarnings(anova(fit, correction = "GG", es = "none"))
  lapply(setNames(rownames(raw), rownames(raw)), function(e) list(df1 = raw[e, "num Df"], df2 = raw[e, "den Df"],
    f = raw[e, "F"], p = raw[e, "Pr(>F)"], p_gg = gg[e, "Pr(>F)"]))
}
subset_fit <- function(data, dv, within, between = NULL) suppressWarnings(suppressMessages(
  aov_ez("participant", dv, droplevels(data), within = within, between = between, fun_aggregate = mean, na.rm = TRUE)))
out$simple <- list(
  marker_by_order = lapply(split(within, within$order), function(d) table_of(subset_fit(d, "z", "marker"))),
  order_by_marker = lapply(split(within, within$marker), function(d) table_of(subset_fit(d, "z", "order"))),
  mixed_by_group = lapply(split(mixed, mixed$group), function(d) table_of(subset_fit(d, "y", c("marker", "order"), "sex"))),
  mixed_by_marker = lapply(split(mixed, mixed$marker), function(d) table_of(subset_fit(d, "y", "order", c("group", "sex")))))
over_levels <- function(tables) {
  for (effect in names(tables[[1]])) {
    p <- p.adjust(sapply(tables, function(level) level[[effect]]$p_gg), "holm")
    for (i in seq_along(tables)) tables[[i]][[effect]]$p_holm <- p[[i]]
  }
  tables
}
out$simple <- lapply(out$simple, over_levels)

rows <- function(frame) lapply(seq_len(nrow(frame)), function(i) as.list(frame[i, ]))
contrasts_of <- function(fit, specs, weights) {
  grid <- emmeans(fit, specs, model = "multivariate")
  s <- as.data.frame(summary(contrast(grid, weights), infer = TRUE))
  h <- as.data.frame(summary(contrast(grid, weights, adjust = "holm")))
  b <- as.data.frame(summary(contrast(grid, weights, adjust = "bonferroni")))
  s$p_holm <- h$p.value; s$p_bonferroni <- b$p.value; s$contrast <- as.character(s$contrast)
  rows(s)
}
levels_of <- levels(within$marker); k <- length(levels_of)
first <- lapply(2:k, function(i) { w <- rep(0, k); w[1] <- -1; w[i] <- 1; w })
names(first) <- paste0(levels_of[-1], " - ", levels_of[1])
# The columns of contr.helmert, each divided by the number of levels before: the level against their mean.
helmert <- lapply(seq_len(k - 1), function(i) contr.helmert(k)[, i] / i)
names(helmert) <- levels_of[-1]
out$contrasts <- list(
  levels = levels_of,
  first = contrasts_of(two, "marker", first),
  polynomial = contrasts_of(two, "marker", as.list(as.data.frame(contr.poly(k)))),
  sum = contrasts_of(two, "marker", as.list(as.data.frame(diag(k) - 1 / k))),
  helmert = contrasts_of(two, "marker", helmert),
  mixed_group = contrasts_of(fit, "group", list(own = c(1, -1, rep(0, nlevels(mixed$group) - 2)))),
  interaction = { grid <- emmeans(two, c("marker", "order"), model = "multivariate")
    w <- rep(0, k * 2); g <- as.data.frame(grid)
    w[g$marker == levels_of[1]] <- ifelse(g$order[g$marker == levels_of[1]] == levels(within$order)[1], 1, -1)
    w[g$marker == levels_of[2]] <- ifelse(g$order[g$marker == levels_of[2]] == levels(within$order)[1], -1, 1)
    s <- as.data.frame(summary(contrast(grid, list(own = w)), infer = TRUE)); rows(s) })

dose <- read("non_spherical"); dose$participant <- factor(dose$participant)
cells <- aggregate(y ~ participant + dose, dose, mean)
ranked <- function(cells) {
  m <- tapply(cells$y, list(cells$participant, cells$dose), mean)
  f <- friedman.test(m); pairs <- combn(colnames(m), 2)
  list(chi2 = unname(f$statistic), df = unname(f$parameter), p = f$p.value, n = nrow(m), k = ncol(m),
    pairs = lapply(seq_len(ncol(pairs)), function(i) { a <- m[, pairs[1, i]]; b <- m[, pairs[2, i]]
      w <- suppressWarnings(wilcox.test(a, b, paired = TRUE)); wa <- suppressWarnings(wilcox.test(a, b, paired = TRUE, exact = FALSE, correct = TRUE))
      list(a = pairs[1, i], b = pairs[2, i], v = unname(w$statistic), p = w$p.value, p_normal = wa$p.value) }))
}
tied <- cells; tied$y <- round(tied$y * 2) / 2
write.csv(tied, file.path(here, "tied_ranks.csv"), row.names = FALSE)
out$friedman <- list(non_spherical = ranked(cells), tied = ranked(tied))
write_json(out, file.path(here, "follow_up.json"), digits = NA, auto_unbox = TRUE, pretty = TRUE)

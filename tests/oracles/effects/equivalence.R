# Two one-sided tests of two conditions by t.test, and with bounds in d_z by the noncentral t. Data: ../anova.
# Rscript equivalence.R in this folder writes equivalence.json.
suppressPackageStartupMessages(library(jsonlite))
within <- read.csv(file.path("..", "anova", "two_within.csv"), stringsAsFactors = TRUE); within <- within[!is.na(within$z), ]
mixed <- read.csv(file.path("..", "anova", "mixed_unbalanced.csv"), stringsAsFactors = TRUE)
tests <- function(a, b, low, high, ...) {
  above <- t.test(a, b, mu = low, alternative = "greater", ...); below <- t.test(a, b, mu = high, alternative = "less", ...)
  both <- t.test(a, b, ...); interval <- t.test(a, b, conf.level = .9, ...)$conf.int
  list(p_low = above$p.value, p_high = below$p.value, p_difference = both$p.value, t = unname(both$statistic),
       df = unname(both$parameter), ci = as.vector(interval))
}
in_d <- function(t, df, bound) list(p_low = pt(t, df, -bound, lower.tail = FALSE), p_high = pt(t, df, bound))
of_unit <- function(unit) {
  cells <- aggregate(within["z"], list(unit = within[[unit]], marker = within$marker, order = within$order), mean)
  means <- aggregate(cells["z"], cells[c("unit", "marker")], mean)
  a <- means$z[means$marker == "because"]; b <- means$z[means$marker == "cause"]
  raw <- tests(a, b, -.4, .9, paired = TRUE)
  list(raw = raw, d_z = in_d(raw$t, raw$df, .8 * sqrt(length(a))))
}
means <- aggregate(mixed["y"], mixed[c("participant", "group", "marker", "order")], mean)
means <- aggregate(means["y"], means[c("participant", "group")], mean)
groups <- levels(means$group)[1:2]
two <- function(level) means$y[means$group == level]
# Groups that vary unequally: those means, of the second group three times as far from their mean.
uneven <- list(two(groups[1]), mean(two(groups[2])) + 3 * (two(groups[2]) - mean(two(groups[2]))))
out <- list(participant = of_unit("participant"), item = of_unit("item"),
            groups = c(list(levels = groups), tests(two(groups[1]), two(groups[2]), -1, 1, var.equal = TRUE)),
            welch = c(list(levels = groups, values = uneven), tests(uneven[[1]], uneven[[2]], -1, 1, var.equal = FALSE)))
writeLines(toJSON(out, auto_unbox = TRUE, digits = NA, pretty = TRUE), "equivalence.json")

# Bayes factors of BayesFactor: ttest.tstat (by quadrature) and anovaBF (by Monte Carlo, with its error). Data: ../anova.
# Rscript bayes.R in this folder writes bayes.json.
suppressPackageStartupMessages({library(BayesFactor); library(jsonlite)})
set.seed(2012)
within <- read.csv(file.path("..", "anova", "two_within.csv"), stringsAsFactors = TRUE); within <- within[!is.na(within$z), ]
within$participant <- factor(within$participant); within$item <- factor(within$item)
scales <- c(sqrt(2) / 2, 1, sqrt(2))
of_t <- function(t, n1, n2 = 0) sapply(scales, function(r) ttest.tstat(t, n1, n2, rscale = r)$bf)
of_unit <- function(unit) {
  cells <- aggregate(within["z"], list(unit = within[[unit]], marker = within$marker, order = within$order), mean)
  means <- aggregate(cells["z"], cells[c("unit", "marker")], mean)
  a <- means$z[means$marker == "because"]; b <- means$z[means$marker == "cause"]
  by_hand <- extractBF(ttestBF(a, b, paired = TRUE, rscale = scales[1]))$bf
  list(ln_bf = of_t(unname(t.test(a, b, paired = TRUE)$statistic), length(a)), bf = by_hand)
}
table_of <- function(formula, data) {
  found <- extractBF(anovaBF(formula, data, whichRandom = "unit", progress = FALSE, iterations = 200000))
  lapply(setNames(seq_len(nrow(found)), sub(" \\+ unit$", "", rownames(found))), function(i) list(bf = found$bf[i], error = found$error[i]))
}
cells <- aggregate(within["z"], list(unit = within$participant, marker = within$marker, order = within$order), mean)
one <- aggregate(within["z"], list(unit = within$participant, marker = within$marker), mean)
many <- list(c(0, 12), c(1, 20), c(2.5, 24), c(-3, 40), c(8, 30), c(25, 60), c(.3, 400))
out <- list(versions = list(BayesFactor = as.character(packageVersion("BayesFactor"))),
  participant = of_unit("participant"), item = of_unit("item"),
  t = lapply(many, function(x) list(t = x[1], n = x[2], ln_bf = of_t(x[1], x[2]))),
  two_groups = list(t = 2.5, n1 = 12, n2 = 14, ln_bf = of_t(2.5, 12, 14)),
  one_factor = table_of(z ~ marker + unit, one), two_factors = table_of(z ~ marker * order + unit, cells))
writeLines(toJSON(out, auto_unbox = TRUE, digits = NA, pretty = TRUE), "bayes.json")

# Times the R counterpart of each method on one CSV file: Rscript methods_against_r.R FILE.csv REPETITIONS
# Prints one line per method: name, median seconds of processor time, one number to compare. Reading the file counts; loading packages does not.
suppressPackageStartupMessages({library(afex); library(emmeans)})
suppressMessages({afex_options(type = 3); set_sum_contrasts()})
emm_options(msg.interaction = FALSE)
arguments <- commandArgs(TRUE)
read <- function() read.csv(arguments[1], stringsAsFactors = FALSE, colClasses = c(participant = "character", item = "character"))
over <- function(d, unit) suppressMessages(aov_ez(unit, "z", d, within = c("marker", "order"), fun_aggregate = mean))
f_of <- function(a) { s <- suppressWarnings(summary(a$Anova, multivariate = FALSE)); s$univariate.tests["marker:order", "F value"] }
methods <- list(
  "normalise" = function() { d <- read(); z <- ave(d$z, d$participant, FUN = function(x) (x - mean(x)) / sd(x)); sum(z^3) },
  "rm-anova" = function() f_of(over(read(), "participant")),
  "rm-anova, items" = function() f_of(over(read(), "item")),
  "min-f" = function() { d <- read(); f1 <- f_of(over(d, "participant")); f2 <- f_of(over(d, "item")); f1 * f2 / (f1 + f2) },
  "tukey, multivariate" = function() { a <- over(read(), "participant"); p <- summary(pairs(emmeans(a, ~ marker * order, model = "multivariate"), adjust = "tukey"), infer = TRUE); sum(p$SE) },
  "n-best" = function() { d <- read(); m <- aggregate(z ~ item + marker + order, d, mean); o <- do.call(rbind, lapply(split(m$z, m$item), sort, decreasing = TRUE)); mean(o[, 1]) },
  "correlation" = function() { d <- read(); m <- aggregate(cbind(z, words) ~ item, d, mean); suppressWarnings(cor.test(m$z, m$words, method = "spearman"))$estimate[[1]] })
for (name in names(methods)) {
  seconds <- numeric(0)
  for (i in seq_len(as.integer(arguments[2]))) seconds[i] <- { t <- system.time(value <- methods[[name]]()); t[["user.self"]] + t[["sys.self"]] }
  cat(name, format(median(seconds), digits = 6), format(value, digits = 15), sep = "\t"); cat("\n")
}

# Reference results for designs of every kind (designs/*.csv, random and small): afex and emmeans on R 4.2.2.
# Rscript designs.R in this folder writes designs/expected.json. Names are made syntactic for R and turned back by position.
suppressPackageStartupMessages({library(afex); library(emmeans); library(jsonlite)})

number <- function(x) { x <- as.numeric(x); if (length(x) && is.finite(x)) x else NA }

one <- function(name, given) {
  data <- read.csv(file.path("designs", paste0(name, ".csv")), sep = given$delimiter, check.names = FALSE,
                   colClasses = "character", na.strings = c("", "NA", "NaN"), fileEncoding = "UTF-8-BOM")
  if ("phase" %in% names(data)) data <- data[data$phase == "main" & tolower(data$excluded) == "false" &
                                               tolower(data$is_filler) == "false", ]
  within <- unlist(given$within); between <- unlist(given$between)
  long <- data.frame(id = factor(data[[given$column]]), y = as.numeric(data[[given$dv]]))
  short <- character()
  for (factor_name in c(within, between)) {
    short[factor_name] <- paste0("f", length(short) + 1)
    levels <- unlist(given$levels[[factor_name]])
    long[[short[factor_name]]] <- factor(match(data[[factor_name]], levels), seq_along(levels))
  }
  w <- unname(short[within]); b <- unname(short[between])
  long <- long[!is.na(long$y), ]
  # A level common to all values changes no test; without it car keeps its digits.
  long$y <- long$y - if (min(long$y) > 1e6) round(min(long$y)) else 0
  means <- aggregate(long["y"], long[c("id", c(w, b))], mean)
  complete <- names(which(table(means$id) == max(table(means$id))))
  means <- droplevels(means[means$id %in% complete, ])
  fit <- suppressMessages(suppressWarnings(aov_ez("id", "y", means, within = if (length(w)) w, between = if (length(b)) b,
    type = 3, anova_table = list(correction = "none", es = c("ges", "pes")))))
  table <- fit$anova_table
  univariate <- if (length(w)) suppressWarnings(summary(fit$Anova)) else NULL
  back <- function(effect) { for (f in names(short)) effect[effect == short[f]] <- f; effect }
  anova <- lapply(rownames(table), function(effect) {
    row <- list(factors = I(back(strsplit(effect, ":")[[1]])), df1 = table[effect, 1], df2 = table[effect, 2],
                f = table[effect, "F"], p = table[effect, "Pr(>F)"], ges = table[effect, "ges"], pes = table[effect, "pes"])
    adjusted <- univariate$pval.adjustments
    if (effect %in% rownames(adjusted) && is.finite(adjusted[effect, "GG eps"])) {
      row <- c(row, list(eps_gg = adjusted[effect, "GG eps"], p_gg = adjusted[effect, "Pr(>F[GG])"],
                         eps_hf = adjusted[effect, "HF eps"], p_hf = adjusted[effect, "Pr(>F[HF])"]))
      if (effect %in% rownames(univariate$sphericity.tests))
        row <- c(row, list(mauchly_w = univariate$sphericity.tests[effect, 1], mauchly_p = univariate$sphericity.tests[effect, 2]))
    }
    row
  })
  result <- list(units = length(complete), anova = anova)
  by <- unname(short[unlist(given$by)]); compared <- setdiff(w, by)
  if (length(compared)) {
    grid <- suppressMessages(emmeans(fit, c(by, compared), model = "multivariate"))
    pairs <- as.data.frame(summary(pairs(grid, by = if (length(by)) by, adjust = "tukey")))
    result$pairs <- sort(abs(pairs$t.ratio)); result$pairs_df <- pairs$df[1]
    result$pairs_p <- sort(suppressWarnings(pairs$p.value))
  }
  result
}

given <- fromJSON("designs/parameters.json", simplifyVector = FALSE)
results <- lapply(setNames(names(given), names(given)), function(name) one(name, given[[name]]))
results$versions <- sapply(c("afex", "car", "emmeans"), function(p) as.character(packageVersion(p)))
writeLines(toJSON(results, auto_unbox = TRUE, digits = NA, na = "null", pretty = TRUE), "designs/expected.json")

# minF' of a design with groups of people and genres of texts: F1 and F2 by afex, minF' by Clark's formula, on R 4.2.2.
# Rscript minf_between.R in this folder writes minf_between.json, the data included.
suppressPackageStartupMessages({library(afex); library(jsonlite)})
set.seed(1973)
data <- expand.grid(marker = c("a", "b", "c"), item = sprintf("I%d", 1:6), participant = sprintf("P%d", 1:8))
data$group <- ifelse(data$participant %in% sprintf("P%d", 1:5), "g", "h")
data$genre <- ifelse(data$item %in% c("I1", "I2"), "x", "y")
people <- rnorm(8 * 3); things <- rnorm(6 * 3)
data$z <- round(people[as.integer(data$participant) + 8 * (as.integer(data$marker) - 1)] + rnorm(nrow(data), 0, 0.4) +
                things[as.integer(data$item) + 6 * (as.integer(data$marker) - 1)] + (data$marker == "c") * 2, 3)

over <- function(unit, within, between) {
  means <- aggregate(data["z"], data[c(unit, within, between)], mean)
  suppressMessages(suppressWarnings(aov_ez(unit, "z", means, within = within, between = between, type = 3,
                                           anova_table = list(correction = "none", es = "none"))))$anova_table
}
named <- function(table) setNames(seq_len(nrow(table)), sapply(strsplit(rownames(table), ":"), function(e)
  paste(sort(e), collapse = ":")))
first <- over("participant", c("marker", "genre"), "group")
second <- over("item", c("marker", "group"), "genre")
effects <- lapply(names(named(first)), function(effect) {
  one <- first[named(first)[[effect]], ]; two <- second[named(second)[[effect]], ]
  f1 <- one[["F"]]; f2 <- two[["F"]]; minf <- f1 * f2 / (f1 + f2)
  df2 <- (f1 + f2)^2 / (f1^2 / two[["den Df"]] + f2^2 / one[["den Df"]])
  list(factors = I(strsplit(effect, ":")[[1]]), f1 = f1, df1_error = one[["den Df"]], f2 = f2,
       df2_error = two[["den Df"]], minf = minf, df1 = one[["num Df"]], df2 = df2,
       p = pf(minf, one[["num Df"]], df2, lower.tail = FALSE), p1 = one[["Pr(>F)"]], p2 = two[["Pr(>F)"]])
})
writeLines(toJSON(list(data = data, effects = effects, versions = list(afex = as.character(packageVersion("afex")))),
                  auto_unbox = TRUE, digits = NA, dataframe = "columns"), "minf_between.json")

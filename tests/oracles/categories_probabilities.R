# Reference values: standard errors of the probabilities of categories in every condition, by emmeans (mode = "prob") of
# nnet::multinom, and intervals that are symmetric in log odds, from these standard errors. Data: those of categories.R,
# and the same with a second factor; saturated, where baseline contrasts are the multinomial model.
# Run in this folder after categories.R: Rscript categories_probabilities.R   (writes categories_probabilities.json)
suppressPackageStartupMessages({library(jsonlite); library(nnet); library(emmeans)})
d <- as.data.frame(fromJSON("categories.json")$data)
d$half <- c("first", "second")[1 + (as.integer(sub("I", "", d$item)) > 8)]
d$choice <- factor(d$choice, levels = c("none", "left", "right"))
shown <- function(formula, over) {
  m <- do.call(multinom, list(formula = formula, data = d, trace = FALSE, abstol = 1e-13, reltol = 1e-15, maxit = 5000))
  e <- as.data.frame(emmeans(m, over, mode = "prob"))
  half <- qnorm(.975) * e$SE / (e$prob * (1 - e$prob))
  list(cells = e[, setdiff(names(e), c("prob", "SE", "df", "lower.CL", "upper.CL")), drop = FALSE], prob = e$prob, se = e$SE,
       low = plogis(qlogis(e$prob) - half), high = plogis(qlogis(e$prob) + half))
}
writeLines(toJSON(list(versions = list(R = R.version.string, nnet = as.character(packageVersion("nnet")), emmeans = as.character(packageVersion("emmeans"))),
  one = shown(choice ~ marker, ~ choice | marker), two = shown(choice ~ marker * half, ~ choice | marker * half)),
  digits = NA, auto_unbox = TRUE, dataframe = "columns"), "categories_probabilities.json")

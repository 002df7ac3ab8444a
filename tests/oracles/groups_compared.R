# Reference values: pairs between groups, and between groups and cells, after a mixed analysis of variance, by emmeans.
# Run in this folder: Rscript groups_compared.R   (writes groups_compared.json)
suppressPackageStartupMessages({library(jsonlite); library(emmeans)})
set.seed(20261123)
d <- expand.grid(marker = c("x", "y"), participant = sprintf("p%02d", 1:18)); d$group <- rep(c("g1", "g2", "g3"), each = 12)
d$z <- round(rep(rnorm(18), each = 2) + .9 * (d$group == "g2") + .5 * (d$marker == "y") * (d$group == "g3") + rnorm(36, 0, .6), 3)
plain <- function(x) { x <- as.data.frame(x); x[] <- lapply(x, function(v) if (is.factor(v)) as.character(v) else v); x }
pairs_of <- function(grid) { p <- pairs(grid, adjust = "tukey"); cbind(plain(p), plain(confint(p))[, c("lower.CL", "upper.CL")]) }
compared <- function(grid_of) list(averaged = pairs_of(grid_of(~ group)), apart = pairs_of(grid_of(~ group | marker)), cells = pairs_of(grid_of(~ group * marker)))
of_mlm <- function(data) { w <- reshape(data, idvar = c("participant", "group"), timevar = "marker", direction = "wide"); m <- lm(cbind(x = z.x, y = z.y) ~ group, w); compared(function(f) emmeans(m, f, mult.name = "marker")) }
univariate <- { m <- aov(z ~ group * marker + Error(participant / marker), d); suppressMessages(compared(function(f) emmeans(m, f))) }
unequal <- d[!d$participant %in% c("p01", "p02", "p13"), ]
writeLines(toJSON(list(versions = list(R = R.version.string, emmeans = as.character(packageVersion("emmeans"))), data = plain(d), left_out = c("p01", "p02", "p13"),
  univariate = univariate, multivariate = of_mlm(d), unequal = of_mlm(unequal)), digits = NA, auto_unbox = TRUE, dataframe = "rows"), "groups_compared.json")

# Reference values: the same mixed model for every region (lme4, lmerTest), p adjusted over the regions by p.adjust.
# Run in this folder: OPENBLAS_NUM_THREADS=1 Rscript regions.R   (writes regions.json)
suppressPackageStartupMessages({library(jsonlite); library(lme4); library(lmerTest)})
set.seed(20261122)
d <- expand.grid(from_critical = -1:2, participant = sprintf("P%02d", 1:14), item = sprintf("I%02d", 1:12))
p <- as.integer(d$participant); i <- as.integer(d$item)
d$clause <- c("object", "subject")[(p + i) %% 2 + 1]; d$characters <- sample(3:11, nrow(d), TRUE)
effect <- c("-1" = 0, "0" = -.14, "1" = -.07, "2" = 0)[as.character(d$from_critical)]
d$rt_ms <- round(exp(5.7 + .02 * d$characters + effect * (d$clause == "subject") + rnorm(14, 0, .2)[p] + rnorm(12, 0, .1)[i] +
                       rnorm(nrow(d), 0, .22)), 1)
d <- d[runif(nrow(d)) < .95, ]
tight <- lmerControl(optimizer = "bobyqa", calc.derivs = FALSE, optCtrl = list(rhobeg = 1e-2, rhoend = 1e-9, maxfun = 1e6))
one <- function(place) {
  m <- lmer(log(rt_ms) ~ clause + characters + (1 | participant) + (1 | item), d[d$from_critical == place, ], control = tight)
  k <- as.data.frame(summary(m)$coefficients); names(k) <- c("estimate", "se", "df", "t", "p")
  cbind(region = as.character(place), term = rownames(k), k)
}
fixed <- do.call(rbind, lapply(-1:2, one)); rownames(fixed) <- NULL
for (how in c("holm", "BH")) fixed[[paste0("p_", tolower(how))]] <- ave(fixed$p, fixed$term, FUN = function(x) p.adjust(x, how))
draws <- replicate(5, round(runif(7)^3, 6), simplify = FALSE)
result <- list(versions = list(R = R.version.string, lme4 = as.character(packageVersion("lme4")), lmerTest = as.character(packageVersion("lmerTest"))),
  formula = "log(rt_ms) ~ clause + characters + (1 | participant) + (1 | item)", data = d, fixed = fixed,
  adjusted = lapply(draws, function(x) list(p = x, holm = p.adjust(x, "holm"), bh = p.adjust(x, "BH"))))
writeLines(toJSON(result, digits = NA, auto_unbox = TRUE, dataframe = "columns"), "regions.json")

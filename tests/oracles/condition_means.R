# Means per condition of standardised measures, and logistic regression on them: ave, tapply, glm.
# Run in this folder: OPENBLAS_NUM_THREADS=1 Rscript condition_means.R   (writes condition_means.json)
suppressPackageStartupMessages(library(jsonlite))
set.seed(2015)
d <- expand.grid(item = sprintf("T%02d", 1:9), participant = sprintf("P%02d", 1:12), stringsAsFactors = FALSE)
i <- as.integer(substring(d$item, 2)); p <- as.integer(substring(d$participant, 2))
d$condition <- ifelse(i > 6, "", c("gold", "lin", "sem")[(i + p) %% 3 + 1])
d$is_filler <- ifelse(i > 6, "true", "false")
d$pace <- round(exp(5.5 + rnorm(12, 0, .2)[p] + .1 * (d$condition == "sem") + .3 * (i > 6) + rnorm(nrow(d), 0, .2)), 2)
d$fluency <- round(exp(3 + rnorm(12, 0, .5)[p] - .4 * (d$condition == "sem") + rnorm(nrow(d), 0, .4)), 1)
d$pace[c(5, 40)] <- NA
z <- function(x, by) ave(x, by, FUN = function(v) (v - mean(v, na.rm = TRUE)) / sd(v, na.rm = TRUE))
level <- ifelse(d$condition == "", "filler", d$condition)
described <- function(x) do.call(rbind, lapply(sort(unique(level)), function(l) { own <- level == l & !is.na(x)
  data.frame(condition = l, n = sum(own), mean = mean(x[own]), sd_participants = sd(tapply(x[own], d$participant[own], mean)), sd_trials = sd(x[own])) }))
terms <- list("z(pace)" = z(d$pace, d$participant), "z2(pace)" = z(d$pace, d$item), "log(fluency)" = log(d$fluency), "pace" = d$pace)
critical <- d[d$is_filler == "false" & !is.na(d$pace), ]
critical$z <- z(critical$pace, critical$participant); critical$z2 <- z(critical$pace, critical$item)
m <- glm(condition == "sem" ~ z + z2 + log(fluency), binomial, critical, control = list(epsilon = 1e-14, maxit = 100))
write_json(list(data = d, means = lapply(terms, described), logistic = list(b = unname(coef(m)), minus2ll = deviance(m), n = nobs(m))),
           "condition_means.json", digits = NA, na = "null", auto_unbox = TRUE)

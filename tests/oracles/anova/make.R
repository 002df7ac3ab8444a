# Reference values for normalise, rm-anova, min-f, tukey and correlation, with the small data sets they rest on.
# Run in this folder: OPENBLAS_NUM_THREADS=1 Rscript make.R
# Packages: afex, car, emmeans, jsonlite. Versions are stored in expected.json.
suppressPackageStartupMessages({library(afex); library(emmeans); library(jsonlite)})
afex_options(type = 3)
set_sum_contrasts()
emm_options(msg.interaction = FALSE)

plain <- function(x) { x <- as.data.frame(x); x[] <- lapply(x, function(v) if (is.factor(v)) as.character(v) else v); rownames(x) <- NULL; x }

# One row per effect of an afex analysis with within factors.
effects_of <- function(a) {
  s <- suppressWarnings(summary(a$Anova, multivariate = FALSE))
  u <- s$univariate.tests[-1, , drop = FALSE]
  sizes <- anova(a, es = c("ges", "pes"), correction = "none")
  out <- data.frame(effect = rownames(u), ss = u[, 1], df1 = u[, 2], ss_error = u[, 3], df2 = u[, 4], f = u[, 5], p = u[, 6])
  out$ges <- sizes[out$effect, "ges"]
  out$pes <- sizes[out$effect, "pes"]
  out$mauchly_w <- NA; out$mauchly_p <- NA; out$eps_gg <- NA; out$p_gg <- NA; out$eps_hf <- NA; out$p_hf <- NA
  m <- s$sphericity.tests; e <- s$pval.adjustments
  for (t in rownames(m)) out[out$effect == t, c("mauchly_w", "mauchly_p")] <- m[t, 1:2]
  for (t in rownames(e)) out[out$effect == t, c("eps_gg", "p_gg", "eps_hf", "p_hf")] <- e[t, 1:4]
  out
}

# Epsilon of Greenhouse and Geisser from its definition, for designs in which afex gives none.
greenhouse_geisser <- function(wide) {
  k <- ncol(wide); S <- cov(wide)
  P <- diag(k) - 1 / k
  E <- P %*% S %*% P
  sum(diag(E))^2 / ((k - 1) * sum(E * E))
}

expected <- list(versions = as.list(c(R = R.version.string, sapply(c("afex", "car", "emmeans"), function(p) as.character(packageVersion(p))))))
save <- function(d, name) write.csv(d, paste0(name, ".csv"), row.names = FALSE, na = "", quote = FALSE)

# Two within factors, three items a cell, one trial in twenty missing; also min-f and Tukey.
set.seed(101)
d <- expand.grid(item = sprintf("i%02d", 1:9), order = c("ab", "ba"), marker = c("because", "cause", "so"), participant = sprintf("%03d", 1:8))
by_participant <- rnorm(8, 0, .5); by_item <- rnorm(9, 0, .4); slope <- matrix(rnorm(48, 0, .4), 8)
d$z <- round(.5 * (d$marker == "cause") * (d$order == "ba") + .2 * (d$marker == "so") + by_participant[d$participant] + by_item[d$item] +
  slope[cbind(as.integer(d$participant), as.integer(interaction(d$marker, d$order)))] + rnorm(nrow(d), 0, .8), 3)
d$z[sample(nrow(d), 21)] <- NA
save(d, "two_within")
o <- d[!is.na(d$z), ]
a1 <- aov_ez("participant", "z", o, within = c("marker", "order"), fun_aggregate = mean, include_aov = TRUE)
a2 <- aov_ez("item", "z", o, within = c("marker", "order"), fun_aggregate = mean)
f1 <- effects_of(a1); f2 <- effects_of(a2)
minf <- data.frame(effect = f1$effect, minf = f1$f * f2$f / (f1$f + f2$f), df1 = f1$df1, df2 = (f1$f + f2$f)^2 / (f1$f^2 / f2$df2 + f2$f^2 / f1$df2))
minf$p <- pf(minf$minf, minf$df1, minf$df2, lower.tail = FALSE)
tukey <- list()
for (model in c("univariate", "multivariate")) {
  all <- emmeans(a1, ~ marker * order, model = model)
  inside <- emmeans(a1, ~ order | marker, model = model)
  tukey[[model]] <- list(
    all = cbind(plain(pairs(all, adjust = "tukey")), plain(confint(pairs(all, adjust = "tukey")))[, c("lower.CL", "upper.CL")], holm = plain(pairs(all, adjust = "holm"))$p.value),
    inside = cbind(plain(pairs(inside, adjust = "tukey")), plain(confint(pairs(inside, adjust = "tukey")))[, c("lower.CL", "upper.CL")]))
}
cells <- a1$data$long
cells$cell <- interaction(cells$marker, cells$order, sep = ":")
m <- tapply(cells$z, cells$cell, mean); n <- length(unique(cells$participant)); mse <- f1$ss_error[3] / f1$df2[3]
pooled <- do.call(rbind, combn(names(m), 2, function(ab) { q <- abs(m[[ab[1]]] - m[[ab[2]]]) / sqrt(mse / n); half <- qtukey(.95, 6, f1$df2[3]) * sqrt(mse / n)
  data.frame(a = ab[1], b = ab[2], diff = m[[ab[1]]] - m[[ab[2]]], q = q, df = f1$df2[3], p = ptukey(q, 6, f1$df2[3], lower.tail = FALSE), ci_low = m[[ab[1]]] - m[[ab[2]]] - half, ci_high = m[[ab[1]]] - m[[ab[2]]] + half) }, simplify = FALSE))
# Within-participant intervals after Cousineau (2005) and Morey (2008).
wide <- tapply(cells$z, list(cells$participant, cells$cell), mean)
normed <- wide - rowMeans(wide) + mean(wide)
half <- qt(.975, n - 1) * apply(normed, 2, sd) * sqrt(6 / 5) / sqrt(n)
expected$two_within <- list(f1 = f1, f2 = f2, minf = minf, tukey = tukey, pooled = pooled,
  cells = data.frame(cell = colnames(wide), mean = colMeans(wide), sd = apply(wide, 2, sd), ci_low = colMeans(wide) - half, ci_high = colMeans(wide) + half))
z <- ave(o$z, o$participant, FUN = function(x) (x - mean(x)) / sd(x))
expected$two_within$scores <- list(n = length(z), sum_of_squares = sum(z^2), sum_of_cubes = sum(z^3), sum_of_population_cubes = sum((z / sqrt((ave(o$z, o$participant, FUN = length) - 1) / ave(o$z, o$participant, FUN = length)))^3))

# Three within factors.
set.seed(102)
d <- expand.grid(c = c("c1", "c2"), b = c("b1", "b2", "b3"), a = c("a1", "a2"), participant = sprintf("p%d", 1:9))
d$y <- round(rnorm(nrow(d)) + .6 * (d$a == "a2") * (d$b == "b3") + rnorm(9)[d$participant], 3)
save(d, "three_within")
expected$three_within <- effects_of(aov_ez("participant", "y", d, within = c("a", "b", "c")))

# Two unbalanced groups factors and two within factors.
set.seed(103)
sizes <- c(3, 5, 4, 6, 3, 4); groups <- expand.grid(sex = c("f", "m"), group = c("g1", "g2", "g3"))[rep(1:6, sizes), ]
d <- do.call(rbind, lapply(seq_len(nrow(groups)), function(i) cbind(participant = sprintf("p%02d", i), groups[i, ], expand.grid(order = c("ab", "ba"), marker = c("x", "y", "z")), bump = rnorm(1))))
d$y <- round(d$bump + .7 * (d$marker == "z") * (d$group == "g2") + .3 * (d$sex == "m") + rnorm(nrow(d)), 3)
save(d[c("participant", "sex", "group", "marker", "order", "y")], "mixed_unbalanced")
a <- aov_ez("participant", "y", d, between = c("group", "sex"), within = c("marker", "order"))
expected$mixed_unbalanced <- effects_of(a)
expected$mixed_unbalanced_pairs <- plain(pairs(emmeans(a, ~marker, model = "multivariate"), adjust = "tukey"))
b <- aggregate(y ~ participant + group + sex, d, mean)
between <- aov_ez("participant", "y", b, between = c("group", "sex"))
tests <- anova(between, es = c("ges", "pes"))
expected$between_only <- data.frame(effect = rownames(tests), df1 = tests[, "num Df"], df2 = tests[, "den Df"], f = tests[, "F"], p = tests[, "Pr(>F)"], ges = tests[, "ges"], pes = tests[, "pes"])

# Variances and correlations that grow with the level: sphericity fails.
set.seed(104)
walk <- t(apply(matrix(rnorm(11 * 5), 11) %*% diag(c(.3, .5, .9, 1.5, 2.5)), 1, cumsum))
d <- data.frame(participant = rep(sprintf("p%02d", 1:11), 5), dose = rep(paste0("d", 1:5), each = 11), y = round(c(walk) + rep(seq(0, 1.2, length.out = 5), each = 11), 3))
save(d, "non_spherical")
expected$non_spherical <- effects_of(aov_ez("participant", "y", d, within = "dose"))

# Fewer participants than contrasts: afex prints the uncorrected p for Greenhouse and Geisser; the definition still holds.
set.seed(105)
d <- data.frame(participant = rep(paste0("p", 1:4), 6), dose = rep(paste0("d", 1:6), each = 4), y = round(rnorm(24) + rep(1:6, each = 4) / 3, 3))
save(d, "few_participants")
a <- aov_ez("participant", "y", d, within = "dose")
u <- suppressWarnings(summary(a$Anova, multivariate = FALSE))$univariate.tests
wide <- matrix(d$y, 4); e <- greenhouse_geisser(wide)
expected$few_participants <- list(ss = u[2, 1], ss_error = u[2, 3], f = u[2, 5], p = u[2, 6], eps_gg = e, p_gg = pf(u[2, 5], 5 * e, 15 * e, lower.tail = FALSE))

# Two of ten participants lack a cell; afex leaves them out.
set.seed(106)
d <- expand.grid(order = c("ab", "ba"), marker = c("x", "y"), participant = sprintf("p%02d", 1:10))
d$y <- round(rnorm(nrow(d)) + rnorm(10)[d$participant], 3)
d <- d[!(d$participant == "p03" & d$marker == "x" & d$order == "ab") & !(d$participant == "p07" & d$marker == "y"), ]
save(d, "missing_cells")
expected$missing_cells <- effects_of(suppressWarnings(suppressMessages(aov_ez("participant", "y", d, within = c("marker", "order")))))

# Correlations with and without ties, from 4 to 60 pairs.
set.seed(107)
pairs_of <- list(); d <- NULL
for (n in c(4, 7, 9, 10, 12, 32, 60)) for (ties in c(FALSE, TRUE)) {
  x <- round(rnorm(n), 4); y <- .4 * x + rnorm(n); y <- if (ties) round(y) else round(y, 4)
  case <- paste0(n, if (ties) "ties" else "plain")
  d <- rbind(d, data.frame(case = case, x = x, y = y))
  r <- list(case = case)
  for (how in c("spearman", "pearson", "kendall")) { t <- suppressWarnings(cor.test(x, y, method = how)); r[[how]] <- list(r = t$estimate[[1]], p = t$p.value, ci = if (is.null(t$conf.int)) NULL else as.numeric(t$conf.int)) }
  pairs_of[[length(pairs_of) + 1]] <- r
}
save(d, "correlations")
expected$correlations <- pairs_of

grid <- expand.grid(q = c(.5, 2, 3.5, 5), k = c(2, 3, 8, 20), df = c(2, 5, 47, 147, 1000))
grid$p <- ptukey(grid$q, grid$k, grid$df, lower.tail = FALSE)
expected$studentised_range <- grid
writeLines(toJSON(expected, digits = NA, auto_unbox = TRUE, na = "null", null = "null", dataframe = "rows", pretty = TRUE), "expected.json")

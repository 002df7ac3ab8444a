# Reference values for reliability: alpha, alpha if dropped and item-rest correlations by psych::alpha, the interval by
# psych::alpha.ci, the one-factor model by factanal, omega by psych::omega and from factanal's loadings.
#
#   Rscript reliability.R > reliability.json
suppressPackageStartupMessages({
  library(jsonlite)
  library(psych)
})

set.seed(2026)
made <- function(n, loadings, points) {
  factor <- rnorm(n)
  sapply(loadings, function(l) {
    latent <- l * factor + sqrt(1 - l^2) * rnorm(n)
    pmin(points, pmax(1, round((points + 1) / 2 + 1.2 * latent)))
  })
}
values_of <- function(name, x) {
  colnames(x) <- paste0("i", seq_len(ncol(x)))
  # It says on the output what it would reverse.
  invisible(capture.output(a <- suppressWarnings(alpha(as.data.frame(x), check.keys = FALSE))))
  ci <- alpha.ci(a$total$raw_alpha, n.obs = nrow(x), n.var = ncol(x), digits = 15)
  found <- list(
    name = name, answers = x, alpha = a$total$raw_alpha, alpha_standardised = a$total$std.alpha,
    mean_r = a$total$average_r, ci_low = ci$lower.ci, ci_high = ci$upper.ci,
    alpha_dropped = a$alpha.drop$raw_alpha, r_rest = a$item.stats$r.drop
  )
  if (ncol(x) > 2) {
    fit <- factanal(x, factors = 1, control = list(nstart = 3, opt = list(factr = 10, maxit = 2000)))
    l <- fit$loadings[, 1] * sign(sum(fit$loadings[, 1]))
    u <- fit$uniquenesses
    s <- apply(x, 2, sd)
    invisible(capture.output(
      om <- suppressMessages(suppressWarnings(omega(x, nfactors = 1, fm = "ml", plot = FALSE, flip = FALSE)))
    ))
    found <- c(found, list(
      loadings = unname(l), uniquenesses = unname(u), chi2 = unname(fit$STATISTIC), df = unname(fit$dof),
      omega = sum(l * s)^2 / (sum(l * s)^2 + sum(u * s^2)),
      omega_standardised = sum(l)^2 / (sum(l)^2 + sum(u)), psych_omega = om$omega.tot
    ))
  }
  found
}
write(toJSON(list(
  version = R.version.string, psych = as.character(packageVersion("psych")),
  cases = list(
    values_of("five items", made(60, c(.8, .7, .6, .75, .5), 7)),
    values_of("eight weak items", made(200, c(.5, .4, .3, .45, .35, .5, .2, .4), 5)),
    values_of("an item against the rest", made(80, c(.8, .7, -.6, .7), 5)),
    values_of("two items", made(30, c(.8, .6), 5))
  )
), digits = NA, auto_unbox = TRUE, pretty = TRUE), stdout())

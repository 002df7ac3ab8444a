# Reference values for norms of production: shares, entropy, Wilson's intervals (prop.test without correction).
#
#   Rscript production_norms.R > production_norms.json
suppressPackageStartupMessages(library(jsonlite))
set.seed(1953)

words <- c("dog", "cat", "house", "tree", "bird", "fish")
data <- do.call(rbind, lapply(1:8, function(item) {
  weights <- rev(seq_along(words))^((item - 1) / 2)
  data.frame(item = sprintf("I%d", item), response = sample(words, 10 + 9 * item, replace = TRUE, prob = weights))
}))
data$participant <- ave(seq_len(nrow(data)), data$item, FUN = seq_along)
wilson <- function(x, n) as.numeric(suppressWarnings(prop.test(x, n, correct = FALSE))$conf.int)
items <- do.call(rbind, lapply(split(data, data$item), function(part) {
  counts <- sort(table(part$response), decreasing = TRUE)
  p <- as.numeric(counts) / sum(counts)
  interval <- wilson(counts[[1]], sum(counts))
  aimed <- wilson(sum(part$response == "cat"), nrow(part))
  data.frame(
    item = part$item[1], n = nrow(part), different = length(counts), entropy = -sum(p * log2(p)),
    share = p[1], ci_low = interval[1], ci_high = interval[2], target_share = mean(part$response == "cat"),
    target_low = aimed[1], target_high = aimed[2]
  )
}))
write(toJSON(list(version = R.version.string, data = data, items = items), digits = NA, pretty = FALSE), stdout())

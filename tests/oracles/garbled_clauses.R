# H3 and H4 of Siddharthan & Katsos (2012) on recalls that a rule makes (tests/analysis/computing): z is the root of the
# uncorrected chi squared of prop.test, with its sign. Rscript garbled_clauses.R > garbled_clauses.json
markers <- c("because", "because-of", "cause-verb", "cause-noun")
rows <- expand.grid(item = 0:31, person = 0:19)
rows$marker <- markers[(rows$person + rows$item) %% 4 + 1]
rows$order <- c("cause-effect", "effect-cause")[((rows$person + rows$item) %/% 4) %% 2 + 1]
roll <- (7 * rows$person + 3 * rows$item + rows$person * rows$item) %% 29
harder <- grepl("^because", rows$marker)
second_is_cause <- rows$order == "effect-cause"
rows$code_3 <- roll < ifelse(harder, 4, 2) + ifelse(!second_is_cause & rows$marker == "because", 5, 0)
roll <- (5 * rows$person + 11 * rows$item + 3) %% 31
rows$code_4 <- roll < ifelse(harder, 4, 2) + ifelse(second_is_cause & rows$marker == "because", 5, 0)

signed <- function(x, n) {
  test <- prop.test(x, n, correct = FALSE)
  list(z = unname(sign(x[1] / n[1] - x[2] / n[2]) * sqrt(test$statistic)), p = test$p.value, x = x, n = n)
}
garbled <- rows$code_3 | rows$code_4
h3 <- signed(c(sum(garbled[harder]), sum(garbled[!harder])), c(sum(harder), sum(!harder)))
within <- rows$marker == "because"
second <- ifelse(second_is_cause, rows$code_4, rows$code_3)[within]
first <- ifelse(second_is_cause, rows$code_3, rows$code_4)[within]
h4 <- signed(c(sum(second), sum(first)), rep(sum(within), 2))
only <- c(sum(second & !first), sum(first & !second))
h4$mcnemar <- binom.test(only[1], sum(only))$p.value
h4$only <- only
cat(jsonlite::toJSON(list(h3 = h3, h4 = h4, R = R.version.string), auto_unbox = TRUE, digits = 15, pretty = TRUE), "\n")

"""What a careful colleague would say of a model: of `answers` (two values, categories), of `numbers`."""

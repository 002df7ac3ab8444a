"""What texts are like: length, readability, frequency, and whether conditions are matched."""

"""`python -m lectern`, where the console script is not on the path."""

from lectern.command import main

main()

#!/usr/bin/env python
"""Run administrative commands of the platform."""

import sys

from config.command import carry_out

if __name__ == "__main__":
    carry_out(sys.argv)

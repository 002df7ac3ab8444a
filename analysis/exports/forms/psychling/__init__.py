"""PsychLing-101: rows under shared names, and every session in words. Two modules travel with the data as scripts."""

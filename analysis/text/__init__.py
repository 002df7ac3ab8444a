"""Text measures: strings and numbers in, numbers out.

Nothing in this package knows Django, a database or a report. The methods that report these measures
(`analysis.methods`) import them; they import no method.
"""

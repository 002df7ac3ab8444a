"""Codebook: describe the columns of every exported file (name, type, unit, meaning, allowed values).

Exports write exactly these columns, and the codebook, `dataset_description.json` and `datapackage.json` describe
exactly these columns: one declaration, so that they cannot drift apart.
"""

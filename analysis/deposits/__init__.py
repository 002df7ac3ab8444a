"""Deposits: drafts in archives of research data, made and filled by a worker; people publish them on the archive's
page.

`archive` says what every archive can do, and `zenodo`, `osf` and `dataverse` do it. `reaching` opens connections to the
hosts of the archives alone, `filling` brings a draft to what it has to be from wherever it is, `life` is the job of the
worker, and `managing` what people do on the page.
"""

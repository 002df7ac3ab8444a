"""Validate the declarations of a study (parts, procedure, plan, quotas, sources, codes, wording), mostly without the
database.
"""

"""Researchers' accounts: login, passwords, second factors, sessions, invitations, and single sign-on of a
university.
"""

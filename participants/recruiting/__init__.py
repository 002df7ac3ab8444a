"""Recruitment by the API of a provider, with a ledger that pays once.

`ledger` says what may follow from what, pure; `carrying_out` sends and reads back; `storing` keeps rows in the
database; `managing` and `proposing` are what people do on the page; `reading` keeps submissions and frees places;
`working` is the worker's duty; `providers/` speaks to each provider. Nothing here is in the way of a participant.
"""

"""Hooks: events of a study, stored first and then sent, signed, to addresses that its researchers name.

`happened` says what is news, `storing` keeps it, `sending` signs and sends it, `reaching` opens the connection and
refuses addresses inside the network, `managing` is what people do on the page.
"""

"""Import materials of other tools: item files of Linger and Ibex, tables of PCIbex, loop tables of OpenSesame.

Each becomes a table of materials with the platform's columns; the kind of a file is recognised by its content. Pure.
"""

"""Materials that other tools wrote: item files of Linger and Ibex, tables of PCIbex, loop tables of OpenSesame.

Each becomes a table of materials with the platform's columns; what a file is shows in its content. Pure.
"""

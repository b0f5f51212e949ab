"""Hostile and odd hand-ins of lesson 03, as text: each key is a title, each value its cells.

Cells are parted by lines that read `# %%`. Every hand-in is run after a cell that binds what
there is to attack: OUTSIDE (a folder with a gradebook, a source and another's hand-in), PORT
(somebody listens there), OTHER (a process of the same machine).
"""

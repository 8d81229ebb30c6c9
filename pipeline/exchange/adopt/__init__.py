"""Adoption of a published edition: its editor's choices become decisions of the folder that holds its witnesses.

`places` finds the choices and their places in the collation of the witnesses, `decided` the decisions that print them
there; `folder` writes these decisions.
"""

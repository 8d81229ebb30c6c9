"""Statistics of an edition: agreement of witnesses, variants and comments along the text.

In comes an edition's document; out go numbers, tables, trees and pictures. Read first `counts` (what is counted),
`measures` (agreement and its change along the text) and `pictures` (SVG).
"""

"""What several readers use: decoding, rows with places, brackets, evidence, page breaks.

`source` loads a file as lines with its convention and cuts text at brackets; `chapters` finds heads; `evidence` weighs
signs. `pages` inserts breaks and images into a finished document.
"""

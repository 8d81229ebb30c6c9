"""The structure of a raw text: what its lines are, found by weighing whole explanations of it.

In come the lines of a text in any form (`rows.Row`); out go its chapters (`heads.Heads`), how it marks notes
(`notes.NoteMarks`), its lists of sounds, and how sure that is. Read first `rows` (a line and its makers), `heads` (what
proposes chapters) and `weigh` (what scores the proposals, by the table `weights.tsv`).
"""

"""A published edition taken over: what its editor chose becomes decisions of the folder that holds its witnesses.

`printed` says what the edition prints beside its base, `places` where that stands in the collation of its witnesses,
`decided` which decisions print it there, `people` who answers for them, `folder` writes them down.
"""

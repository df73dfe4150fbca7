"""Reports: what happened, told from the ledger by SQL. One computation, one hash, six ways to take
it home (docs/REPORTS.md).
"""

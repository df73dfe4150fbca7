"""The servers that `make run` and the tests bring along, and the launcher that keeps them running.

Everything here is for one machine and one folder; production has servers of its own (`deploy/`,
`docs/OPERATIONS.md`).
"""

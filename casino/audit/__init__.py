"""The audit desk: search and records, reports, verifications, the calculator. It is read, and that
is recorded.
"""

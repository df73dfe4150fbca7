"""Five weeks of a house with many tables, made to measure and to audit: `python -m tests.scale` below a benchmark's place.

An evening is played through the services (`house.py`): hits, corrections, approvals, and rounds of each kind as patterns. The
patterns' rows are read back (`patterns.py`) and written again by COPY for each round of five weeks, under other ids and times, with
running balances and seals (`fill.py`): every row is one that the services wrote, or that would come out of them.
"""

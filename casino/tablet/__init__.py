"""The croupier's page: taking a table, the round, and the calls of the API that only a tablet
makes.
"""

"""The first inventory of a house: all cash and chips are counted at one moment, with every table
closed; from then on its tables are counted.
"""

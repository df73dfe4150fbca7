"""Where each person starts: the start page with what waits, the bar of places, the first steps of a
new house.
"""

"""The demo house: its people, floor, rule sets and one-tap devices. There is nothing of it outside
demo mode.
"""

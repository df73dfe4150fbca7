"""Who works here: people, roles, sign-in, PIN, wrong tries, signatures; what every page needs to
know of its reader.
"""

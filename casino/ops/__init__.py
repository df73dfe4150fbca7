"""What keeps an installation sound: checks at start, health, signs of life, seals, verification,
logs, errors.
"""

"""What people read: money, days, cards, states, problem documents; how a refusal, whose class has
the sentence, is told.
"""

"""What people read: money, days, cards, states, wording of refusals, problem documents."""

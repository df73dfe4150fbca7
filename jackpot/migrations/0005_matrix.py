"""Who signs what a jackpot does: lines of the approval matrix for houses that were opened before. Not reversible: lines stay."""

from django.db import migrations

ADD = "SELECT matrix_line_add_v1(%s, %s, %s, %s, %s)"
PIT = ["pit_boss", "manager"]
LINES = (  # action, signers, roles, proof, life in seconds
    ("jackpot.award", 2, PIT, "totp", 3_600),
    ("jackpot.award_late", 1, PIT, "totp", 3_600),
    ("jackpot.award_cancel", 1, PIT, "totp", 3_600),
    ("jackpot.prize", 1, PIT, "totp", 3_600),
    ("jackpot.reject", 1, PIT, "totp", 3_600),
    ("jackpot.suspend", 1, [*PIT, "technician"], "totp", 3_600),
    ("jackpot.resume", 1, PIT, "totp", 3_600),
    ("jackpot.adjust", 1, PIT, "totp", 3_600),
    ("jackpot.retire", 1, PIT, "totp", 3_600),
    ("jackpot.display_out", 1, PIT, "totp", 3_600),
    ("jackpot.display_add", 1, [*PIT, "technician"], "totp", 3_600),
    ("round.void_claimed", 1, PIT, "totp", 3_600),
)


class Migration(migrations.Migration):
    dependencies = [("payouts", "0009_matrix"), ("jackpot", "0004_hit_guards")]
    operations = [migrations.RunSQL([(ADD, line) for line in LINES])]

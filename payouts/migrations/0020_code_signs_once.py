"""A code signs for one command. Its index is made beside whoever signs. Not reversible."""

from django.db import migrations, models

NAME = "code_signs_once"


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("payouts", "0019_attested")]
    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[
                migrations.RunSQL("SET lock_timeout = 0"),
                migrations.RunSQL(f"DROP INDEX CONCURRENTLY IF EXISTS {NAME}"),
                migrations.RunSQL(
                    f"CREATE UNIQUE INDEX CONCURRENTLY {NAME} ON payouts_approvalsignature (signer_id, step, ordinal)"
                ),
                migrations.RunSQL("RESET lock_timeout"),
                migrations.RunSQL(f"ALTER TABLE payouts_approvalsignature ADD CONSTRAINT {NAME} UNIQUE USING INDEX {NAME}"),
            ],
            state_operations=[
                migrations.AddConstraint(
                    "approvalsignature",
                    models.UniqueConstraint(fields=["signer", "step", "ordinal"], name=NAME),
                )
            ],
        )
    ]

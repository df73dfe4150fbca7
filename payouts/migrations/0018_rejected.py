"""Two rejections in a row are looked for every five seconds. Not reversible."""

from django.db import migrations, models

from payouts.db.online import AddIndexOnline


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("payouts", "0017_unanswered")]
    operations = [
        AddIndexOnline(
            model_name="approval",
            index=models.Index(
                condition=models.Q(("state", "rejected")),
                fields=["house", "closed_at"],
                name="approval_rejected",
            ),
        ),
    ]

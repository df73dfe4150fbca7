"""`ToClarify` is called `ReviewItem`; its table stays what it is: no SQL is run."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("tables", "0013_hand_overs")]
    operations = [
        migrations.AlterModelTable("ToClarify", "tables_toclarify"),
        migrations.RenameModel("ToClarify", "ReviewItem"),
    ]

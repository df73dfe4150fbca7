"""What games play besides rounds has its place: how a table is entered, its game says, and the database knows the form of an entry
level alone; a view shows what was played, whatever it was; what is to be clarified says of what kind of play it is.
"""

from django.contrib.postgres.operations import AddConstraintNotValid
from django.db import migrations, models

from payouts.sql import read_sql


class Migration(migrations.Migration):

    dependencies = [
        ('tables', '0019_stakes_put_right'),
    ]

    operations = [
        migrations.AlterField(
            model_name='tablesession',
            name='entry_level',
            field=models.CharField(max_length=12),
        ),
        migrations.RemoveConstraint(
            model_name='tablesession',
            name='table_session_level_known',
        ),
        AddConstraintNotValid(
            model_name='tablesession',
            constraint=models.CheckConstraint(condition=models.Q(('entry_level__regex', '^[a-z_]+$')), name='table_session_level_named'),
        ),
        migrations.CreateModel(
            name='Play',
            fields=[
                ('kind', models.CharField(max_length=5)),
                ('id', models.UUIDField(primary_key=True, serialize=False)),
                ('number', models.PositiveIntegerField(null=True)),
                ('state', models.CharField(max_length=9)),
                ('revision', models.PositiveSmallIntegerField()),
                ('entry_level', models.CharField(max_length=12)),
                ('began_at', models.DateTimeField()),
                ('ended_at', models.DateTimeField(null=True)),
                ('queued', models.BooleanField()),
            ],
            options={
                'db_table': 'tables_play',
                'managed': False,
            },
        ),
        migrations.RunSQL(read_sql("play_v1", "tables"), "DROP VIEW tables_play"),
        migrations.AddField(
            model_name='reviewitem',
            name='play',
            field=models.CharField(choices=[('round', 'round'), ('hand', 'hand')], db_default='round', max_length=5),
        ),
        AddConstraintNotValid(
            model_name='reviewitem',
            constraint=models.CheckConstraint(condition=models.Q(('play__in', ['round', 'hand'])), name='to_clarify_play_known'),
        ),
    ]

"""Migrations that hold nobody up."""

from django.contrib.postgres.operations import AddIndexConcurrently
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import ProjectState


class AddIndexOnline(AddIndexConcurrently):
    """An index, unique or not, made while everybody writes; alone in a migration with
    `atomic = False`. It waits for open transactions as long as they take, and holds none up; what
    an earlier try has left half made goes first.
    """

    def database_forwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        """Without the owner's `lock_timeout`."""
        name = schema_editor.quote_name(self.index.name)
        schema_editor.execute("SET lock_timeout = 0")
        schema_editor.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {name}")
        super().database_forwards(app_label, schema_editor, from_state, to_state)
        schema_editor.execute("RESET lock_timeout")

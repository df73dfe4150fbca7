-- What a table is called, where it stands, its boxes and what is posted may change, as one of its
-- versions says (`table_version_v1.sql`).
CREATE OR REPLACE TRIGGER table_guard BEFORE UPDATE OR DELETE ON public.tables_table
    FOR EACH ROW EXECUTE FUNCTION keep_columns_v1('', 'session_id', 'jackpot_id', 'version',
        'pit_id', 'name', 'position', 'boxes', 'posted', 'retired');
ALTER TABLE public.tables_table ENABLE ALWAYS TRIGGER table_guard;

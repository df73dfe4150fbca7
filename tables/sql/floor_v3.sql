-- A session names the count that freezes its tray, and in the end its closer.
CREATE OR REPLACE TRIGGER table_session_guard BEFORE UPDATE OR DELETE ON public.tables_tablesession
    FOR EACH ROW EXECUTE FUNCTION keep_columns_v1('closed_at', 'croupier_id', 'entry_level',
        'closed_at', 'closed_by_id', 'closer_id', 'counting_id');
ALTER TABLE public.tables_tablesession ENABLE ALWAYS TRIGGER table_session_guard;

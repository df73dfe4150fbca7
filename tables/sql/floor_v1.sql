-- The floor's rows: what of them may change, and what must agree.
CREATE TRIGGER pit_guard BEFORE UPDATE OR DELETE ON public.tables_pit
    FOR EACH ROW EXECUTE FUNCTION keep_columns_v1('');
ALTER TABLE public.tables_pit ENABLE ALWAYS TRIGGER pit_guard;

CREATE TRIGGER table_guard BEFORE UPDATE OR DELETE ON public.tables_table
    FOR EACH ROW EXECUTE FUNCTION keep_columns_v1('', 'session_id', 'jackpot_id', 'posted');
ALTER TABLE public.tables_table ENABLE ALWAYS TRIGGER table_guard;

CREATE TRIGGER table_session_guard BEFORE UPDATE OR DELETE ON public.tables_tablesession
    FOR EACH ROW EXECUTE FUNCTION keep_columns_v1('closed_at', 'croupier_id', 'entry_level', 'closed_at', 'closed_by_id');
ALTER TABLE public.tables_tablesession ENABLE ALWAYS TRIGGER table_session_guard;

CREATE TRIGGER guest_guard BEFORE UPDATE OR DELETE ON public.tables_guest
    FOR EACH ROW EXECUTE FUNCTION keep_columns_v1('left_at', 'box', 'seated', 'distance', 'left_at');
ALTER TABLE public.tables_guest ENABLE ALWAYS TRIGGER guest_guard;

CREATE TRIGGER to_clarify_guard BEFORE UPDATE OR DELETE ON public.tables_toclarify
    FOR EACH ROW EXECUTE FUNCTION keep_columns_v1('closed_at', 'state', 'closed_by_id', 'closed_at', 'reason');
ALTER TABLE public.tables_toclarify ENABLE ALWAYS TRIGGER to_clarify_guard;

-- By pairs: a table's pit and session are its own house's and its own.
ALTER TABLE public.tables_table ADD CONSTRAINT table_pit_of_house
    FOREIGN KEY (pit_id, house_id) REFERENCES public.tables_pit (id, house_id);
ALTER TABLE public.tables_table ADD CONSTRAINT table_jackpot_of_house
    FOREIGN KEY (jackpot_id, house_id) REFERENCES public.jackpot_jackpot (id, house_id);
ALTER TABLE public.tables_tablesession ADD CONSTRAINT session_table_of_house
    FOREIGN KEY (table_id, house_id) REFERENCES public.tables_table (id, house_id);
ALTER TABLE public.tables_table ADD CONSTRAINT table_session_its_own
    FOREIGN KEY (session_id, id) REFERENCES public.tables_tablesession (id, table_id);

-- Hands: what of one may change, whose it is, and that it counts as played.
CREATE FUNCTION hand_guard_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' OR OLD.state <> 'ended'
        OR NEW.revision <> OLD.revision + (NEW.state = 'ended')::int
        OR to_jsonb(OLD) - ARRAY['state', 'revision'] <> to_jsonb(NEW) - ARRAY['state', 'revision']
    THEN
        RAISE EXCEPTION 'hand %: % refused', OLD.id, TG_OP
            USING ERRCODE = 'restrict_violation', TABLE = 'tables_hand', CONSTRAINT = 'hand_guard';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER hand_guard BEFORE UPDATE OR DELETE ON public.tables_hand
    FOR EACH ROW EXECUTE FUNCTION hand_guard_v1();
ALTER TABLE public.tables_hand ENABLE ALWAYS TRIGGER hand_guard;

ALTER TABLE public.tables_hand ADD CONSTRAINT hand_table_of_house
    FOREIGN KEY (table_id, house_id) REFERENCES public.tables_table (id, house_id);
ALTER TABLE public.tables_hand ADD CONSTRAINT hand_session_of_table
    FOREIGN KEY (session_id, table_id) REFERENCES public.tables_tablesession (id, table_id);
ALTER TABLE public.tables_handresult ADD CONSTRAINT hand_result_of_house
    FOREIGN KEY (hand_id, house_id) REFERENCES public.tables_hand (id, house_id);

-- What was played at the tables, whatever it was: for readers that only count. Conditions of a
-- reader go down to the indexes of what it reads from.
CREATE OR REPLACE VIEW public.tables_play WITH (security_invoker = true) AS
SELECT 'round'::text AS kind, id, house_id, table_id, session_id, number, state, revision,
    entry_level, locked_at AS began_at, ended_at, queued, croupier_id
FROM public.tables_round
UNION ALL SELECT 'hand', id, house_id, table_id, session_id, number, state, revision,
    entry_level, ended_at, ended_at, queued, croupier_id
FROM public.tables_hand;

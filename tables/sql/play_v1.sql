-- What was played at the tables, whatever it was: for readers that only count. A reader's conditions
-- go down to the indexes of what it reads from.
CREATE VIEW public.tables_play WITH (security_invoker = true) AS
SELECT 'round'::text AS kind, id, house_id, table_id, session_id, number, state, revision, entry_level,
    locked_at AS began_at, ended_at, queued, croupier_id
FROM public.tables_round;

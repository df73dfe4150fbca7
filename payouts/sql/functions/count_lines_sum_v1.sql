-- The value of an entry is what its lines come to when its transaction commits; on every line, so
-- that a late one is caught too (CNT-1).
CREATE OR REPLACE FUNCTION count_lines_sum_v1() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    entry bigint := to_jsonb(NEW) ->> TG_ARGV[0];
BEGIN
    IF NOT EXISTS (SELECT FROM public.payouts_countentry e WHERE e.id = entry AND e.value_minor =
            (SELECT coalesce(sum(l.value_minor * l.pieces), 0) FROM public.payouts_countline l
             WHERE l.entry_id = e.id))
    THEN
        RAISE EXCEPTION 'entry % is not the sum of its lines', entry
            USING ERRCODE = 'check_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = TG_NAME;
    END IF;
    RETURN NULL;
END $$;

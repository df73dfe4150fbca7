-- A count goes from step to step; what has ended stays as it is. It is signed where a signature
-- stands, and counted again where its newest entry's does not (CNT-6). When it ended is the
-- database's word.
CREATE OR REPLACE FUNCTION count_guard_v1() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    step text := OLD.state || '>' || NEW.state;
    stood boolean;
BEGIN
    SELECT s.stands INTO stood FROM public.payouts_countentry e
        LEFT JOIN public.payouts_countsignature s ON s.entry_id = e.id
        WHERE e.count_id = OLD.id ORDER BY e.number DESC LIMIT 1;
    IF TG_OP = 'DELETE'
        OR step NOT IN ('begun>entered', 'again>entered', 'entered>begun', 'entered>again',
            'entered>signed', 'begun>given_up', 'entered>given_up', 'again>given_up')
        OR to_jsonb(OLD) - ARRAY['state', 'ended_by_id', 'ended_at']
            <> to_jsonb(NEW) - ARRAY['state', 'ended_by_id', 'ended_at']
        OR (NEW.state = 'entered' AND (NOT FOUND OR stood IS NOT NULL))
        OR (NEW.state = 'signed' AND stood IS NOT TRUE)
        OR (NEW.state = 'again' AND stood IS NOT FALSE)
    THEN
        RAISE EXCEPTION 'count %: % refused', OLD.id, coalesce(step, TG_OP)
            USING ERRCODE = 'restrict_violation', TABLE = 'payouts_count',
                CONSTRAINT = 'count_guard';
    END IF;
    NEW.ended_at := CASE WHEN NEW.state IN ('signed', 'given_up') THEN clock_timestamp() END;
    RETURN NEW;
END $$;

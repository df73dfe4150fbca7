-- An entry belongs to a count that waits for one, and is its next.
CREATE OR REPLACE FUNCTION count_entry_begin_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM public.payouts_count c WHERE c.id = NEW.count_id
            AND c.state IN ('begun', 'again'))
        OR NEW.number <> 1 + (SELECT coalesce(max(e.number), 0) FROM public.payouts_countentry e
            WHERE e.count_id = NEW.count_id)
    THEN
        RAISE EXCEPTION 'count % takes no entry %', NEW.count_id, NEW.number
            USING ERRCODE = 'check_violation', TABLE = 'payouts_countentry',
                CONSTRAINT = 'count_entry_begin';
    END IF;
    RETURN NEW;
END $$;

-- An entry belongs to a count that waits for one, and is its next. A drop box is counted by a
-- second person while the first entry waits; chips are of a chip set, cash is of the currency.
CREATE OR REPLACE FUNCTION count_entry_begin_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM public.payouts_count c WHERE c.id = NEW.count_id
            AND (c.place_kind = 'drop') = (NEW.posted_id IS NULL)
            AND (c.state IN ('begun', 'again') OR (c.place_kind, c.state, NEW.number)
                = ('drop', 'entered', 2) AND NEW.counter_id <> (SELECT e.counter_id
                    FROM public.payouts_countentry e WHERE e.count_id = c.id AND e.number = 1)))
        OR NEW.number <> 1 + (SELECT coalesce(max(e.number), 0) FROM public.payouts_countentry e
            WHERE e.count_id = NEW.count_id)
    THEN
        RAISE EXCEPTION 'count % takes no entry %', NEW.count_id, NEW.number
            USING ERRCODE = 'check_violation', TABLE = 'payouts_countentry',
                CONSTRAINT = 'count_entry_begin';
    END IF;
    RETURN NEW;
END $$;

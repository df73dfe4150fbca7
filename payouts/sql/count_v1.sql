-- Counts by the piece: how one goes on, what is entered, what the books expected when it was signed.

-- A count begins begun, and neither signed nor given up.
CREATE FUNCTION count_begin_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.state <> 'begun' THEN
        RAISE EXCEPTION 'count % does not begin begun', NEW.id
            USING ERRCODE = 'check_violation', TABLE = 'payouts_count', CONSTRAINT = 'count_begin';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER count_begin BEFORE INSERT ON public.payouts_count
    FOR EACH ROW EXECUTE FUNCTION count_begin_v1();
ALTER TABLE public.payouts_count ENABLE ALWAYS TRIGGER count_begin;

-- A count goes from step to step; what has ended stays as it is. It is signed where a signature
-- stands, and counted again where its newest entry's does not (CNT-6). When it ended is the
-- database's word.
CREATE FUNCTION count_guard_v1() RETURNS trigger LANGUAGE plpgsql AS $$
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
CREATE TRIGGER count_guard BEFORE UPDATE OR DELETE ON public.payouts_count
    FOR EACH ROW EXECUTE FUNCTION count_guard_v1();
ALTER TABLE public.payouts_count ENABLE ALWAYS TRIGGER count_guard;

-- An entry belongs to a count that waits for one, and is its next.
CREATE FUNCTION count_entry_begin_v1() RETURNS trigger LANGUAGE plpgsql AS $$
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
CREATE TRIGGER count_entry_begin BEFORE INSERT ON public.payouts_countentry
    FOR EACH ROW EXECUTE FUNCTION count_entry_begin_v1();
ALTER TABLE public.payouts_countentry ENABLE ALWAYS TRIGGER count_entry_begin;

-- The value of an entry is what its lines come to when its transaction commits; on every line, so
-- that a late one is caught too (CNT-1).
CREATE FUNCTION count_lines_sum_v1() RETURNS trigger LANGUAGE plpgsql AS $$
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
CREATE CONSTRAINT TRIGGER count_entry_sum AFTER INSERT ON public.payouts_countentry
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION count_lines_sum_v1('id');
ALTER TABLE public.payouts_countentry ENABLE ALWAYS TRIGGER count_entry_sum;
CREATE CONSTRAINT TRIGGER count_line_sum AFTER INSERT ON public.payouts_countline
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION count_lines_sum_v1('entry_id');
ALTER TABLE public.payouts_countline ENABLE ALWAYS TRIGGER count_line_sum;

-- Who counted signs with the witness, and for the newest entry; what the books have, and how far
-- the entry is from it, says the database.
CREATE FUNCTION count_sign_guard_v1() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    counted public.payouts_count;
    entry public.payouts_countentry;
BEGIN
    SELECT * INTO counted FROM public.payouts_count WHERE id = NEW.count_id;
    SELECT * INTO entry FROM public.payouts_countentry
        WHERE count_id = NEW.count_id ORDER BY number DESC LIMIT 1;
    IF counted.state <> 'entered' OR entry.id IS DISTINCT FROM NEW.entry_id
        OR entry.counter_id <> NEW.counter_id
    THEN
        RAISE EXCEPTION 'entry % is not what count % waits to have signed', NEW.entry_id,
            NEW.count_id
            USING ERRCODE = 'check_violation', TABLE = 'payouts_countsignature',
                CONSTRAINT = 'count_sign_guard';
    END IF;
    NEW.recorded_minor := coalesce((SELECT a.balance_minor FROM public.payouts_account a
        WHERE a.house_id = counted.house_id AND a.owner_id = counted.place_id
            AND a.detail_id IS NULL AND a.kind = counted.place_kind), 0);
    NEW.difference_minor := entry.value_minor - NEW.recorded_minor;
    RETURN NEW;
END $$;
CREATE TRIGGER count_sign_guard BEFORE INSERT ON public.payouts_countsignature
    FOR EACH ROW EXECUTE FUNCTION count_sign_guard_v1();
ALTER TABLE public.payouts_countsignature ENABLE ALWAYS TRIGGER count_sign_guard;

-- By pairs: entries, lines and signatures are their count's and their own house's.
ALTER TABLE public.payouts_countentry ADD CONSTRAINT count_entry_count_of_house
    FOREIGN KEY (count_id, house_id) REFERENCES public.payouts_count (id, house_id);
ALTER TABLE public.payouts_countline ADD CONSTRAINT count_line_of_house
    FOREIGN KEY (entry_id, house_id) REFERENCES public.payouts_countentry (id, house_id);
ALTER TABLE public.payouts_countsignature ADD CONSTRAINT count_signature_of_house
    FOREIGN KEY (count_id, house_id) REFERENCES public.payouts_count (id, house_id);
ALTER TABLE public.payouts_countsignature ADD CONSTRAINT count_signature_of_its_count
    FOREIGN KEY (entry_id, count_id) REFERENCES public.payouts_countentry (id, count_id);

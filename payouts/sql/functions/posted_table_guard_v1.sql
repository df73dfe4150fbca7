CREATE OR REPLACE FUNCTION posted_table_guard_v1() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    step text;
BEGIN
    IF TG_OP = 'INSERT' THEN
        IF NEW.state <> 'draft' THEN
            RAISE EXCEPTION 'a version begins as a draft'
                USING ERRCODE = 'restrict_violation', TABLE = 'payouts_postedtable', CONSTRAINT = 'posted_table_guard';
        END IF;
        NEW.created_at := now();  -- of the transaction: see posted_table_allowed_v1
        NEW.released_at := NULL;
        RETURN NEW;
    END IF;
    step := OLD.state || '>' || NEW.state;
    IF TG_OP = 'DELETE'
        OR step NOT IN ('draft>draft', 'draft>requested', 'draft>withdrawn',
                        'requested>requested', 'requested>approved', 'requested>rejected', 'requested>withdrawn')
        OR (OLD.id, OLD.house_id, OLD.kind, OLD.name, OLD.version, OLD.starts, OLD.drafted_by_id, OLD.created_at, OLD.released_at)
           IS DISTINCT FROM
           (NEW.id, NEW.house_id, NEW.kind, NEW.name, NEW.version, NEW.starts, NEW.drafted_by_id, NEW.created_at, NEW.released_at)
        OR (step <> 'draft>draft' AND (OLD.data, OLD.data_hash, OLD.note) IS DISTINCT FROM (NEW.data, NEW.data_hash, NEW.note))
        OR (NEW.state <> 'requested' AND (OLD.in_force_from, OLD.approval_id) IS DISTINCT FROM (NEW.in_force_from, NEW.approval_id))
    THEN
        RAISE EXCEPTION 'posted table %: % refused', OLD.id, coalesce(step, TG_OP)
            USING ERRCODE = 'restrict_violation', TABLE = 'payouts_postedtable', CONSTRAINT = 'posted_table_guard';
    END IF;
    IF NEW.state = 'approved' THEN
        IF NOT posted_table_allowed_v1(NEW) THEN
            RAISE EXCEPTION 'posted table % is not approved', NEW.id
                USING ERRCODE = 'check_violation', TABLE = 'payouts_postedtable', CONSTRAINT = 'posted_table_approved';
        ELSIF NOT posted_table_in_time_v1(NEW) THEN
            RAISE EXCEPTION 'posted table % would begin in the past', NEW.id
                USING ERRCODE = 'check_violation', TABLE = 'payouts_postedtable', CONSTRAINT = 'posted_table_in_time';
        END IF;
        NEW.released_at := clock_timestamp();
    END IF;
    RETURN NEW;
END $$;

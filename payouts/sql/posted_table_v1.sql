-- Posted tables: a version's data stays from the request on, an approved version stays altogether, none ever goes.

-- The gaming day of a moment by the house's clock (HSE-1): it begins at the change time, not at midnight.
CREATE FUNCTION gaming_day_v1(moment timestamptz, zone text, change time) RETURNS date LANGUAGE sql STABLE AS $$
    SELECT CASE WHEN moment >= ((moment AT TIME ZONE zone)::date + change) AT TIME ZONE zone
                THEN (moment AT TIME ZONE zone)::date ELSE (moment AT TIME ZONE zone)::date - 1 END
$$;

-- Whether an approval that was used up stands behind exactly this version. Without one only a house's first tables are
-- approved: version 1, and every table of the house born in this very transaction (its owner furnishes it).
CREATE FUNCTION posted_table_allowed_v1(wanted payouts_postedtable) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT CASE WHEN wanted.approval_id IS NULL THEN
        wanted.version = 1 AND NOT EXISTS (
            SELECT FROM public.payouts_postedtable WHERE house_id = wanted.house_id AND created_at <> now())
    ELSE EXISTS (
        SELECT FROM public.payouts_approval a WHERE a.id = wanted.approval_id AND a.state = 'used'
            AND a.house_id = wanted.house_id AND a.action = 'posted_table.release' AND a.subject_id = wanted.id::text
            AND a.payload = jsonb_build_object('kind', wanted.kind, 'name', wanted.name, 'version', wanted.version,
                'data_hash', encode(wanted.data_hash, 'hex'), 'in_force_from', coalesce(wanted.in_force_from::text, wanted.starts)))
    END
$$;

-- A gaming day that has begun keeps the tables it began with: a version may start today only if there is none to replace.
CREATE FUNCTION posted_table_in_time_v1(wanted payouts_postedtable) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT wanted.starts <> 'day' OR wanted.in_force_from > today.day OR (wanted.in_force_from = today.day AND NOT EXISTS (
        SELECT FROM public.payouts_postedtable p WHERE p.house_id = wanted.house_id AND p.kind = wanted.kind AND p.name = wanted.name
            AND p.state = 'approved' AND p.in_force_from <= today.day))
    FROM (SELECT gaming_day_v1(clock_timestamp(), time_zone, gaming_day_change) AS day
          FROM public.payouts_house WHERE id = wanted.house_id) AS today
$$;

CREATE FUNCTION posted_table_guard_v1() RETURNS trigger LANGUAGE plpgsql AS $$
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
CREATE TRIGGER posted_table_guard BEFORE INSERT OR UPDATE OR DELETE ON public.payouts_postedtable
    FOR EACH ROW EXECUTE FUNCTION posted_table_guard_v1();
ALTER TABLE public.payouts_postedtable ENABLE ALWAYS TRIGGER posted_table_guard;

-- Houses that were opened before get the approval rule that new houses start with.
INSERT INTO public.payouts_approvalrule (house_id, action, version, signers, roles, method, lifetime_s)
SELECT id, 'posted_table.release', 1, 2, '{technician,manager,auditor}', 'totp', 86400 FROM public.payouts_house
WHERE NOT EXISTS (SELECT FROM public.payouts_approvalrule r WHERE r.house_id = payouts_house.id AND r.action = 'posted_table.release');

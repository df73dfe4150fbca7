-- An alert says for ever what it said; that it is over, and who acknowledged it, is marked once
-- each, by this clock. Whoever took part in what it is about (`people`) does not acknowledge it.
CREATE OR REPLACE FUNCTION alert_guard_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE'
        OR to_jsonb(OLD) - '{over_at,acknowledged_at,acknowledged_by_id}'::text[]
            <> to_jsonb(NEW) - '{over_at,acknowledged_at,acknowledged_by_id}'::text[]
        OR (OLD.over_at IS NOT NULL AND NEW.over_at IS DISTINCT FROM OLD.over_at)
        OR (OLD.acknowledged_at IS NOT NULL AND (NEW.acknowledged_at, NEW.acknowledged_by_id)
            IS DISTINCT FROM (OLD.acknowledged_at, OLD.acknowledged_by_id))
        OR coalesce(NEW.data -> 'people' ? NEW.acknowledged_by_id::text, false) THEN
        RAISE EXCEPTION 'alert %: % refused', OLD.id, TG_OP
            USING ERRCODE = 'restrict_violation', TABLE = 'casino_alert',
                CONSTRAINT = 'alert_guard';
    END IF;
    IF NEW.over_at IS DISTINCT FROM OLD.over_at THEN
        NEW.over_at := clock_timestamp();
    END IF;
    IF NEW.acknowledged_at IS DISTINCT FROM OLD.acknowledged_at THEN
        NEW.acknowledged_at := clock_timestamp();
    END IF;
    RETURN NEW;
END $$;

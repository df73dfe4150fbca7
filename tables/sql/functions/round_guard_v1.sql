-- A round is locked or a tombstone when it begins; it ends once; a settled one may be corrected, revision by revision.
CREATE OR REPLACE FUNCTION round_guard_v1() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    step text := OLD.state || '>' || NEW.state;
BEGIN
    IF TG_OP = 'DELETE'
        OR step NOT IN ('locked>settled', 'locked>voided', 'locked>reopened', 'settled>settled')
        OR NEW.revision <> OLD.revision + (NEW.state = 'settled')::int
        OR to_jsonb(OLD) - ARRAY['state', 'revision', 'ended_at', 'ended_by_id', 'reason']
            <> to_jsonb(NEW) - ARRAY['state', 'revision', 'ended_at', 'ended_by_id', 'reason']
        OR (OLD.state = 'settled' AND OLD.ended_at <> NEW.ended_at)
    THEN
        RAISE EXCEPTION 'round %: % refused', OLD.id, coalesce(step, TG_OP)
            USING ERRCODE = 'restrict_violation', TABLE = 'tables_round', CONSTRAINT = 'round_guard';
    END IF;
    RETURN NEW;
END $$;

-- What of a hand may change: it is corrected, or void for good.
CREATE OR REPLACE FUNCTION hand_guard_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' OR OLD.state <> 'ended'
        OR NEW.revision <> OLD.revision + (NEW.state = 'ended')::int
        OR to_jsonb(OLD) - ARRAY['state', 'revision'] <> to_jsonb(NEW) - ARRAY['state', 'revision']
    THEN
        RAISE EXCEPTION 'hand %: % refused', OLD.id, TG_OP
            USING ERRCODE = 'restrict_violation', TABLE = 'tables_hand', CONSTRAINT = 'hand_guard';
    END IF;
    RETURN NEW;
END $$;

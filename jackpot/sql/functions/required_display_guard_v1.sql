-- A display is required until people have approved that just this line of the list goes.
CREATE OR REPLACE FUNCTION required_display_guard_v1() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    keep text[] := ARRAY['ended_at', 'reason'];
BEGIN
    IF TG_OP = 'DELETE' OR OLD.ended_at IS NOT NULL OR to_jsonb(OLD) - keep <> to_jsonb(NEW) - keep OR NOT EXISTS (
        SELECT FROM public.payouts_approval a WHERE a.house_id = OLD.house_id AND a.action = 'jackpot.display_out' AND a.state = 'used'
            AND a.payload ->> 'required' = OLD.id::text)
    THEN
        RAISE EXCEPTION 'display %: % refused', OLD.display_id, TG_OP
            USING ERRCODE = 'restrict_violation', TABLE = 'jackpot_requireddisplay', CONSTRAINT = 'required_display_guard';
    END IF;
    RETURN NEW;
END $$;

-- A split is made while its hit is looked at, of verified claims, and adds up when the transaction ends.
CREATE OR REPLACE FUNCTION split_of_verifying_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM public.jackpot_hit h WHERE h.id = NEW.hit_id AND h.house_id = NEW.house_id AND h.state = 'verifying')
        OR NEW.revision <> 1 + (SELECT coalesce(max(s.revision), 0) FROM public.jackpot_split s WHERE s.hit_id = NEW.hit_id)
    THEN
        RAISE EXCEPTION 'hit % takes no split', NEW.hit_id
            USING ERRCODE = 'check_violation', TABLE = 'jackpot_split', CONSTRAINT = 'split_of_verifying';
    END IF;
    RETURN NEW;
END $$;

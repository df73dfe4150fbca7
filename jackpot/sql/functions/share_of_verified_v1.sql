CREATE OR REPLACE FUNCTION share_of_verified_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM public.jackpot_claim c JOIN public.jackpot_split s ON s.hit_id = c.hit_id
                   WHERE c.id = NEW.claim_id AND s.id = NEW.split_id AND c.state = 'verified' AND s.house_id = NEW.house_id)
    THEN
        RAISE EXCEPTION 'claim % is not verified in this hit', NEW.claim_id
            USING ERRCODE = 'check_violation', TABLE = 'jackpot_share', CONSTRAINT = 'share_of_verified';
    END IF;
    RETURN NEW;
END $$;

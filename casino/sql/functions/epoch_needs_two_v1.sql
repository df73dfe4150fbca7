-- Its first epoch begins with the versions and the seed that were signed with it.
CREATE OR REPLACE FUNCTION epoch_needs_two_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT jackpot_signed_v1(NEW.house_id, NEW.jackpot_id, jsonb_build_object('seed_minor',
        NEW.seed_minor, 'posted', jsonb_build_object('progressive', NEW.progressive_id,
            'funding', NEW.funding_id, 'rules', NEW.rules_id)))
    THEN
        RAISE EXCEPTION 'the seed of jackpot % was not signed by a second person', NEW.jackpot_id
            USING ERRCODE = 'check_violation', TABLE = 'jackpot_epoch',
                CONSTRAINT = 'epoch_needs_two';
    END IF;
    RETURN NEW;
END $$;

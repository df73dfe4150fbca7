-- A jackpot is made as it was signed.
CREATE OR REPLACE FUNCTION jackpot_needs_two_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT jackpot_signed_v1(NEW.house_id, NEW.id, jsonb_build_object('name', NEW.name,
        'progressive', NEW.progressive, 'funding', NEW.funding, 'rules', NEW.rules,
        'offline_linked', NEW.offline_linked))
    THEN
        RAISE EXCEPTION 'jackpot % was not signed by a second person', NEW.id
            USING ERRCODE = 'check_violation', TABLE = 'jackpot_jackpot',
                CONSTRAINT = 'jackpot_needs_two';
    END IF;
    RETURN NEW;
END $$;

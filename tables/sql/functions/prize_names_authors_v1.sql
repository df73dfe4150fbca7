CREATE OR REPLACE FUNCTION prize_names_authors_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT NEW.dealers @> ARRAY(SELECT round_authors_v1(NEW.source_id)) THEN
        RAISE EXCEPTION 'prize % does not name all authors of its result', NEW.id
            USING ERRCODE = 'check_violation', TABLE = 'jackpot_waitingprize', CONSTRAINT = 'prize_names_authors';
    END IF;
    RETURN NEW;
END $$;

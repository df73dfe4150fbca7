CREATE OR REPLACE FUNCTION refuse_resting_v1(p_person uuid, p_house uuid, p_table text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF person_rests_v1(p_person, p_house) THEN
        RAISE EXCEPTION 'person % was made anew by another less than 24 hours ago', p_person
            USING ERRCODE = 'check_violation', TABLE = p_table, CONSTRAINT = 'person_rests';
    END IF;
END $$;

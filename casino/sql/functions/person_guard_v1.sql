-- A demo person has a public password. He never becomes a real one, nor a real one a demo person.
CREATE OR REPLACE FUNCTION person_guard_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.id <> OLD.id OR NEW.is_demo <> OLD.is_demo THEN
        RAISE EXCEPTION 'person %: who he is stays', OLD.id
            USING ERRCODE = 'restrict_violation', TABLE = 'casino_person', CONSTRAINT = 'person_guard';
    END IF;
    RETURN NEW;
END $$;

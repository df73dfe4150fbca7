-- Who set a sign-in does not say that he has seen it, nor does its owner.
CREATE OR REPLACE FUNCTION credential_excludes_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT NEW.excluded @> array_append(
        ARRAY(SELECT u.setter FROM credential_unseen_v1(NEW.subject_id::uuid, NEW.house_id) u
            WHERE u.setter IS NOT NULL), NEW.subject_id::uuid)
    THEN
        RAISE EXCEPTION 'approval % lets who set a sign-in see it', NEW.id
            USING ERRCODE = 'check_violation', TABLE = 'payouts_approval',
                CONSTRAINT = 'credential_excludes';
    END IF;
    RETURN NEW;
END $$;

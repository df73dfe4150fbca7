-- A sign-in that another sets anew takes its PIN with it, and ends what was begun on tablets.
CREATE OR REPLACE FUNCTION credential_reset_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE public.casino_person SET pin = '' WHERE id = NEW.subject_id::uuid;
    UPDATE public.casino_devicesession
        SET ended_at = statement_timestamp(), ended_as = 'barred', ended_by_id = NEW.actor_id
        WHERE person_id = NEW.subject_id::uuid AND ended_at IS NULL;
    RETURN NEW;
END $$;

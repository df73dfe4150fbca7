-- A sign-in that another sets anew takes its PIN with it, and ends what was begun on tablets.
CREATE FUNCTION credential_reset_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE public.casino_person SET pin = '' WHERE id = NEW.subject_id::uuid;
    UPDATE public.casino_devicesession
        SET ended_at = statement_timestamp(), ended_as = 'barred', ended_by_id = NEW.actor_id
        WHERE person_id = NEW.subject_id::uuid AND ended_at IS NULL;
    RETURN NEW;
END $$;
CREATE TRIGGER credential_reset BEFORE INSERT ON public.payouts_event
    FOR EACH ROW
        WHEN (((new.name)::text = ANY (ARRAY['password.reset'::text, 'sign_in.second_factor_reset'::text])))
        EXECUTE FUNCTION credential_reset_v1();
ALTER TABLE public.payouts_event ENABLE ALWAYS TRIGGER credential_reset;

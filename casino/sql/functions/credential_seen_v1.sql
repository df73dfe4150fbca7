-- That a sign-in was seen, the log takes with the approval that was used for exactly what stands
-- now.
CREATE OR REPLACE FUNCTION credential_seen_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM public.payouts_approval a
        WHERE a.action = 'person.credential' AND a.state = 'used'
            AND a.closed_at >= transaction_timestamp() AND a.subject_id = NEW.subject_id
            AND (a.payload ->> 'event')::bigint = (
                SELECT max(u.id) FROM credential_unseen_v1(NEW.subject_id::uuid, a.house_id) u))
    THEN
        RAISE EXCEPTION 'that the sign-in of % was seen is not approved', NEW.subject_id
            USING ERRCODE = 'check_violation', TABLE = 'payouts_event',
                CONSTRAINT = 'credential_seen';
    END IF;
    RETURN NEW;
END $$;

CREATE OR REPLACE FUNCTION sign_role_approved_v1() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    person public.casino_person;
    had text[] := '{}';
    is_first boolean := NEW.name = 'person.bootstrapped';
BEGIN
    IF NOT is_first AND NEW.name NOT IN ('person.created', 'person.changed', 'person.activated') THEN
        RETURN NEW;
    END IF;
    SELECT * INTO person FROM public.casino_person WHERE id = NEW.subject_id::uuid;
    IF NEW.name = 'person.changed' AND NEW.before ->> 'house' = person.house_id::text THEN
        had := ARRAY(SELECT jsonb_array_elements_text(NEW.before -> 'roles'));
    END IF;
    IF is_first AND EXISTS (SELECT FROM public.casino_person p WHERE 'manager' = ANY (p.roles) AND p.id <> person.id)
        OR NOT is_first AND person.is_active AND sign_role_asks_v1(person.id, person.house_id, person.roles::text[], had)
            AND NOT EXISTS (SELECT FROM public.payouts_approval a
                WHERE a.action = 'person.sign_role' AND a.state = 'used' AND a.closed_at >= transaction_timestamp()
                    AND (a.house_id, a.subject_id) = (person.house_id, person.id::text)
                    AND a.payload -> 'after' = jsonb_build_object('house', person.house_id, 'roles', person.roles, 'active', true))
    THEN
        RAISE EXCEPTION 'that person % signs is not approved', person.id
            USING ERRCODE = 'check_violation', TABLE = 'payouts_event', CONSTRAINT = 'sign_role_approved';
    END IF;
    RETURN NEW;
END $$;

-- Nobody is left as the only manager by his own doing: who could sign that somebody may sign counts for a day after he was barred, or lost
-- role or house. That one may do it alone is read where no session can write it, and nobody else is a first manager.

-- An operator lets one do it alone by ALTER DATABASE ... SET saalchef.signing_roles_alone = 'on', for which PostgreSQL wants a superuser.
CREATE FUNCTION signing_alone_v1() RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT EXISTS (SELECT FROM pg_catalog.pg_db_role_setting s JOIN pg_catalog.pg_database d ON d.oid = s.setdatabase
        WHERE d.datname = current_database() AND s.setrole = 0 AND 'saalchef.signing_roles_alone=on' = ANY (s.setconfig))
$$;

-- Whether the person could sign, for these roles of the house, what a line of its matrix asks for, or could within the last 24 hours.
CREATE FUNCTION could_sign_v1(p_person public.casino_person, p_house uuid, p_roles text[]) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT p_person.house_id = p_house AND p_person.is_active AND p_person.roles::text[] && p_roles
        OR EXISTS (SELECT FROM public.payouts_event e
            WHERE e.subject_kind = 'person' AND e.subject_id = p_person.id::text AND e.at > clock_timestamp() - interval '24 hours'
                AND (e.name = 'person.deactivated' AND p_person.house_id = p_house AND p_person.roles::text[] && p_roles
                    OR e.name = 'person.changed' AND e.before ->> 'house' = p_house::text AND e.before -> 'roles' ?| p_roles))
$$;

-- Whether these roles give the person a signature that he `p_had` not, and the house has one more than enough others who sign for
-- that: two managers, as the matrix begins.
CREATE OR REPLACE FUNCTION sign_role_asks_v1(p_person uuid, p_house uuid, p_roles text[], p_had text[]) RETURNS boolean
LANGUAGE sql STABLE AS $$
    SELECT NOT signing_alone_v1()
        AND EXISTS (SELECT FROM unnest(p_roles) AS given
            WHERE given = ANY (signing_roles_v1(p_house)) AND NOT given = ANY (p_had))
        AND EXISTS (
            SELECT FROM (
                SELECT roles, signers FROM public.payouts_approvalrule
                WHERE house_id = p_house AND action = 'person.sign_role' ORDER BY version DESC LIMIT 1
            ) line WHERE line.signers < (SELECT count(*) FROM public.casino_person p
                WHERE p.id <> p_person AND could_sign_v1(p, p_house, line.roles::text[])))
$$;

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

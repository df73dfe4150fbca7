-- Who is given a role that signs is given it by two, once the house has people enough to sign for him: the log takes no such act
-- without the approval that allowed it (`person.sign_role`). That people stand as the log says, an audit looks at.

-- Every role that a line of the house's matrix in force names.
CREATE FUNCTION signing_roles_v1(p_house uuid) RETURNS text[] LANGUAGE sql STABLE AS $$
    SELECT coalesce(array_agg(DISTINCT role::text), '{}') FROM (
        SELECT DISTINCT ON (action) roles FROM public.payouts_approvalrule WHERE house_id = p_house ORDER BY action, version DESC
    ) line CROSS JOIN LATERAL unnest(line.roles) AS role
$$;

-- Whether these roles give the person a signature that he `p_had` not, and the house has one more than enough others who sign for
-- that: two managers, as the matrix begins. An operator lets one do it alone by
-- ALTER DATABASE ... SET saalchef.signing_roles_alone = 'on'.
CREATE FUNCTION sign_role_asks_v1(p_person uuid, p_house uuid, p_roles text[], p_had text[]) RETURNS boolean
LANGUAGE sql STABLE AS $$
    SELECT coalesce(current_setting('saalchef.signing_roles_alone', true), '') <> 'on'
        AND EXISTS (SELECT FROM unnest(p_roles) AS given
            WHERE given = ANY (signing_roles_v1(p_house)) AND NOT given = ANY (p_had))
        AND EXISTS (
            SELECT FROM (
                SELECT roles, signers FROM public.payouts_approvalrule
                WHERE house_id = p_house AND action = 'person.sign_role' ORDER BY version DESC LIMIT 1
            ) line WHERE line.signers < (SELECT count(*) FROM public.casino_person p
                WHERE p.house_id = p_house AND p.is_active AND p.roles && line.roles AND p.id <> p_person))
$$;

CREATE FUNCTION sign_role_approved_v1() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    person public.casino_person;
    had text[] := '{}';
BEGIN
    IF NEW.name NOT IN ('person.created', 'person.changed', 'person.activated') THEN
        RETURN NEW;
    END IF;
    SELECT * INTO person FROM public.casino_person WHERE id = NEW.subject_id::uuid;
    IF NEW.name = 'person.changed' AND NEW.before ->> 'house' = person.house_id::text THEN
        had := ARRAY(SELECT jsonb_array_elements_text(NEW.before -> 'roles'));
    END IF;
    IF person.is_active AND sign_role_asks_v1(person.id, person.house_id, person.roles::text[], had)
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
CREATE TRIGGER sign_role_approved BEFORE INSERT ON public.payouts_event
    FOR EACH ROW WHEN (((new.subject_kind)::text = 'person'::text)) EXECUTE FUNCTION sign_role_approved_v1();
ALTER TABLE public.payouts_event ENABLE ALWAYS TRIGGER sign_role_approved;

-- Who set a half of a sign-in that another has set again is its setter no more; a rest is read in a
-- short time, however long the log is.

-- What nobody has seen yet of what others set of a person's sign-in (`setter`), as far as it
-- stands, each half by its newest setting; and of their enrolments. Nothing from before the house
-- opened, or its matrix had the line.
CREATE OR REPLACE FUNCTION credential_unseen_v1(p_person uuid, p_house uuid)
RETURNS TABLE (id bigint, setter uuid) LANGUAGE sql STABLE AS $$
    WITH acts AS MATERIALIZED (
        SELECT e.id, e.name, nullif(e.actor_id, p_person) AS setter FROM public.payouts_event e
        WHERE e.subject_kind = 'person' AND e.subject_id = p_person::text
            AND (e.name = 'sign_in.enrolled'
                OR e.name IN ('person.created', 'password.reset', 'sign_in.second_factor_reset')
                    AND e.actor_id <> p_person)
            AND e.id > coalesce((SELECT max(s.id) FROM public.payouts_event s
                WHERE s.subject_kind = 'person' AND s.subject_id = p_person::text
                    AND s.name = 'sign_in.seen'), 0)
            AND e.id > (SELECT min(a.id) FROM public.payouts_approvalrule l
                JOIN public.payouts_event a ON a.subject_kind = 'approval_rule'
                    AND a.subject_id = l.id::text
                WHERE l.house_id = p_house AND l.action = 'person.credential' AND l.version = 1)
            AND e.id > (SELECT house_opened_v1(p_house))
    ), newest AS (
        SELECT max(a.id) FILTER (WHERE a.name = 'password.reset') AS password_id,
            max(a.id) FILTER (WHERE a.name = 'sign_in.second_factor_reset') AS factor_id
        FROM acts a
    )
    SELECT a.id, a.setter FROM acts a, newest n
    WHERE a.name = 'sign_in.enrolled' OR a.id IN (n.password_id, n.factor_id)
        OR a.name = 'person.created' AND (n.password_id IS NULL OR n.factor_id IS NULL)
$$;

-- The entry by which a day went by in the log since that one, through acts of others than
-- `p_people`: one after 24 hours, and some in eight hours. NULL: not yet. Failed sign-ins, and what
-- the system does, are nobody's acts. An hour is read at a time, for the log has an index by time
-- that finds no single entry.
CREATE OR REPLACE FUNCTION log_turn_v1(p_event bigint, p_people uuid[]) RETURNS bigint
LANGUAGE plpgsql STABLE AS $$
DECLARE
    since timestamptz := (SELECT at FROM public.payouts_event WHERE id = p_event);
    until timestamptz := least(since + interval '60 days',
        (SELECT at FROM public.payouts_event ORDER BY id DESC LIMIT 1));
    hour timestamptz := date_trunc('hour', since);
    hours integer := 0;
    act bigint;
    act_late bigint;
    late bigint;
    eighth bigint;
BEGIN
    WHILE hour <= until AND (late IS NULL OR eighth IS NULL) LOOP
        SELECT min(l.id), min(l.id) FILTER (WHERE l.at >= since + interval '24 hours')
            INTO act, act_late
        FROM (SELECT e.id, e.at FROM public.payouts_event e
            WHERE e.at >= hour AND e.at < hour + interval '1 hour' AND e.at >= since
                AND e.id > p_event AND e.actor_id <> ALL (p_people) OFFSET 0) l;
        hours := hours + (act IS NOT NULL)::integer;
        eighth := CASE WHEN eighth IS NULL AND hours = 8 THEN act ELSE eighth END;
        late := coalesce(late, act_late);
        hour := hour + interval '1 hour';
    END LOOP;
    RETURN CASE WHEN late IS NULL OR eighth IS NULL THEN NULL ELSE greatest(late, eighth) END;
END $$;

-- Whether a sign-in waits to be seen. The log ends it only where nobody could see it: no manager
-- since it was set but who set it, and it is no manager's that another set.
CREATE OR REPLACE FUNCTION credential_waits_v1(p_person uuid, p_house uuid) RETURNS boolean
LANGUAGE sql STABLE AS $$
    WITH unseen AS (
        SELECT coalesce(max(id) FILTER (WHERE setter IS NOT NULL), max(id)) AS id,
            max(id) AS newest, count(setter) > 0 AS by_another,
            coalesce(array_agg(DISTINCT setter) FILTER (WHERE setter IS NOT NULL), '{}') AS setters
        FROM credential_unseen_v1(p_person, p_house)
    ), turned AS MATERIALIZED (
        SELECT *, log_turn_v1(newest, setters || p_person) AS turn
        FROM unseen WHERE newest IS NOT NULL
    ), line AS (
        SELECT roles::text[] FROM public.payouts_approvalrule
        WHERE house_id = p_house AND action = 'person.credential' ORDER BY version DESC LIMIT 1
    )
    SELECT EXISTS (SELECT FROM turned t WHERE turn IS NULL OR NOT signing_alone_v1() AND EXISTS (
        SELECT FROM line, public.casino_person m WHERE CASE WHEN m.id = p_person
            THEN t.by_another AND had_role_v1(m, p_house, line.roles, t.id, t.id)
            ELSE m.id <> ALL (t.setters) AND had_role_v1(m, p_house, line.roles, t.id, t.turn)
        END))
$$;

-- Whether the person signs, and rests because nobody has seen their sign-in.
CREATE OR REPLACE FUNCTION credential_rests_v1(p_person uuid, p_house uuid) RETURNS boolean
LANGUAGE sql STABLE AS $$
    SELECT CASE WHEN EXISTS (SELECT FROM public.casino_person p WHERE p.id = p_person
            AND p.roles::text[] && signing_roles_v1(p_house))
        THEN credential_waits_v1(p_person, p_house) ELSE false END
$$;

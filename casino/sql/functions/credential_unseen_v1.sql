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

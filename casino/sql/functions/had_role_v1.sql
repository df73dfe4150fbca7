-- Whether the person held one of these roles in the house at the entry `p_until` of the log, or
-- lost it between `p_since` and then, or within the 24 hours before.
CREATE OR REPLACE FUNCTION had_role_v1(
    p_person public.casino_person, p_house uuid, p_roles text[], p_since bigint, p_until bigint)
RETURNS boolean LANGUAGE sql STABLE AS $$
    WITH acts AS (
        SELECT e.id, e.name, e.before, e.id <= p_until AND (e.id > p_since
            OR e.at > s.at - interval '24 hours') AS is_recent
        FROM public.payouts_event e, public.payouts_event s
        WHERE s.id = p_since AND e.subject_kind = 'person' AND e.subject_id = p_person.id::text
    ), stood AS (
        SELECT coalesce((SELECT before FROM acts WHERE name = 'person.changed' AND id > p_until
                ORDER BY id LIMIT 1),
            jsonb_build_object('house', p_person.house_id, 'roles', p_person.roles)) AS before,
            coalesce((SELECT name = 'person.deactivated' FROM acts WHERE id > p_until
                AND name IN ('person.activated', 'person.deactivated')
                ORDER BY id LIMIT 1), p_person.is_active) AS is_active
    )
    SELECT NOT EXISTS (SELECT FROM acts WHERE id >= p_until
            AND name IN ('person.created', 'person.bootstrapped'))
        AND EXISTS (SELECT FROM (
            SELECT before FROM stood WHERE is_active
                OR EXISTS (SELECT FROM acts WHERE is_recent AND name = 'person.deactivated')
            UNION ALL SELECT before FROM acts WHERE is_recent AND name = 'person.changed'
        ) standing WHERE before ->> 'house' = p_house::text AND before -> 'roles' ?| p_roles)
$$;

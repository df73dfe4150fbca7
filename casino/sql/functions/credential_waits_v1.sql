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

-- Whoever set a sign-in does not make themselves alone by setting, barring or degrading those who
-- could see it; nor does somebody who needs no signature of their own ask in their place.

-- The entry by which a day went by in the log since that one, through acts of others than
-- `p_people`: one after 24 hours, and some in eight hours. NULL: not yet. Failed sign-ins, and what
-- the system does, are nobody's acts.
CREATE FUNCTION log_turn_v1(p_event bigint, p_people uuid[]) RETURNS bigint
LANGUAGE sql STABLE AS $$
    WITH acts AS (
        SELECT l.id, l.at, l.at >= e.at + interval '24 hours' AS is_late
        FROM public.payouts_event e JOIN public.payouts_event l ON l.id > e.id
            AND l.at BETWEEN e.at AND e.at + interval '7 days'
        WHERE e.id = p_event AND l.actor_id <> ALL (p_people)
    )
    SELECT greatest(late.id, eighth.id)
    FROM (SELECT min(id) AS id FROM acts WHERE is_late) late,
        (SELECT min(id) AS id FROM acts GROUP BY date_trunc('hour', at)
            ORDER BY 1 OFFSET 7 LIMIT 1) eighth
    WHERE late.id IS NOT NULL
$$;

-- Whether the person held one of these roles in the house at the entry `p_until` of the log, or
-- lost it between `p_since` and then, or within the 24 hours before.
CREATE FUNCTION had_role_v1(
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

-- Whether a sign-in waits to be seen. The log ends it only where nobody could see it: no manager
-- since it was set but who set it, and it is no manager's that another set.
CREATE FUNCTION credential_waits_v1(p_person uuid, p_house uuid) RETURNS boolean
LANGUAGE sql STABLE AS $$
    WITH unseen AS (
        SELECT coalesce(max(id) FILTER (WHERE setter IS NOT NULL), max(id)) AS id,
            max(id) AS newest, count(setter) > 0 AS by_another,
            coalesce(array_agg(DISTINCT setter) FILTER (WHERE setter IS NOT NULL), '{}') AS setters
        FROM credential_unseen_v1(p_person, p_house)
    ), turned AS (
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
    SELECT credential_waits_v1(p_person, p_house)
        AND EXISTS (SELECT FROM public.casino_person p WHERE p.id = p_person
            AND p.roles::text[] && signing_roles_v1(p_house))
$$;

-- Whose own sign-in nobody has seen sees none, even where the log has ended their rest.
CREATE OR REPLACE FUNCTION person_rests_from_v1(p_person uuid, p_house uuid, p_action text)
RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT person_made_anew_v1(p_person, NULL) AND NOT rest_waived_v1(p_house, p_action)
        OR credential_rests_v1(p_person, p_house)
        OR p_action = 'person.credential'
            AND EXISTS (SELECT FROM credential_unseen_v1(p_person, p_house))
$$;

-- Who was made by the requester rests; a requester who was made by the signer is looked for
-- besides: within a day, and for as long as nobody has seen the sign-in that the signer set.
CREATE OR REPLACE FUNCTION signer_rests_v1() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    approval public.payouts_approval;
BEGIN
    SELECT * INTO approval FROM public.payouts_approval WHERE id = NEW.approval_id;
    PERFORM refuse_resting_v2(NEW.signer_id, approval.house_id, approval.action,
        'payouts_approvalsignature');
    IF person_made_anew_v1(approval.requester_id, NEW.signer_id)
            AND NOT rest_waived_v1(approval.house_id, approval.action)
        OR EXISTS (SELECT FROM credential_unseen_v1(approval.requester_id, approval.house_id) u
                WHERE u.setter = NEW.signer_id)
            AND credential_waits_v1(approval.requester_id, approval.house_id) THEN
        RAISE EXCEPTION
            'the signer has set the sign-in or the roles of the requester of approval %',
            approval.id
            USING ERRCODE = 'check_violation', TABLE = 'payouts_approvalsignature',
                CONSTRAINT = 'signer_made_requester';
    END IF;
    RETURN NEW;
END $$;

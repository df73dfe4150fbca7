-- A credential is a right. Who signs, and whose sign-in another has set, or who has enrolled, rests
-- until a second manager has seen it (`person.credential`); where nobody could, a day of the clock
-- and of the log.

-- The entry of the log by which the first table of a house that has ever locked was opened. By its
-- place in the log: a clock that was set back makes nothing older.
CREATE FUNCTION house_opened_v1(p_house uuid) RETURNS bigint LANGUAGE sql STABLE AS $$
    SELECT min(opened.id) FROM public.tables_table t CROSS JOIN LATERAL (
        SELECT e.id FROM public.payouts_event e
        WHERE e.subject_kind = 'table' AND e.subject_id = t.id::text AND e.name = 'table.opened'
        ORDER BY e.id LIMIT 1
    ) opened WHERE t.house_id = p_house AND house_has_locked_v1(p_house)
$$;

-- What nobody has seen yet of what others set of a person's sign-in (`setter`), and of his
-- enrolments; nothing from before the house opened, or its matrix had the line.
CREATE FUNCTION credential_unseen_v1(p_person uuid, p_house uuid)
RETURNS TABLE (id bigint, setter uuid) LANGUAGE sql STABLE AS $$
    SELECT e.id, nullif(e.actor_id, p_person) FROM public.payouts_event e
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
$$;

-- Whether a day has gone by since an entry of the log: by the clock, and by the log, which has
-- entries in eight hours after it. A clock that is set on turns no log.
CREATE FUNCTION log_turned_v1(p_event bigint) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT clock_timestamp() >= e.at + interval '24 hours' AND 8 <= (
        SELECT count(DISTINCT date_trunc('hour', l.at)) FROM public.payouts_event l
        WHERE l.id > e.id AND l.at BETWEEN e.at AND e.at + interval '7 days')
    FROM public.payouts_event e WHERE e.id = p_event
$$;

-- Whether the person signs, and rests because nobody has seen his sign-in: as long as somebody
-- could whose own was seen, and who has not set it himself.
CREATE FUNCTION credential_rests_v1(p_person uuid, p_house uuid) RETURNS boolean
LANGUAGE sql STABLE AS $$
    SELECT EXISTS (SELECT FROM credential_unseen_v1(p_person, p_house))
        AND EXISTS (SELECT FROM public.casino_person p WHERE p.id = p_person
            AND p.roles::text[] && signing_roles_v1(p_house))
        AND (NOT log_turned_v1((SELECT max(u.id) FROM credential_unseen_v1(p_person, p_house) u))
            OR EXISTS (
                SELECT FROM (
                    SELECT roles FROM public.payouts_approvalrule
                    WHERE house_id = p_house AND action = 'person.credential'
                        ORDER BY version DESC LIMIT 1
                ) line JOIN public.casino_person m ON could_sign_v1(m, p_house, line.roles::text[])
                WHERE m.id <> p_person AND NOT EXISTS (SELECT FROM credential_unseen_v1(m.id,
                    p_house))
                    AND NOT EXISTS (SELECT FROM credential_unseen_v1(p_person, p_house) u
                        WHERE u.setter = m.id)))
$$;

CREATE OR REPLACE FUNCTION person_rests_v1(p_person uuid, p_house uuid) RETURNS boolean
LANGUAGE sql STABLE AS $$
    SELECT person_made_anew_v1(p_person, NULL) AND house_has_locked_v1(p_house)
        OR credential_rests_v1(p_person, p_house)
$$;

-- Who set a sign-in does not say that he has seen it, nor does its owner.
CREATE FUNCTION credential_excludes_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT NEW.excluded @> array_append(
        ARRAY(SELECT u.setter FROM credential_unseen_v1(NEW.subject_id::uuid, NEW.house_id) u
            WHERE u.setter IS NOT NULL), NEW.subject_id::uuid)
    THEN
        RAISE EXCEPTION 'approval % lets who set a sign-in see it', NEW.id
            USING ERRCODE = 'check_violation', TABLE = 'payouts_approval',
                CONSTRAINT = 'credential_excludes';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER credential_excludes BEFORE INSERT ON public.payouts_approval
    FOR EACH ROW WHEN (((new.action)::text = 'person.credential'::text))
        EXECUTE FUNCTION credential_excludes_v1();
ALTER TABLE public.payouts_approval ENABLE ALWAYS TRIGGER credential_excludes;

-- That a sign-in was seen, the log takes with the approval that was used for exactly what stands
-- now.
CREATE FUNCTION credential_seen_v1() RETURNS trigger LANGUAGE plpgsql AS $$
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
CREATE TRIGGER credential_seen BEFORE INSERT ON public.payouts_event
    FOR EACH ROW WHEN (((new.name)::text = 'sign_in.seen'::text))
        EXECUTE FUNCTION credential_seen_v1();
ALTER TABLE public.payouts_event ENABLE ALWAYS TRIGGER credential_seen;

-- Before its first lock the first people of a house sign its rule sets and its signing roles at
-- once, and nothing else.

-- Whether nobody rests from this act yet. A fresh meter is money: what lowers it waits like
-- everywhere.
CREATE FUNCTION rest_waived_v1(p_house uuid, p_action text) RETURNS boolean
LANGUAGE sql STABLE AS $$
    SELECT p_action IN ('posted_table.release', 'person.sign_role')
        AND NOT house_has_locked_v1(p_house)
$$;

CREATE FUNCTION person_rests_from_v1(p_person uuid, p_house uuid, p_action text)
RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT person_made_anew_v1(p_person, NULL) AND NOT rest_waived_v1(p_house, p_action)
        OR credential_rests_v1(p_person, p_house)
$$;

CREATE FUNCTION refuse_resting_v2(p_person uuid, p_house uuid, p_action text, p_table text)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF person_rests_from_v1(p_person, p_house, p_action) THEN
        RAISE EXCEPTION 'person % was made anew by another less than 24 hours ago', p_person
            USING ERRCODE = 'check_violation', TABLE = p_table, CONSTRAINT = 'person_rests';
    END IF;
END $$;

CREATE OR REPLACE FUNCTION requester_rests_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM refuse_resting_v2(NEW.requester_id, NEW.house_id, NEW.action, 'payouts_approval');
    RETURN NEW;
END $$;

-- Who was made by the requester rests; a requester who was made by the signer, after he had asked,
-- is looked for besides.
CREATE OR REPLACE FUNCTION signer_rests_v1() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    approval public.payouts_approval;
BEGIN
    SELECT * INTO approval FROM public.payouts_approval WHERE id = NEW.approval_id;
    PERFORM refuse_resting_v2(NEW.signer_id, approval.house_id, approval.action,
        'payouts_approvalsignature');
    IF person_made_anew_v1(approval.requester_id, NEW.signer_id)
        AND NOT rest_waived_v1(approval.house_id, approval.action) THEN
        RAISE EXCEPTION 'the signer made the requester of approval % anew less than 24 hours ago',
            approval.id
            USING ERRCODE = 'check_violation', TABLE = 'payouts_approvalsignature',
                CONSTRAINT = 'signer_made_requester';
    END IF;
    RETURN NEW;
END $$;

-- Only who decides now is asked: what somebody decided stays when its claim is only touched.
CREATE OR REPLACE FUNCTION decider_rests_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.state IN ('verified', 'refused') AND (OLD.state, OLD.decided_by_id, OLD.checklist,
        OLD.reason)
        IS DISTINCT FROM (NEW.state, NEW.decided_by_id, NEW.checklist, NEW.reason)
    THEN
        PERFORM refuse_resting_v2(NEW.decided_by_id, NEW.house_id, 'claim', 'jackpot_claim');
    END IF;
    RETURN NEW;
END $$;

CREATE OR REPLACE FUNCTION payer_rests_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.state = 'paid' AND OLD.state <> 'paid' THEN
        PERFORM refuse_resting_v2(NEW.paid_by_id, NEW.house_id, 'slip', 'jackpot_slip');
    END IF;
    RETURN NEW;
END $$;

-- A "no" is a decision. Who takes back what he asked for himself decides nothing.
CREATE FUNCTION rejector_rests_v1() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    approval public.payouts_approval;
BEGIN
    SELECT * INTO approval FROM public.payouts_approval WHERE id = NEW.subject_id::uuid;
    IF NEW.actor_id IS DISTINCT FROM approval.requester_id THEN
        PERFORM refuse_resting_v2(NEW.actor_id, approval.house_id, approval.action,
            'payouts_event');
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER rejector_rests BEFORE INSERT ON public.payouts_event
    FOR EACH ROW WHEN (((new.name)::text = 'approval.rejected'::text))
        EXECUTE FUNCTION rejector_rests_v1();
ALTER TABLE public.payouts_event ENABLE ALWAYS TRIGGER rejector_rests;

-- Every role that a line of the house's matrix in force names, and the cage: a slip is money.
CREATE OR REPLACE FUNCTION signing_roles_v1(p_house uuid) RETURNS text[] LANGUAGE sql STABLE AS $$
    SELECT array_agg(DISTINCT role) FROM (
        SELECT 'cage' AS role UNION SELECT unnest(line.roles)::text FROM (
            SELECT DISTINCT ON (action) roles FROM public.payouts_approvalrule
                WHERE house_id = p_house ORDER BY action, version DESC
        ) line) named
$$;

-- Whether the person asked for an award, dealt or entered its round, or looked at its claim.
CREATE FUNCTION took_part_in_award_v1(p_award uuid, p_person uuid) RETURNS boolean
LANGUAGE sql STABLE AS $$
    SELECT EXISTS (
        SELECT FROM public.jackpot_award w
            LEFT JOIN public.payouts_approval a ON a.id = w.approval_id
            LEFT JOIN public.jackpot_waitingprize p ON p.id = w.prize_id
        WHERE w.id = p_award AND (a.requester_id = p_person OR p_person = ANY (p.dealers)
            OR a.subject_kind = 'round' AND p_person = ANY (a.excluded)
            OR p_person IN (SELECT round_authors_v1(w.round_id))
            OR EXISTS (SELECT FROM public.jackpot_claim c WHERE c.hit_id = w.hit_id
                AND c.round_id = w.round_id
                AND (p_person IN (c.decided_by_id, c.made_by_id) OR p_person = ANY (c.dealers)))))
$$;

CREATE FUNCTION payer_took_part_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.state = 'paid' AND OLD.state <> 'paid' AND took_part_in_award_v1(NEW.award_id,
        NEW.paid_by_id) THEN
        RAISE EXCEPTION 'slip %: who pays it took part in its award', NEW.number
            USING ERRCODE = 'check_violation', TABLE = 'jackpot_slip',
                CONSTRAINT = 'payer_took_part';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER payer_took_part BEFORE UPDATE ON public.jackpot_slip
    FOR EACH ROW EXECUTE FUNCTION payer_took_part_v1();
ALTER TABLE public.jackpot_slip ENABLE ALWAYS TRIGGER payer_took_part;

-- Nobody makes himself a second person: who was made, or whose sign-in, roles or house were set, by another within 24 hours neither
-- asks for what needs approval, nor signs, decides about claims, or pays. Read from the log, which nobody can change.

-- Whether the person was made anew within 24 hours, by that person, or by anybody else when none is given. A new name is nothing.
CREATE FUNCTION person_made_anew_v1(p_person uuid, p_by uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT EXISTS (
        SELECT FROM public.payouts_event e
        WHERE e.subject_kind = 'person' AND e.subject_id = p_person::text
            AND e.at > clock_timestamp() - interval '24 hours'
            AND e.actor_id <> p_person AND (p_by IS NULL OR e.actor_id = p_by)
            AND (e.name IN ('person.created', 'password.reset', 'sign_in.second_factor_reset', 'person.activated')
                OR e.name = 'person.changed' AND (e.before -> 'roles', e.before -> 'house')
                    IS DISTINCT FROM (e.after -> 'roles', e.after -> 'house')))
$$;

-- Whether the house has ever locked a round. Until then its first people sign its first rules at once; with the first lock that ends.
-- One look into the index of each table: a tombstone, of a round that never was locked, has no session.
CREATE FUNCTION house_has_locked_v1(p_house uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT EXISTS (
        SELECT FROM public.tables_table t CROSS JOIN LATERAL (
            SELECT FROM public.tables_round r WHERE r.table_id = t.id AND r.session_id IS NOT NULL ORDER BY r.locked_at LIMIT 1
        ) first_lock WHERE t.house_id = p_house)
$$;

CREATE FUNCTION person_rests_v1(p_person uuid, p_house uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT person_made_anew_v1(p_person, NULL) AND house_has_locked_v1(p_house)
$$;

CREATE FUNCTION refuse_resting_v1(p_person uuid, p_house uuid, p_table text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF person_rests_v1(p_person, p_house) THEN
        RAISE EXCEPTION 'person % was made anew by another less than 24 hours ago', p_person
            USING ERRCODE = 'check_violation', TABLE = p_table, CONSTRAINT = 'person_rests';
    END IF;
END $$;

CREATE FUNCTION requester_rests_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM refuse_resting_v1(NEW.requester_id, NEW.house_id, 'payouts_approval');
    RETURN NEW;
END $$;
CREATE TRIGGER person_rests BEFORE INSERT ON public.payouts_approval
    FOR EACH ROW EXECUTE FUNCTION requester_rests_v1();
ALTER TABLE public.payouts_approval ENABLE ALWAYS TRIGGER person_rests;

-- Who was made by the requester rests; a requester who was made by the signer, after he had asked, is looked for besides.
CREATE FUNCTION signer_rests_v1() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    approval public.payouts_approval;
BEGIN
    SELECT * INTO approval FROM public.payouts_approval WHERE id = NEW.approval_id;
    PERFORM refuse_resting_v1(NEW.signer_id, approval.house_id, 'payouts_approvalsignature');
    IF person_made_anew_v1(approval.requester_id, NEW.signer_id) AND house_has_locked_v1(approval.house_id) THEN
        RAISE EXCEPTION 'the signer made the requester of approval % anew less than 24 hours ago', approval.id
            USING ERRCODE = 'check_violation', TABLE = 'payouts_approvalsignature', CONSTRAINT = 'signer_made_requester';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER person_rests BEFORE INSERT ON public.payouts_approvalsignature
    FOR EACH ROW EXECUTE FUNCTION signer_rests_v1();
ALTER TABLE public.payouts_approvalsignature ENABLE ALWAYS TRIGGER person_rests;

-- Only who decides now is asked: what somebody decided stays when its claim is only touched.
CREATE FUNCTION decider_rests_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.state IN ('verified', 'refused') AND (OLD.state, OLD.decided_by_id, OLD.checklist, OLD.reason)
        IS DISTINCT FROM (NEW.state, NEW.decided_by_id, NEW.checklist, NEW.reason)
    THEN
        PERFORM refuse_resting_v1(NEW.decided_by_id, NEW.house_id, 'jackpot_claim');
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER person_rests BEFORE UPDATE ON public.jackpot_claim
    FOR EACH ROW EXECUTE FUNCTION decider_rests_v1();
ALTER TABLE public.jackpot_claim ENABLE ALWAYS TRIGGER person_rests;

CREATE FUNCTION payer_rests_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.state = 'paid' AND OLD.state <> 'paid' THEN
        PERFORM refuse_resting_v1(NEW.paid_by_id, NEW.house_id, 'jackpot_slip');
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER person_rests BEFORE UPDATE ON public.jackpot_slip
    FOR EACH ROW EXECUTE FUNCTION payer_rests_v1();
ALTER TABLE public.jackpot_slip ENABLE ALWAYS TRIGGER person_rests;

-- A signature counts, when its approval is used, while its signer is active, of the house, and holds one of the roles.
CREATE FUNCTION signers_stand_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.state = 'used' AND OLD.signers > (
        SELECT count(*) FROM public.payouts_approvalsignature s JOIN public.casino_person p ON p.id = s.signer_id
        WHERE s.approval_id = OLD.id AND p.is_active AND p.house_id = OLD.house_id AND p.roles && OLD.roles)
    THEN
        RAISE EXCEPTION 'approval % has too few signatures of people who may sign', OLD.id
            USING ERRCODE = 'check_violation', TABLE = 'payouts_approval', CONSTRAINT = 'signers_stand';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER signers_stand BEFORE UPDATE ON public.payouts_approval
    FOR EACH ROW EXECUTE FUNCTION signers_stand_v1();
ALTER TABLE public.payouts_approval ENABLE ALWAYS TRIGGER signers_stand;

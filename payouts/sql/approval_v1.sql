-- Approvals: distinct signers, none of them the requester, in time by the database's clock, used once.

-- A signature is taken only while its approval waits, is not expired, shows the payload that was signed, and not by the requester.
-- The lock: an approval cannot be used, killed or rejected while a signature is being added.
CREATE FUNCTION approval_signature_guard_v1() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    approval public.payouts_approval;
BEGIN
    SELECT * INTO approval FROM public.payouts_approval WHERE id = NEW.approval_id FOR NO KEY UPDATE;
    IF NOT FOUND THEN  -- the foreign key is checked at commit only: too late for the questions below
        RAISE EXCEPTION 'there is no approval %', NEW.approval_id
            USING ERRCODE = 'foreign_key_violation', TABLE = 'payouts_approvalsignature', CONSTRAINT = 'signature_of_approval';
    ELSIF NEW.signer_id = ANY (approval.excluded) THEN
        RAISE EXCEPTION 'this person may not sign approval %', NEW.approval_id
            USING ERRCODE = 'check_violation', TABLE = 'payouts_approvalsignature', CONSTRAINT = 'signer_is_not_excluded';
    ELSIF approval.requester_id = NEW.signer_id THEN
        RAISE EXCEPTION 'a requester cannot sign his own request'
            USING ERRCODE = 'check_violation', TABLE = 'payouts_approvalsignature', CONSTRAINT = 'signer_is_not_requester';
    ELSIF approval.state <> 'open' OR approval.expires_at <= clock_timestamp() THEN
        RAISE EXCEPTION 'approval % takes no more signatures', NEW.approval_id
            USING ERRCODE = 'check_violation', TABLE = 'payouts_approvalsignature', CONSTRAINT = 'approval_is_open';
    ELSIF approval.payload_hash <> NEW.payload_hash THEN
        RAISE EXCEPTION 'the signature is for another payload than approval %', NEW.approval_id
            USING ERRCODE = 'check_violation', TABLE = 'payouts_approvalsignature', CONSTRAINT = 'signature_of_payload';
    ELSIF NEW.method <> approval.method THEN
        RAISE EXCEPTION 'approval % asks for another proof', NEW.approval_id
            USING ERRCODE = 'check_violation', TABLE = 'payouts_approvalsignature', CONSTRAINT = 'signature_by_method';
    END IF;
    NEW.signed_at := clock_timestamp();
    RETURN NEW;
END $$;
CREATE TRIGGER approval_signature_guard BEFORE INSERT ON public.payouts_approvalsignature
    FOR EACH ROW EXECUTE FUNCTION approval_signature_guard_v1();
ALTER TABLE public.payouts_approvalsignature ENABLE ALWAYS TRIGGER approval_signature_guard;

-- An approval begins open, under the newest rule of its house for its action, and its time runs by the database's clock.
CREATE FUNCTION approval_begin_v1() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    rule public.payouts_approvalrule;
BEGIN
    SELECT * INTO rule FROM public.payouts_approvalrule
        WHERE house_id = NEW.house_id AND action = NEW.action ORDER BY version DESC LIMIT 1;
    IF NOT FOUND OR NEW.state <> 'open'
        OR (NEW.rule_id, NEW.signers, NEW.roles, NEW.method) IS DISTINCT FROM (rule.id, rule.signers, rule.roles, rule.method)
    THEN
        RAISE EXCEPTION 'approval % does not begin open under the rule in force', NEW.id
            USING ERRCODE = 'check_violation', TABLE = 'payouts_approval', CONSTRAINT = 'approval_begin';
    END IF;
    NEW.requested_at := clock_timestamp();
    NEW.expires_at := NEW.requested_at + make_interval(secs => rule.lifetime_s);
    NEW.closed_at := NULL;
    RETURN NEW;
END $$;
CREATE TRIGGER approval_begin BEFORE INSERT ON public.payouts_approval
    FOR EACH ROW EXECUTE FUNCTION approval_begin_v1();
ALTER TABLE public.payouts_approval ENABLE ALWAYS TRIGGER approval_begin;

-- An approval leaves `open` once, for used, killed or rejected, and nothing else of it ever changes. It is used only with enough
-- signatures and in time, whatever the caller believes.
CREATE FUNCTION approval_guard_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' OR OLD.state <> 'open' OR NEW.state NOT IN ('used', 'killed', 'rejected')
        OR (OLD.id, OLD.house_id, OLD.action, OLD.payload, OLD.payload_hash, OLD.revision, OLD.subject_kind, OLD.subject_id,
            OLD.requester_id, OLD.rule_id, OLD.signers, OLD.roles, OLD.method, OLD.excluded, OLD.requested_at, OLD.expires_at)
           IS DISTINCT FROM
           (NEW.id, NEW.house_id, NEW.action, NEW.payload, NEW.payload_hash, NEW.revision, NEW.subject_kind, NEW.subject_id,
            NEW.requester_id, NEW.rule_id, NEW.signers, NEW.roles, NEW.method, NEW.excluded, NEW.requested_at, NEW.expires_at)
    THEN
        RAISE EXCEPTION 'approval %: % refused', OLD.id, TG_OP
            USING ERRCODE = 'restrict_violation', TABLE = 'payouts_approval', CONSTRAINT = 'approval_guard';
    END IF;
    IF NEW.state = 'used' THEN
        IF OLD.expires_at <= clock_timestamp() THEN
            RAISE EXCEPTION 'approval % has expired', OLD.id
                USING ERRCODE = 'check_violation', TABLE = 'payouts_approval', CONSTRAINT = 'approval_in_time';
        ELSIF (SELECT count(*) FROM public.payouts_approvalsignature WHERE approval_id = OLD.id) < OLD.signers THEN
            RAISE EXCEPTION 'approval % has too few signatures', OLD.id
                USING ERRCODE = 'check_violation', TABLE = 'payouts_approval', CONSTRAINT = 'approval_signed';
        END IF;
    END IF;
    NEW.closed_at := clock_timestamp();
    RETURN NEW;
END $$;
CREATE TRIGGER approval_guard BEFORE UPDATE OR DELETE ON public.payouts_approval
    FOR EACH ROW EXECUTE FUNCTION approval_guard_v1();
ALTER TABLE public.payouts_approval ENABLE ALWAYS TRIGGER approval_guard;

-- At most one request is open for one thing: two that were asked for at the same moment would each be signed and used.
CREATE UNIQUE INDEX approval_one_open ON public.payouts_approval (house_id, action, subject_kind, subject_id) WHERE state = 'open';

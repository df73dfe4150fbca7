-- An approval leaves `open` once, for used, killed or rejected, and nothing else of it ever changes. It is used only with enough
-- signatures and in time, whatever the caller believes.
CREATE OR REPLACE FUNCTION approval_guard_v1() RETURNS trigger LANGUAGE plpgsql AS $$
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

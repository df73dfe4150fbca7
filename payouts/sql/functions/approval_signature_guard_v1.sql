-- A signature is taken only while its approval waits, is not expired, shows the payload that was
-- signed, not by the requester, and attested: its HMAC is by a key that no table has, so what it
-- says is verified elsewhere (`payouts/unattested.py`).
-- The lock: an approval cannot be used, killed or rejected while a signature is being added.
CREATE OR REPLACE FUNCTION approval_signature_guard_v1() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    approval public.payouts_approval;
BEGIN
    SELECT * INTO approval FROM public.payouts_approval WHERE id = NEW.approval_id
        FOR NO KEY UPDATE;
    -- The foreign key is checked at commit only: too late for the questions below.
    IF NOT FOUND THEN
        RAISE EXCEPTION 'there is no approval %', NEW.approval_id
            USING ERRCODE = 'foreign_key_violation', TABLE = 'payouts_approvalsignature',
            CONSTRAINT = 'signature_of_approval';
    ELSIF NEW.signer_id = ANY (approval.excluded) THEN
        RAISE EXCEPTION 'this person may not sign approval %', NEW.approval_id
            USING ERRCODE = 'check_violation', TABLE = 'payouts_approvalsignature',
            CONSTRAINT = 'signer_is_not_excluded';
    ELSIF approval.requester_id = NEW.signer_id THEN
        RAISE EXCEPTION 'a requester cannot sign his own request'
            USING ERRCODE = 'check_violation', TABLE = 'payouts_approvalsignature',
            CONSTRAINT = 'signer_is_not_requester';
    ELSIF approval.state <> 'open' OR approval.expires_at <= clock_timestamp() THEN
        RAISE EXCEPTION 'approval % takes no more signatures', NEW.approval_id
            USING ERRCODE = 'check_violation', TABLE = 'payouts_approvalsignature',
            CONSTRAINT = 'approval_is_open';
    ELSIF approval.payload_hash <> NEW.payload_hash THEN
        RAISE EXCEPTION 'the signature is for another payload than approval %', NEW.approval_id
            USING ERRCODE = 'check_violation', TABLE = 'payouts_approvalsignature',
            CONSTRAINT = 'signature_of_payload';
    ELSIF NEW.method <> approval.method THEN
        RAISE EXCEPTION 'approval % asks for another proof', NEW.approval_id
            USING ERRCODE = 'check_violation', TABLE = 'payouts_approvalsignature',
            CONSTRAINT = 'signature_by_method';
    ELSIF octet_length(NEW.mac) IS DISTINCT FROM 32 THEN
        RAISE EXCEPTION 'the signature under approval % is not attested', NEW.approval_id
            USING ERRCODE = 'check_violation', TABLE = 'payouts_approvalsignature',
            CONSTRAINT = 'signature_is_attested';
    END IF;
    NEW.signed_at := clock_timestamp();
    RETURN NEW;
END $$;

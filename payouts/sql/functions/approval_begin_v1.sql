-- An approval begins open, under the newest rule of its house for its action, and its time runs by the database's clock.
CREATE OR REPLACE FUNCTION approval_begin_v1() RETURNS trigger LANGUAGE plpgsql AS $$
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

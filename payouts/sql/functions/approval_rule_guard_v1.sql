-- The approval matrix. A house is born with the first version of each line; every later version was approved under the line that it
-- replaces (`approval_rule.change`), so that nobody frees himself from his colleagues' signatures. The owner role adds the lines of
-- new actions when it migrates.
CREATE OR REPLACE FUNCTION approval_rule_guard_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.version <> 1 + (SELECT coalesce(max(version), 0) FROM public.payouts_approvalrule
                           WHERE house_id = NEW.house_id AND action = NEW.action)
    THEN
        RAISE EXCEPTION 'the matrix has another version of % by now', NEW.action
            USING ERRCODE = 'unique_violation', TABLE = 'payouts_approvalrule', CONSTRAINT = 'approval_rule_version';
    END IF;
    NEW.created_at := clock_timestamp();
    IF pg_has_role(current_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'USAGE')
        OR NEW.version = 1 AND NEW.approval_id IS NULL
            AND EXISTS (SELECT FROM public.payouts_house WHERE id = NEW.house_id AND created_at >= now())  -- born in this transaction
        OR EXISTS (SELECT FROM public.payouts_approval a WHERE a.id = NEW.approval_id AND a.state = 'used'
            AND a.house_id = NEW.house_id AND a.action = 'approval_rule.change' AND a.subject_id = NEW.action
            AND a.payload = jsonb_build_object('action', NEW.action, 'version', NEW.version, 'signers', NEW.signers,
                'roles', to_jsonb(NEW.roles), 'method', NEW.method, 'lifetime_s', NEW.lifetime_s))
    THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'version % of % is not approved', NEW.version, NEW.action
        USING ERRCODE = 'check_violation', TABLE = 'payouts_approvalrule', CONSTRAINT = 'approval_rule_approved';
END $$;

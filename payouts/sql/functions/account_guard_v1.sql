-- An account never goes, and of its columns only balance and version move, together and forward.
CREATE OR REPLACE FUNCTION account_guard_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE'
        OR (OLD.id, OLD.house_id, OLD.currency, OLD.kind, OLD.owner_id, OLD.detail_id, OLD.side, OLD.created_at)
            IS DISTINCT FROM
           (NEW.id, NEW.house_id, NEW.currency, NEW.kind, NEW.owner_id, NEW.detail_id, NEW.side, NEW.created_at)
        OR NEW.version <= OLD.version
    THEN
        RAISE EXCEPTION 'account %: only a posting changes it', OLD.id
            USING ERRCODE = 'restrict_violation', TABLE = 'payouts_account', CONSTRAINT = 'account_guard';
    END IF;
    RETURN NEW;
END $$;

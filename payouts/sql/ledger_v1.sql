-- Double entry, defended by the database itself.

-- By pairs: an account has its house's currency, and a transfer's entries lie in its own house only.
ALTER TABLE public.payouts_account ADD CONSTRAINT account_currency_of_house
    FOREIGN KEY (house_id, currency) REFERENCES public.payouts_house (id, currency);
ALTER TABLE public.payouts_transfer ADD CONSTRAINT transfer_of_known_house FOREIGN KEY (house_id) REFERENCES public.payouts_house (id);
ALTER TABLE public.payouts_entry ADD CONSTRAINT entry_transfer_of_house
    FOREIGN KEY (transfer_id, house_id) REFERENCES public.payouts_transfer (id, house_id);
ALTER TABLE public.payouts_entry ADD CONSTRAINT entry_account_of_house
    FOREIGN KEY (account_id, house_id) REFERENCES public.payouts_account (id, house_id);

-- The entries of a transfer sum to zero when their transaction commits. On every entry, so that a late entry to an old transfer
-- is caught too; deferred, so that a transfer may be written in several statements.
CREATE FUNCTION entries_sum_to_zero_v1() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    difference numeric;
BEGIN
    SELECT sum(amount_minor) INTO difference FROM public.payouts_entry WHERE transfer_id = NEW.transfer_id;
    IF difference <> 0 THEN
        RAISE EXCEPTION 'the entries of transfer % sum to %, not to zero', NEW.transfer_id, difference
            USING ERRCODE = 'check_violation', TABLE = 'payouts_entry', CONSTRAINT = 'entries_sum_to_zero';
    END IF;
    RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER entries_sum_to_zero AFTER INSERT ON public.payouts_entry
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION entries_sum_to_zero_v1();
ALTER TABLE public.payouts_entry ENABLE ALWAYS TRIGGER entries_sum_to_zero;

-- A transfer has entries when its transaction commits: an empty one would hide a command that moved nothing.
CREATE FUNCTION transfer_has_entries_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM public.payouts_entry WHERE transfer_id = NEW.id) THEN
        RAISE EXCEPTION 'transfer % has no entries', NEW.id
            USING ERRCODE = 'check_violation', TABLE = 'payouts_transfer', CONSTRAINT = 'transfer_has_entries';
    END IF;
    RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER transfer_has_entries AFTER INSERT ON public.payouts_transfer
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION transfer_has_entries_v1();
ALTER TABLE public.payouts_transfer ENABLE ALWAYS TRIGGER transfer_has_entries;

-- An account never goes, and of its columns only balance and version move, together and forward.
CREATE FUNCTION account_guard_v1() RETURNS trigger LANGUAGE plpgsql AS $$
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
CREATE TRIGGER account_guard BEFORE UPDATE OR DELETE ON public.payouts_account
    FOR EACH ROW EXECUTE FUNCTION account_guard_v1();
ALTER TABLE public.payouts_account ENABLE ALWAYS TRIGGER account_guard;

-- Posts one or more transfers of one house in one round trip and returns their ids in order. Legs name their transfer by its place
-- (1-based) and are written in the order given; no notes at all come as NULL. SECURITY DEFINER: the app role may not write these
-- tables in any other way. The plans do not depend on the values: planning them anew would cost 5 % of a posting.
CREATE FUNCTION ledger_post_v1(
    p_house uuid, p_actor uuid, p_gaming_day date, p_transfers jsonb,
    p_leg_transfers int[], p_leg_accounts bigint[], p_leg_amounts bigint[], p_leg_notes text[]
) RETURNS bigint[] LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = public, pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE
    found_accounts int;
    header record;
    new_id bigint;
    ids bigint[];
BEGIN
    -- In the order of their ids, in a statement of its own: under READ COMMITTED the next statement then sees the balances that
    -- this lock protects.
    PERFORM FROM public.payouts_account WHERE id = ANY (p_leg_accounts) AND house_id = p_house ORDER BY id FOR NO KEY UPDATE;
    GET DIAGNOSTICS found_accounts = ROW_COUNT;
    IF found_accounts <> cardinality(p_leg_accounts)
        AND found_accounts <> (SELECT count(DISTINCT account) FROM unnest(p_leg_accounts) AS account)
    THEN
        RAISE EXCEPTION 'an account of this posting does not exist in house %', p_house
            USING ERRCODE = 'foreign_key_violation', TABLE = 'payouts_entry', CONSTRAINT = 'entry_account_of_house';
    END IF;

    FOR header IN SELECT * FROM jsonb_to_recordset(p_transfers)
        AS t (key text, kind text, subject_kind text, subject_id uuid, reason text, reverses bigint)
    LOOP
        INSERT INTO public.payouts_transfer
            (house_id, actor_id, gaming_day, key, kind, subject_kind, subject_id, reason, reverses_id, posted_at)
        VALUES (p_house, p_actor, p_gaming_day, header.key, header.kind, header.subject_kind, header.subject_id, header.reason,
            header.reverses, now())
        RETURNING id INTO new_id;
        ids := ids || new_id;
    END LOOP;

    WITH leg AS (
        SELECT * FROM unnest(p_leg_transfers, p_leg_accounts, p_leg_amounts, p_leg_notes)
            WITH ORDINALITY AS u (transfer, account, amount, note, place)
    ), written AS (
        INSERT INTO public.payouts_entry
            (house_id, transfer_id, account_id, amount_minor, account_version, balance_after_minor, note)
        SELECT p_house, ids[leg.transfer], account.id, leg.amount, account.version + row_number() OVER running,
            account.balance_minor + sum(leg.amount) OVER running, coalesce(leg.note, '')
        FROM leg JOIN public.payouts_account account ON account.id = leg.account
        WINDOW running AS (PARTITION BY leg.account ORDER BY leg.place)
        ORDER BY leg.place
    )
    UPDATE public.payouts_account account
    SET version = account.version + moved.entries, balance_minor = account.balance_minor + moved.amount
    FROM (SELECT account, count(*) AS entries, sum(amount) AS amount FROM leg GROUP BY account) moved
    WHERE account.id = moved.account;
    RETURN ids;
END $$;

-- Posts one or more transfers of one house in one round trip and returns their ids in order. Legs name their transfer by its place
-- (1-based) and are written in the order given; no notes at all come as NULL. SECURITY DEFINER: the app role may not write these
-- tables in any other way. The plans do not depend on the values, so they are not made anew. A transfer that takes another one back
-- must be its mirror image.
CREATE OR REPLACE FUNCTION ledger_post_v1(
    p_house uuid, p_actor uuid, p_gaming_day date, p_transfers jsonb,
    p_leg_transfers int[], p_leg_accounts bigint[], p_leg_amounts bigint[], p_leg_notes text[]
) RETURNS bigint[] LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = public, pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE
    found_accounts int;
    header record;
    new_id bigint;
    ids bigint[];
    reversals boolean := false;
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
        reversals := reversals OR header.reverses IS NOT NULL;
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

    IF reversals AND EXISTS (
        SELECT FROM public.payouts_transfer r CROSS JOIN LATERAL (
            SELECT FROM public.payouts_entry WHERE transfer_id IN (r.id, r.reverses_id)
            GROUP BY account_id HAVING sum(amount_minor) <> 0
        ) AS left_over
        WHERE r.id = ANY (ids) AND r.reverses_id IS NOT NULL)
    THEN
        RAISE EXCEPTION 'a reversal is not the mirror image of what it reverses'
            USING ERRCODE = 'check_violation', TABLE = 'payouts_transfer', CONSTRAINT = 'transfer_mirrors';
    END IF;
    RETURN ids;
END $$;
ALTER FUNCTION ledger_post_v1(uuid, uuid, date, jsonb, int[], bigint[], bigint[], text[]) SET enable_seqscan = off;
ALTER FUNCTION ledger_post_v1(uuid, uuid, date, jsonb, int[], bigint[], bigint[], text[]) SET enable_hashjoin = off;
ALTER FUNCTION ledger_post_v1(uuid, uuid, date, jsonb, int[], bigint[], bigint[], text[]) SET enable_mergejoin = off;

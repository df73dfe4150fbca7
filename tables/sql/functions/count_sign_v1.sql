-- Writes what counter and witness have signed: the signature, the step of the count, the end of the
-- freeze (not of a closer), the event and the posting, in one call. The caller holds the table's
-- row, and has worked out the difference from what it read under it.
CREATE OR REPLACE FUNCTION count_sign_v1(
    p jsonb, p_leg_transfers int[], p_leg_accounts bigint[], p_leg_amounts bigint[]
) RETURNS void LANGUAGE plpgsql VOLATILE SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off AS $$
DECLARE
    c record;
    difference bigint;
BEGIN
    SELECT * INTO c FROM jsonb_to_record(p -> 'count') AS x (id uuid, house uuid, gaming_day date,
        entry bigint, counter uuid, witness uuid, stands boolean, value_minor bigint,
        difference_minor bigint);
    INSERT INTO public.payouts_countsignature (house_id, count_id, entry_id, counter_id, witness_id,
        stands)
    VALUES (c.house, c.id, c.entry, c.counter, c.witness, c.stands)
    RETURNING difference_minor INTO difference;
    UPDATE public.payouts_count SET state = CASE WHEN c.stands THEN 'signed' ELSE 'again' END,
        ended_by_id = CASE WHEN c.stands THEN c.witness END WHERE id = c.id;
    UPDATE public.tables_tablesession s SET counting_id = NULL FROM public.payouts_count o
        WHERE o.id = c.id AND s.id = o.session_id AND s.counting_id = o.id
            AND o.state = 'signed' AND o.purpose <> 'closer';
    INSERT INTO public.payouts_event (name, house_id, actor_id, subject_kind, subject_id, after,
        reason, request_id)
    VALUES (CASE WHEN c.stands THEN 'count.signed' ELSE 'count.again' END, c.house, c.witness,
        'count', c.id::text, p -> 'after', '', '');
    IF cardinality(p_leg_amounts) > 0 THEN
        PERFORM ledger_post_v1(c.house, c.witness, c.gaming_day, p -> 'transfers', p_leg_transfers,
            p_leg_accounts, p_leg_amounts, NULL);
    END IF;
    -- A posting that holds no table may have come since they were read: then another difference was
    -- found, or another one is left.
    IF difference <> c.difference_minor OR (cardinality(p_leg_amounts) > 0 AND c.value_minor <>
        (SELECT a.balance_minor FROM public.payouts_account a
            JOIN public.payouts_count o ON o.id = c.id AND a.owner_id = o.place_id
                AND a.kind = o.place_kind AND a.detail_id IS NULL AND a.house_id = o.house_id))
    THEN
        RAISE EXCEPTION 'count %: the books are no longer as they were read', c.id
            USING ERRCODE = 'check_violation', TABLE = 'payouts_countsignature',
                CONSTRAINT = 'count_still_so';
    END IF;
END $$;

-- Whether the jackpot may stand with these values: its house has never locked, or an approval was
-- used for exactly them in this transaction.
CREATE OR REPLACE FUNCTION jackpot_signed_v1(p_house uuid, p_jackpot uuid, p_values jsonb)
RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT NOT house_has_locked_v1(p_house) OR EXISTS (
        SELECT FROM public.payouts_approval a
        WHERE a.house_id = p_house AND a.action = 'jackpot.create' AND a.state = 'used'
            AND a.closed_at >= transaction_timestamp() AND a.subject_id = p_jackpot::text
            AND a.payload @> p_values)
$$;

CREATE OR REPLACE FUNCTION claim_coin_v1(p_round uuid, p_table uuid, p_box int, p_guest uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT EXISTS (SELECT FROM public.jackpot_runninground r WHERE r.round_id = p_round AND r.table_id = p_table AND r.coins <> '{}'
                   AND (p_box IS NULL OR r.coins ->> p_box::text = p_guest::text))
$$;

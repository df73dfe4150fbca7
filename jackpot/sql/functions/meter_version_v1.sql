-- The version of what a jackpot's meter holds now: it moves with the amount alone.
CREATE OR REPLACE FUNCTION meter_version_v1(p_jackpot uuid) RETURNS bigint LANGUAGE sql STABLE AS $$
    SELECT j.version_base + coalesce((SELECT sum(a.version) FROM public.payouts_account a WHERE a.house_id = j.house_id
        AND a.detail_id = j.epoch_id AND a.kind IN ('meter_base', 'sub_meter', 'meter_prizes')), 0)::bigint
    FROM public.jackpot_jackpot j WHERE j.id = p_jackpot
$$;

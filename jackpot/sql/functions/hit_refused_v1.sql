-- Why a hit cannot be taken at hand; NULL where it can: it begins in the running epoch, and lists every round that runs.
CREATE OR REPLACE FUNCTION hit_refused_v1(p_jackpot uuid, p_epoch uuid, p_hit uuid) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT CASE
        WHEN NOT EXISTS (SELECT FROM public.jackpot_hit h WHERE h.id = p_hit AND h.jackpot_id = p_jackpot AND h.epoch_id = p_epoch
                         AND h.state = 'draining') THEN 'no hit'
        WHEN EXISTS (SELECT FROM public.jackpot_runninground r WHERE r.jackpot_id = p_jackpot AND r.ended_at IS NULL
                     AND NOT EXISTS (SELECT FROM public.jackpot_listedround l WHERE l.hit_id = p_hit AND l.round_id = r.round_id))
            THEN 'a round runs that is not listed' END
$$;

-- The most that may be paid for a royal flush overlooked in a round (PRG-7): an equal part of what
-- its epoch was won with, beside the awards that stand, or were lost in another round, and no more
-- than the late awards of the epoch have left of it, those apart that were never paid; of a jackpot
-- that was retired, of what it handed over. NULL while the epoch runs.
CREATE OR REPLACE FUNCTION award_late_most_v1(late_round uuid) RETURNS bigint
LANGUAGE sql STABLE AS $$
    SELECT greatest(0, least(gave.minor / (1 + awarded.winners), gave.minor - awarded.late_minor))
        / unit.minor * unit.minor
    FROM public.jackpot_runninground r
    JOIN public.jackpot_epochend e ON e.epoch_id = r.epoch_id
    LEFT JOIN LATERAL (
        SELECT s.won_minor, s.unit_minor FROM public.jackpot_split s
        WHERE s.hit_id = e.hit_id ORDER BY s.revision DESC LIMIT 1) split ON true
    CROSS JOIN LATERAL (SELECT coalesce(split.unit_minor, 1) AS minor) unit
    CROSS JOIN LATERAL (
        SELECT count(*) FILTER (WHERE l.cancelled_as = ''
                OR l.cancelled_as = 'loss' AND w.round_id <> late_round) AS winners,
            coalesce(sum(w.amount_minor) FILTER (WHERE w.kind = 'late'), 0)::bigint AS late_minor
        FROM public.jackpot_award w
            JOIN public.jackpot_slip l ON l.award_id = w.id
            JOIN public.jackpot_runninground o ON o.round_id = w.round_id
        WHERE w.house_id = r.house_id AND w.kind <> 'prize' AND o.epoch_id = r.epoch_id
            AND l.cancelled_as <> 'unpaid') awarded
    LEFT JOIN LATERAL (
        SELECT -sum(n.amount_minor)::bigint AS moved_minor FROM public.payouts_transfer t
            JOIN public.payouts_entry n ON n.transfer_id = t.id
            JOIN public.payouts_account a ON a.id = n.account_id
        WHERE e.hit_id IS NULL AND t.house_id = r.house_id AND t.key = 'retire:' || r.jackpot_id
            AND a.kind = 'meter_base' AND a.detail_id <> r.epoch_id) old ON true
    CROSS JOIN LATERAL (
        SELECT greatest(0, coalesce(split.won_minor, old.moved_minor)) AS minor) gave
    WHERE r.round_id = late_round
$$;

-- The most that may be paid for a royal flush overlooked in a round (PRG-7): an equal part of what
-- its epoch was won with, beside the awards that stand; of a jackpot that was retired, of what it
-- handed over. NULL while the epoch runs.
CREATE OR REPLACE FUNCTION award_late_most_v1(late_round uuid) RETURNS bigint
LANGUAGE sql STABLE AS $$
    SELECT greatest(0, coalesce(split.won_minor, old.moved_minor)) / (1 + standing.winners)
        / unit.minor * unit.minor
    FROM public.jackpot_runninground r
    JOIN public.jackpot_epochend e ON e.epoch_id = r.epoch_id
    LEFT JOIN LATERAL (
        SELECT s.won_minor, s.unit_minor FROM public.jackpot_split s
        WHERE s.hit_id = e.hit_id ORDER BY s.revision DESC LIMIT 1) split ON true
    CROSS JOIN LATERAL (SELECT coalesce(split.unit_minor, 1) AS minor) unit
    CROSS JOIN LATERAL (
        SELECT count(*) AS winners FROM public.jackpot_award w
            JOIN public.jackpot_slip l ON l.award_id = w.id
            JOIN public.jackpot_runninground o ON o.round_id = w.round_id
        WHERE w.house_id = r.house_id AND w.kind <> 'prize' AND o.epoch_id = r.epoch_id
            AND l.state <> 'cancelled') standing
    LEFT JOIN LATERAL (
        SELECT -sum(n.amount_minor)::bigint AS moved_minor FROM public.payouts_transfer t
            JOIN public.payouts_entry n ON n.transfer_id = t.id
            JOIN public.payouts_account a ON a.id = n.account_id
        WHERE e.hit_id IS NULL AND t.house_id = r.house_id AND t.key = 'retire:' || r.jackpot_id
            AND a.kind = 'meter_base' AND a.detail_id <> r.epoch_id) old ON true
    WHERE r.round_id = late_round
$$;
-- A late award is no more than that.
CREATE OR REPLACE FUNCTION award_late_bound_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.kind = 'late'
        AND NEW.amount_minor > coalesce(public.award_late_most_v1(NEW.round_id), 0) THEN
        RAISE EXCEPTION 'late award % is above what its epoch gives', NEW.id
            USING ERRCODE = 'check_violation', TABLE = 'jackpot_award',
                CONSTRAINT = 'award_late_bound';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER award_late_bound BEFORE INSERT ON public.jackpot_award
    FOR EACH ROW EXECUTE FUNCTION award_late_bound_v1();
ALTER TABLE public.jackpot_award ENABLE ALWAYS TRIGGER award_late_bound;

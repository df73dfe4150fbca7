-- Writes a locked round: round, stakes, the jackpot's running round and contribution, and the postings, in one call.
CREATE OR REPLACE FUNCTION round_lock_v1(
    p jsonb, p_leg_transfers int[], p_leg_accounts bigint[], p_leg_amounts bigint[]
) RETURNS int LANGUAGE plpgsql VOLATILE SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off AS $$
DECLARE
    r record;
    new_number int;
BEGIN
    SELECT * INTO r FROM jsonb_to_record(p -> 'round') AS x (id uuid, house uuid, "table" uuid, session uuid, gaming_day date,
        entry_level text, versions jsonb, jackpot uuid, epoch uuid, lock_hash text, croupier uuid, queued boolean, coins jsonb);
    new_number := 1 + coalesce((SELECT o.number FROM public.tables_round o WHERE o.session_id = r.session
                                ORDER BY o.number DESC LIMIT 1), 0);
    INSERT INTO public.tables_round (id, house_id, table_id, session_id, number, state, entry_level, revision, versions, jackpot_id,
        epoch_id, lock_hash, croupier_id, queued, reason)
    VALUES (r.id, r.house, r."table", r.session, new_number, 'locked', r.entry_level, 0, r.versions, r.jackpot,
        r.epoch, decode(r.lock_hash, 'hex'), r.croupier, r.queued, '');
    INSERT INTO public.tables_roundstake (house_id, round_id, revision, box, guest_id, kind, offered_minor, accepted_minor,
        returned_minor, rank, reason, rule, data, standing)
    SELECT r.house, r.id, 0, s.box, s.guest, s.kind, s.offered_minor, s.accepted_minor, s.offered_minor - s.accepted_minor,
        s.rank, coalesce(s.reason, ''), coalesce(s.rule, ''), s.data, s.standing
    FROM jsonb_to_recordset(p -> 'stakes') AS s (box int, guest uuid, kind text, offered_minor bigint, accepted_minor bigint,
        rank int, reason text, rule text, data jsonb, standing jsonb);
    IF r.jackpot IS NOT NULL THEN
        INSERT INTO public.jackpot_runninground (round_id, house_id, jackpot_id, epoch_id, table_id, coins, ended_as)
        VALUES (r.id, r.house, r.jackpot, r.epoch, r."table", r.coins, '');
    END IF;
    IF p ? 'contribution' THEN
        INSERT INTO public.jackpot_contribution (house_id, epoch_id, table_id, round_id, coins, meter_minor, reserve_minor, house_minor)
        SELECT r.house, r.epoch, r."table", r.id, c.coins, c.meter_minor, c.reserve_minor, c.house_minor
        FROM jsonb_to_record(p -> 'contribution') AS c (coins int, meter_minor bigint, reserve_minor bigint, house_minor bigint);
    END IF;
    IF cardinality(p_leg_amounts) > 0 THEN
        PERFORM ledger_post_v1(r.house, r.croupier, r.gaming_day, p -> 'transfers', p_leg_transfers, p_leg_accounts, p_leg_amounts, NULL);
    END IF;
    RETURN new_number;
END $$;

-- What a lock is decided on, read under the table's row (FOR SHARE: open, close, hand-over and link
-- wait for us, we for them), with the moment and the house's zone, by which the gaming day closes.
-- The second statement has a snapshot of its own, taken after the lock. NULL: there is no such
-- table.
CREATE OR REPLACE FUNCTION round_lock_context_v1(p_table uuid, p_round uuid)
RETURNS json LANGUAGE plpgsql VOLATILE
SET enable_seqscan = off AS $$
DECLARE
    seat public.tables_table;
    result json;
BEGIN
    SELECT * INTO seat FROM public.tables_table WHERE id = p_table FOR SHARE;
    IF NOT FOUND THEN
        RETURN NULL;
    END IF;
    SELECT json_build_object(
        'house', seat.house_id, 'game', seat.game, 'boxes', seat.boxes,
        'jackpot', seat.jackpot_id,
        'now', clock_timestamp(), 'zone', house.time_zone,
        'day', gaming_day_v1(clock_timestamp(), house.time_zone, house.gaming_day_change),
        'session', (SELECT json_build_object('id', s.id, 'gaming_day', s.gaming_day,
                'entry_level', s.entry_level, 'versions', s.versions, 'croupier', s.croupier_id,
                'guests', (SELECT json_object_agg(g.id,
                        json_build_array(g.box, g.seated, g.distance))
                    FROM public.tables_guest g
                    WHERE g.session_id = s.id AND g.left_at IS NULL))
            FROM public.tables_tablesession s WHERE s.id = seat.session_id),
        'link', (SELECT json_build_object('phase', j.phase, 'epoch', e.id,
                'progressive', e.progressive_id, 'funding', e.funding_id,
                'jackpot_rules', e.rules_id, 'offline', j.offline_linked,
                'displays', EXISTS (SELECT FROM public.jackpot_requireddisplay d
                    WHERE d.jackpot_id = j.id AND d.ended_at IS NULL))
            FROM public.jackpot_jackpot j JOIN public.jackpot_epoch e ON e.id = j.epoch_id
            WHERE j.id = seat.jackpot_id),
        'accounts', (SELECT json_object_agg(a.kind, a.id) FROM public.payouts_account a
            WHERE a.house_id = seat.house_id AND a.owner_id = seat.id AND (a.detail_id IS NULL
                OR a.detail_id = (SELECT epoch_id FROM public.jackpot_jackpot
                    WHERE id = seat.jackpot_id))),
        'frozen', tray_frozen_v1(seat.id),
        'locked', (SELECT r.id FROM public.tables_round r
            WHERE r.table_id = seat.id AND r.state = 'locked'),
        'known', (SELECT json_build_object('state', r.state, 'table', r.table_id,
                'lock_hash', encode(r.lock_hash, 'hex'))
            FROM public.tables_round r WHERE r.id = p_round))
    INTO result FROM public.payouts_house house WHERE house.id = seat.house_id;
    RETURN result;
END $$;

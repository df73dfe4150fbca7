-- A movement of chips is what was signed, or came before its house first played, by the number of
-- its transfer, as a clock may be set back; and no more of a denomination go out than came in.
-- Movements of a house come one after the other.
CREATE OR REPLACE FUNCTION chip_move_guard_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('chips of ' || NEW.house_id, 0));
    IF NOT EXISTS (SELECT FROM public.payouts_approval a
            WHERE (a.id, a.house_id, a.state) = (NEW.approval_id, NEW.house_id, 'used')
                AND CASE NEW.kind WHEN 'inventory' THEN a.action = 'inventory.first'
                    AND NOT EXISTS (SELECT FROM public.payouts_inventory i
                        WHERE i.house_id = NEW.house_id)
                ELSE a.action = 'chips.issue' AND a.payload ->> 'kind' = NEW.kind
                    AND a.payload -> 'lines' @> jsonb_build_array(jsonb_build_object(
                        'value_minor', NEW.value_minor, 'pieces', NEW.pieces))
                    AND NOT EXISTS (SELECT FROM public.payouts_chipmove m
                        WHERE (m.approval_id, m.value_minor) = (NEW.approval_id, NEW.value_minor))
                END)
        AND NOT (NEW.approval_id IS NULL AND NEW.kind = 'issue' AND NOT EXISTS (
            SELECT FROM public.payouts_transfer t WHERE t.house_id = NEW.house_id
                AND t.id < NEW.transfer_id AND t.subject_kind IN ('round', 'hand')))
    THEN
        RAISE EXCEPTION 'nobody signed for % pieces of %', NEW.pieces, NEW.value_minor
            USING ERRCODE = 'check_violation', TABLE = 'payouts_chipmove',
                CONSTRAINT = 'chip_move_signed';
    END IF;
    IF NEW.to_place = 'stock' AND NEW.pieces > (
        SELECT coalesce(sum(CASE m.to_place WHEN 'stock' THEN -m.pieces ELSE m.pieces END), 0)
        FROM public.payouts_chipmove m
        WHERE (m.house_id, m.value_minor) = (NEW.house_id, NEW.value_minor))
    THEN
        RAISE EXCEPTION 'so many pieces of % were never put into service', NEW.value_minor
            USING ERRCODE = 'check_violation', TABLE = 'payouts_chipmove',
                CONSTRAINT = 'chip_move_there';
    END IF;
    RETURN NEW;
END $$;

-- The counts that a session names are its own tray's: a signed opener (after a change of the gaming
-- day the closer before) that opened no other one; one of its own counts while it runs; a signed
-- closer of its own. Where the house asks for counts, it opens and closes with them (CNT-3).
CREATE OR REPLACE FUNCTION session_counted_v1() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    asked boolean := coalesce((SELECT (p.data ->> 'counts_required')::boolean
        FROM public.payouts_postedtable p WHERE p.id::text = NEW.versions ->> 'cage_rules'), false);
BEGIN
    IF (TG_OP = 'INSERT' AND (NEW.counting_id IS NOT NULL OR NEW.closer_id IS NOT NULL
            OR asked AND NEW.opener_id IS NULL))
        OR (NEW.closed_at IS NOT NULL
            AND (NEW.counting_id IS NOT NULL OR asked AND NEW.closer_id IS NULL))
        OR (TG_OP = 'INSERT' AND NEW.opener_id IS NOT NULL AND (
            NOT EXISTS (SELECT FROM public.payouts_count c WHERE c.id = NEW.opener_id
                AND (c.place_kind, c.place_id, c.state) = ('tray', NEW.table_id, 'signed')
                AND c.purpose IN ('opener', 'closer'))
            OR EXISTS (SELECT FROM public.tables_tablesession s
                WHERE s.table_id = NEW.table_id AND s.opener_id = NEW.opener_id)))
        OR (NEW.counting_id IS NOT NULL AND NOT EXISTS (SELECT FROM public.payouts_count c
            WHERE c.id = NEW.counting_id AND (c.place_kind, c.session_id) = ('tray', NEW.id)
                AND (c.state IN ('begun', 'entered', 'again')
                    OR (c.state, c.purpose) = ('signed', 'closer'))))
        OR (NEW.closer_id IS NOT NULL AND NOT EXISTS (SELECT FROM public.payouts_count c
            WHERE c.id = NEW.closer_id
                AND (c.place_kind, c.session_id, c.state, c.purpose)
                    = ('tray', NEW.id, 'signed', 'closer')))
    THEN
        RAISE EXCEPTION 'session % is not between the counts that it names', NEW.id
            USING ERRCODE = 'check_violation', TABLE = 'tables_tablesession',
                CONSTRAINT = 'session_counted';
    END IF;
    RETURN NEW;
END $$;

-- Counts of trays: where one may begin, what it freezes, between which of them a session is played.

-- Whether the tray of a table is being counted: a count of it runs, or its session waits to be
-- closed on a signed closer (CNT-9).
CREATE FUNCTION tray_frozen_v1(p_table uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT EXISTS (SELECT FROM public.payouts_count c WHERE c.place_id = p_table
            AND c.place_kind = 'tray' AND c.state IN ('begun', 'entered', 'again'))
        OR EXISTS (SELECT FROM public.tables_table t
            JOIN public.tables_tablesession s ON s.id = t.session_id
            WHERE t.id = p_table AND s.counting_id IS NOT NULL)
$$;

-- A count of a tray begins at a table of its house without a locked round: an opener where the
-- table is closed, all others in its open session.
CREATE FUNCTION count_of_tray_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.place_kind = 'tray' AND (NOT EXISTS (SELECT FROM public.tables_table t
            WHERE (t.id, t.house_id) = (NEW.place_id, NEW.house_id)
                AND t.session_id IS NOT DISTINCT FROM NEW.session_id
                AND (t.session_id IS NULL) = (NEW.purpose = 'opener'))
        OR EXISTS (SELECT FROM public.tables_round r
            WHERE r.table_id = NEW.place_id AND r.state = 'locked'))
    THEN
        RAISE EXCEPTION 'the tray of table % cannot be counted as %', NEW.place_id, NEW.purpose
            USING ERRCODE = 'check_violation', TABLE = 'payouts_count',
                CONSTRAINT = 'count_of_tray';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER count_of_tray BEFORE INSERT ON public.payouts_count
    FOR EACH ROW EXECUTE FUNCTION count_of_tray_v1();
ALTER TABLE public.payouts_count ENABLE ALWAYS TRIGGER count_of_tray;

-- The counts that a session names are its own tray's: a signed opener (after a change of the gaming
-- day the closer before) that opened no other one; one of its own counts while it runs; a signed
-- closer of its own. Where the house asks for counts, it opens and closes with them (CNT-3).
CREATE FUNCTION session_counted_v1() RETURNS trigger LANGUAGE plpgsql AS $$
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
CREATE TRIGGER session_counted BEFORE INSERT OR UPDATE ON public.tables_tablesession
    FOR EACH ROW EXECUTE FUNCTION session_counted_v1();
ALTER TABLE public.tables_tablesession ENABLE ALWAYS TRIGGER session_counted;

-- A hand ends at a table whose tray nobody counts.
CREATE FUNCTION hand_begin_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF tray_frozen_v1(NEW.table_id) THEN
        RAISE EXCEPTION 'the tray of table % is being counted', NEW.table_id
            USING ERRCODE = 'check_violation', TABLE = 'tables_hand',
                CONSTRAINT = 'table_being_counted';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER hand_begin BEFORE INSERT ON public.tables_hand
    FOR EACH ROW EXECUTE FUNCTION hand_begin_v1();
ALTER TABLE public.tables_hand ENABLE ALWAYS TRIGGER hand_begin;

-- Writes what counter and witness have signed: the signature, the step of the count, the end of the
-- freeze (not of a closer), the event and the posting, in one call. The caller holds the table's
-- row, and has worked out the difference from what it read under it.
CREATE FUNCTION count_sign_v1(
    p jsonb, p_leg_transfers int[], p_leg_accounts bigint[], p_leg_amounts bigint[]
) RETURNS void LANGUAGE plpgsql VOLATILE SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off AS $$
DECLARE
    c record;
    difference bigint;
BEGIN
    SELECT * INTO c FROM jsonb_to_record(p -> 'count') AS x (id uuid, house uuid, gaming_day date,
        entry bigint, counter uuid, witness uuid, stands boolean, value_minor bigint,
        difference_minor bigint);
    INSERT INTO public.payouts_countsignature (house_id, count_id, entry_id, counter_id, witness_id,
        stands)
    VALUES (c.house, c.id, c.entry, c.counter, c.witness, c.stands)
    RETURNING difference_minor INTO difference;
    UPDATE public.payouts_count SET state = CASE WHEN c.stands THEN 'signed' ELSE 'again' END,
        ended_by_id = CASE WHEN c.stands THEN c.witness END WHERE id = c.id;
    UPDATE public.tables_tablesession s SET counting_id = NULL FROM public.payouts_count o
        WHERE o.id = c.id AND s.id = o.session_id AND s.counting_id = o.id
            AND o.state = 'signed' AND o.purpose <> 'closer';
    INSERT INTO public.payouts_event (name, house_id, actor_id, subject_kind, subject_id, after,
        reason, request_id)
    VALUES (CASE WHEN c.stands THEN 'count.signed' ELSE 'count.again' END, c.house, c.witness,
        'count', c.id::text, p -> 'after', '', '');
    IF cardinality(p_leg_amounts) > 0 THEN
        PERFORM ledger_post_v1(c.house, c.witness, c.gaming_day, p -> 'transfers', p_leg_transfers,
            p_leg_accounts, p_leg_amounts, NULL);
    END IF;
    -- A posting that holds no table may have come since they were read: then another difference was
    -- found, or another one is left.
    IF difference <> c.difference_minor OR (cardinality(p_leg_amounts) > 0 AND c.value_minor <>
        (SELECT a.balance_minor FROM public.payouts_account a
            JOIN public.payouts_count o ON o.id = c.id AND a.owner_id = o.place_id
                AND a.kind = o.place_kind AND a.detail_id IS NULL AND a.house_id = o.house_id))
    THEN
        RAISE EXCEPTION 'count %: the books are no longer as they were read', c.id
            USING ERRCODE = 'check_violation', TABLE = 'payouts_countsignature',
                CONSTRAINT = 'count_still_so';
    END IF;
END $$;

-- By pairs: a session's counts are its own house's.
ALTER TABLE public.tables_tablesession ADD CONSTRAINT session_opener_of_house
    FOREIGN KEY (opener_id, house_id) REFERENCES public.payouts_count (id, house_id) NOT VALID;
ALTER TABLE public.tables_tablesession ADD CONSTRAINT session_closer_of_house
    FOREIGN KEY (closer_id, house_id) REFERENCES public.payouts_count (id, house_id) NOT VALID;
ALTER TABLE public.tables_tablesession ADD CONSTRAINT session_counting_of_house
    FOREIGN KEY (counting_id, house_id) REFERENCES public.payouts_count (id, house_id) NOT VALID;

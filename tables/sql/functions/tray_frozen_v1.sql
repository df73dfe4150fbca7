-- Whether the tray of a table is being counted: a count of it runs, or its session waits to be
-- closed on a signed closer (CNT-9).
CREATE OR REPLACE FUNCTION tray_frozen_v1(p_table uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT EXISTS (SELECT FROM public.payouts_count c WHERE c.place_id = p_table
            AND c.place_kind = 'tray' AND c.state IN ('begun', 'entered', 'again'))
        OR EXISTS (SELECT FROM public.tables_table t
            JOIN public.tables_tablesession s ON s.id = t.session_id
            WHERE t.id = p_table AND s.counting_id IS NOT NULL)
$$;

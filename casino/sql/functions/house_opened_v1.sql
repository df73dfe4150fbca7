-- The entry of the log by which the first table of a house that has ever locked was opened. By its
-- place in the log: a clock that was set back makes nothing older.
CREATE OR REPLACE FUNCTION house_opened_v1(p_house uuid) RETURNS bigint LANGUAGE sql STABLE AS $$
    SELECT min(opened.id) FROM public.tables_table t CROSS JOIN LATERAL (
        SELECT e.id FROM public.payouts_event e
        WHERE e.subject_kind = 'table' AND e.subject_id = t.id::text AND e.name = 'table.opened'
        ORDER BY e.id LIMIT 1
    ) opened WHERE t.house_id = p_house AND house_has_locked_v1(p_house)
$$;

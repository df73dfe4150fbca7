-- Whether the house has ever played: locked a round, or ended a hand. Until then its first people
-- sign its first rules at once. One look into an index of each table; a tombstone, of a round that
-- never was locked, has no session.
CREATE OR REPLACE FUNCTION house_has_locked_v1(p_house uuid) RETURNS boolean LANGUAGE sql STABLE
AS $$
    SELECT EXISTS (
        SELECT FROM public.tables_table t CROSS JOIN LATERAL (
            SELECT FROM public.tables_round r
            WHERE r.table_id = t.id AND r.session_id IS NOT NULL ORDER BY r.locked_at LIMIT 1
        ) first_lock WHERE t.house_id = p_house)
    OR EXISTS (
        SELECT FROM public.tables_table t CROSS JOIN LATERAL (
            SELECT FROM public.tables_hand h WHERE h.table_id = t.id ORDER BY h.ended_at LIMIT 1
        ) first_hand WHERE t.house_id = p_house)
$$;

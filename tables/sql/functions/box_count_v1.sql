-- The count of the drop box in which a buy-in lies, if it was taken: the first that took the entry
-- of its posting, or was taken after the moment at which its tablet says that it was (DRP-8).
CREATE OR REPLACE FUNCTION box_count_v1(p_buyin uuid) RETURNS uuid LANGUAGE sql STABLE AS $$
    SELECT c.id FROM public.tables_buyin b
    JOIN public.tables_tablesession s ON s.id = b.session_id
    JOIN public.payouts_account a ON (a.house_id, a.owner_id, a.kind)
        = (b.house_id, s.table_id, 'drop') AND a.detail_id IS NULL
    JOIN public.payouts_entry e ON (e.transfer_id, e.account_id) = (b.transfer_id, a.id)
    JOIN public.payouts_count c ON (c.house_id, c.place_id, c.place_kind)
        = (b.house_id, s.table_id, 'drop') AND c.state <> 'given_up'
        AND (e.account_version <= c.taken_version OR b.queued_at < c.begun_at)
    WHERE b.id = p_buyin ORDER BY c.begun_at LIMIT 1
$$;

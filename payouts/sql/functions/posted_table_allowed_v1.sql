-- Whether an approval that was used up stands behind exactly this version. Without one only a house's first tables are
-- approved: version 1, and every table of the house born in this very transaction (its owner furnishes it).
CREATE OR REPLACE FUNCTION posted_table_allowed_v1(wanted payouts_postedtable) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT CASE WHEN wanted.approval_id IS NULL THEN
        wanted.version = 1 AND NOT EXISTS (
            SELECT FROM public.payouts_postedtable WHERE house_id = wanted.house_id AND created_at <> now())
    ELSE EXISTS (
        SELECT FROM public.payouts_approval a WHERE a.id = wanted.approval_id AND a.state = 'used'
            AND a.house_id = wanted.house_id AND a.action = 'posted_table.release' AND a.subject_id = wanted.id::text
            AND a.payload = jsonb_build_object('kind', wanted.kind, 'name', wanted.name, 'version', wanted.version,
                'data_hash', encode(wanted.data_hash, 'hex'), 'in_force_from', coalesce(wanted.in_force_from::text, wanted.starts)))
    END
$$;

-- A table's versions are numbered without a gap. The first is written with the table; a later one
-- was signed exactly as it stands, by itself or with the first inventory, or came before the table
-- was opened for the first time.
CREATE OR REPLACE FUNCTION table_version_guard_v1() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    after jsonb := jsonb_build_object('pit', NEW.pit_id, 'name', NEW.name, 'position', NEW.position,
        'boxes', NEW.boxes, 'posted', NEW.posted, 'retired', NEW.retired);
BEGIN
    IF NEW.number <> 1 + (SELECT coalesce(max(number), 0) FROM public.tables_tableversion
                          WHERE table_id = NEW.table_id)
    THEN
        RAISE EXCEPTION 'table % has another version by now', NEW.table_id
            USING ERRCODE = 'unique_violation', TABLE = 'tables_tableversion',
                CONSTRAINT = 'table_version_once';
    END IF;
    IF NEW.approval_id IS NULL AND NOT EXISTS (SELECT FROM public.tables_tablesession
            WHERE table_id = NEW.table_id)
        OR EXISTS (SELECT FROM public.payouts_approval a WHERE a.id = NEW.approval_id
            AND (a.state, a.action, a.house_id) = ('used', 'table.change', NEW.house_id)
            AND a.subject_id = NEW.table_id::text AND a.revision = NEW.number
            AND a.payload -> 'after' = after)
        OR EXISTS (SELECT FROM public.payouts_approval a
            JOIN public.payouts_approvallist l ON (l.approval_id, l.name) = (a.id, 'tables')
            WHERE a.id = NEW.approval_id
                AND (a.state, a.action, a.house_id) = ('used', 'inventory.first', NEW.house_id)
                AND EXISTS (SELECT FROM jsonb_array_elements(l.text::jsonb) AS signed (line)
                    WHERE (signed.line ->> 'table', signed.line ->> 'number')
                        = (NEW.table_id::text, NEW.number::text)
                        AND signed.line -> 'after' = after))
    THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'version % of table % is not signed', NEW.number, NEW.table_id
        USING ERRCODE = 'check_violation', TABLE = 'tables_tableversion',
            CONSTRAINT = 'table_version_guard';
END $$;

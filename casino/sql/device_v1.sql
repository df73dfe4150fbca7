-- Devices: what of their rows may change, and what must agree. A revoked device, a spent code, an ended sign-in stay so.
CREATE TRIGGER device_code_guard BEFORE UPDATE OR DELETE ON public.casino_devicecode
    FOR EACH ROW EXECUTE FUNCTION keep_columns_v1('ended_at', 'tries', 'ended_at', 'ended_as');
ALTER TABLE public.casino_devicecode ENABLE ALWAYS TRIGGER device_code_guard;

CREATE TRIGGER device_guard BEFORE UPDATE OR DELETE ON public.casino_device
    FOR EACH ROW EXECUTE FUNCTION keep_columns_v1('revoked_at', 'last_seen_at', 'revoked_at', 'revoked_by_id', 'revoked_reason');
ALTER TABLE public.casino_device ENABLE ALWAYS TRIGGER device_guard;

CREATE TRIGGER device_session_guard BEFORE UPDATE OR DELETE ON public.casino_devicesession
    FOR EACH ROW EXECUTE FUNCTION keep_columns_v1('ended_at', 'ended_at', 'ended_as', 'ended_by_id');
ALTER TABLE public.casino_devicesession ENABLE ALWAYS TRIGGER device_session_guard;

-- By groups: a device's table is its house's, and the code that enrolled it was made for that table.
ALTER TABLE public.casino_devicecode ADD CONSTRAINT device_code_table_of_house
    FOREIGN KEY (table_id, house_id) REFERENCES public.tables_table (id, house_id);
ALTER TABLE public.casino_device ADD CONSTRAINT device_table_of_house
    FOREIGN KEY (table_id, house_id) REFERENCES public.tables_table (id, house_id);
ALTER TABLE public.casino_device ADD CONSTRAINT device_code_its_own
    FOREIGN KEY (code_id, house_id, table_id) REFERENCES public.casino_devicecode (id, house_id, table_id);

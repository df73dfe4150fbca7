-- What a tablet reports of itself goes on while it is in service: whether its page is stored, and
-- how many entries lie on it unsent.
CREATE OR REPLACE TRIGGER device_guard
    BEFORE UPDATE OR DELETE ON public.casino_device
    FOR EACH ROW EXECUTE FUNCTION
        keep_columns_v1('revoked_at', 'last_seen_at', 'page_stored', 'unsent', 'revoked_at',
            'revoked_by_id', 'revoked_reason');
ALTER TABLE public.casino_device ENABLE ALWAYS TRIGGER device_guard;

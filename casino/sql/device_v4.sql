-- When a person last did something on the tablet (`used_at`) goes on while the sign-in lasts.
CREATE OR REPLACE TRIGGER device_session_guard
    BEFORE UPDATE OR DELETE ON public.casino_devicesession
    FOR EACH ROW EXECUTE FUNCTION
        keep_columns_v1('ended_at', 'ended_at', 'ended_as', 'ended_by_id', 'idle_at', 'used_at');
ALTER TABLE public.casino_devicesession ENABLE ALWAYS TRIGGER device_session_guard;

-- What came first is told by counters, not by a clock: a server that takes over may be behind the one before it. Phases are numbered;
-- rounds, hits and gates have their turn, given under the jackpot's lock: a round the shared one, a hit and a gate the exclusive one.
-- What was there before is put in the order of its times.
CREATE SEQUENCE public.jackpot_turn;
CREATE FUNCTION jackpot_turn_v1() RETURNS bigint LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT nextval('public.jackpot_turn')
$$;

DO $$
DECLARE
    held text;
BEGIN
    FOREACH held IN ARRAY ARRAY['jackpot_runninground', 'jackpot_hit', 'jackpot_gate', 'jackpot_jackpot'] LOOP
        EXECUTE format('ALTER TABLE public.%I DISABLE TRIGGER USER', held);
    END LOOP;
    CREATE TEMP TABLE turns ON COMMIT DROP AS
        SELECT what, id, row_number() OVER (ORDER BY at, what) AS turn FROM (
            SELECT 'ended' AS what, round_id AS id, ended_at AS at FROM public.jackpot_runninground WHERE ended_at IS NOT NULL
            UNION ALL SELECT 'begun', round_id, started_at FROM public.jackpot_runninground
            UNION ALL SELECT 'hit', id, begun_at FROM public.jackpot_hit
            UNION ALL SELECT 'gate', id, ended_at FROM public.jackpot_gate WHERE ended_at IS NOT NULL) AS moments;
    UPDATE public.jackpot_runninground r SET begun_turn = t.turn FROM turns t WHERE t.what = 'begun' AND t.id = r.round_id;
    UPDATE public.jackpot_runninground r SET ended_turn = t.turn FROM turns t WHERE t.what = 'ended' AND t.id = r.round_id;
    UPDATE public.jackpot_hit h SET begun_turn = t.turn FROM turns t WHERE t.what = 'hit' AND t.id = h.id;
    UPDATE public.jackpot_gate g SET ended_turn = t.turn FROM turns t WHERE t.what = 'gate' AND t.id = g.id;
    UPDATE public.jackpot_gate g SET phase_number = CASE WHEN g.made_at >= j.phase_at THEN j.phase_number ELSE -1 END
        FROM public.jackpot_jackpot j WHERE j.id = g.jackpot_id;
    PERFORM setval('public.jackpot_turn', 1 + (SELECT coalesce(max(turn), 0) FROM turns));
END $$;
ALTER TABLE public.jackpot_runninground ALTER COLUMN begun_turn SET DEFAULT jackpot_turn_v1(), ALTER COLUMN begun_turn SET NOT NULL;
ALTER TABLE public.jackpot_hit ALTER COLUMN begun_turn SET DEFAULT jackpot_turn_v1(), ALTER COLUMN begun_turn SET NOT NULL;

-- Whether people have used an approval of this action about this jackpot that was asked for in the phase that holds.
CREATE FUNCTION jackpot_allowed_v2(p_jackpot uuid, p_action text) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT EXISTS (SELECT FROM public.payouts_approval a JOIN public.jackpot_jackpot j ON j.house_id = a.house_id
                   WHERE j.id = p_jackpot AND a.action = p_action AND a.state = 'used' AND a.subject_id = p_jackpot::text
                       AND a.payload ->> 'phase_number' = j.phase_number::text)
$$;

CREATE OR REPLACE FUNCTION jackpot_step_v1() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    was text := CASE OLD.phase WHEN 'suspended' THEN OLD.kept_phase ELSE OLD.phase END;
    becomes text := CASE NEW.phase WHEN 'suspended' THEN NEW.kept_phase ELSE NEW.phase END;
    refused text;
BEGIN
    IF was <> becomes THEN
        refused := CASE was || '>' || becomes
            WHEN 'open>draining' THEN hit_refused_v1(OLD.id, OLD.epoch_id, NEW.hit_id)
            WHEN 'showing>draining' THEN hit_refused_v1(OLD.id, OLD.epoch_id, NEW.hit_id)
            WHEN 'draining>verifying' THEN
                CASE WHEN EXISTS (SELECT FROM public.jackpot_listedround l JOIN public.jackpot_runninground r ON r.round_id = l.round_id
                                  WHERE l.hit_id = OLD.hit_id AND r.ended_at IS NULL) THEN 'a listed round runs' END
            WHEN 'verifying>showing' THEN
                CASE WHEN NOT EXISTS (SELECT FROM public.jackpot_hit h WHERE h.id = OLD.hit_id AND h.state IN ('paid', 'rejected'))
                     THEN 'the hit is not decided' END
            WHEN 'showing>open' THEN
                CASE WHEN NEW.phase <> 'open' OR NOT EXISTS (SELECT FROM public.jackpot_gate g WHERE g.id = OLD.gate_id
                         AND g.state = 'passed' AND g.phase_number = OLD.phase_number AND g.version = meter_version_v1(OLD.id))
                     THEN 'no gate was passed' END
            WHEN 'open>showing' THEN CASE WHEN OLD.phase <> 'suspended' THEN 'it was not suspended' END
            WHEN 'open>closed' THEN NULL
            WHEN 'showing>closed' THEN NULL
            WHEN 'closed>showing' THEN NULL
            WHEN 'closed>retired' THEN
                CASE WHEN NOT EXISTS (SELECT FROM public.jackpot_epochend e WHERE e.epoch_id = OLD.epoch_id AND e.ended_as = 'retired')
                     THEN 'its epoch has not ended' END
            ELSE 'no such step' END;
    ELSIF OLD.phase = 'suspended' AND NEW.phase = 'open' THEN
        refused := 'it opens by its displays';
    END IF;
    IF refused IS NULL AND OLD.phase = 'suspended' AND NEW.phase <> 'suspended'
        AND NOT jackpot_allowed_v2(OLD.id, 'jackpot.resume')
    THEN
        refused := 'nobody has approved that it goes on';
    END IF;
    IF refused IS NULL AND NEW.hit_id IS DISTINCT FROM OLD.hit_id
        AND NOT (OLD.hit_id IS NULL AND was <> 'draining' AND becomes = 'draining')
        AND NOT (NEW.hit_id IS NULL AND was = 'verifying' AND becomes = 'showing')
    THEN
        refused := 'another hit';
    END IF;
    IF refused IS NULL AND NEW.hit_id IS NOT NULL AND becomes = 'showing' THEN
        refused := 'the hit is over';
    END IF;
    IF refused IS NULL AND NEW.gate_id IS DISTINCT FROM OLD.gate_id AND NEW.gate_id IS NOT NULL
        AND NOT EXISTS (SELECT FROM public.jackpot_gate g WHERE g.id = NEW.gate_id AND g.jackpot_id = OLD.id AND g.state = 'open')
    THEN
        refused := 'that gate is over';
    END IF;
    IF refused IS NULL AND (NEW.incarnation < OLD.incarnation OR NEW.version_base < OLD.version_base) THEN
        refused := 'versions go forward';
    END IF;
    IF refused IS NULL AND NEW.epoch_id IS DISTINCT FROM OLD.epoch_id THEN
        refused := CASE
            WHEN OLD.epoch_id IS NOT NULL AND NOT EXISTS (SELECT FROM public.jackpot_epochend e WHERE e.epoch_id = OLD.epoch_id)
                THEN 'its epoch has not ended'
            WHEN NOT EXISTS (SELECT FROM public.jackpot_epoch e WHERE e.id = NEW.epoch_id AND e.jackpot_id = OLD.id
                             AND NOT EXISTS (SELECT FROM public.jackpot_epochend o WHERE o.epoch_id = e.id))
                THEN 'that epoch is over' END;
    END IF;
    IF refused IS NOT NULL THEN
        RAISE EXCEPTION 'jackpot %: % to %: %', OLD.id, was, becomes, refused
            USING ERRCODE = 'restrict_violation', TABLE = 'jackpot_jackpot', CONSTRAINT = 'jackpot_step';
    END IF;
    IF NEW.phase <> OLD.phase OR NEW.kept_phase <> OLD.kept_phase THEN
        NEW.phase_at := clock_timestamp();
        NEW.phase_number := OLD.phase_number + 1;
    END IF;
    RETURN NEW;
END $$;

CREATE OR REPLACE FUNCTION epoch_end_begin_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM public.jackpot_jackpot j WHERE j.epoch_id = NEW.epoch_id AND j.house_id = NEW.house_id AND CASE NEW.ended_as
        WHEN 'won' THEN j.hit_id = NEW.hit_id AND hit_approved_v1(NEW.hit_id)
        ELSE j.phase = 'closed' AND jackpot_allowed_v2(j.id, 'jackpot.retire') END)
    THEN
        RAISE EXCEPTION 'epoch % does not end as %', NEW.epoch_id, NEW.ended_as
            USING ERRCODE = 'check_violation', TABLE = 'jackpot_epochend', CONSTRAINT = 'epoch_end_begin';
    END IF;
    RETURN NEW;
END $$;

DROP FUNCTION jackpot_allowed_v1(uuid, text, timestamptz);

CREATE OR REPLACE FUNCTION running_round_open_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM public.jackpot_jackpot j WHERE j.id = NEW.jackpot_id AND j.house_id = NEW.house_id
                   AND j.epoch_id = NEW.epoch_id
                   AND (j.phase = 'open' OR NEW.coins = '{}'))
    THEN
        RAISE EXCEPTION 'jackpot % takes no stake', NEW.jackpot_id
            USING ERRCODE = 'check_violation', TABLE = 'jackpot_runninground', CONSTRAINT = 'running_round_open';
    END IF;
    NEW.begun_turn := public.jackpot_turn_v1();
    RETURN NEW;
END $$;

-- A running round ends once.
CREATE FUNCTION running_round_guard_v1() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    keep text[] := ARRAY['ended_at', 'ended_as'];
BEGIN
    IF TG_OP = 'DELETE' OR OLD.ended_at IS NOT NULL OR to_jsonb(OLD) - keep <> to_jsonb(NEW) - keep THEN
        RAISE EXCEPTION '%: % refused', TG_TABLE_NAME, TG_OP
            USING ERRCODE = 'restrict_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = TG_NAME;
    END IF;
    IF NEW.ended_at IS NOT NULL THEN
        NEW.ended_turn := public.jackpot_turn_v1();
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER running_round_guard BEFORE UPDATE OR DELETE ON public.jackpot_runninground
    FOR EACH ROW EXECUTE FUNCTION running_round_guard_v1();

CREATE OR REPLACE FUNCTION hit_begin_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.state <> 'draining' OR NOT EXISTS (SELECT FROM public.jackpot_jackpot j WHERE j.id = NEW.jackpot_id AND j.hit_id IS NULL
                                              AND (j.house_id, j.epoch_id) = (NEW.house_id, NEW.epoch_id))
    THEN
        RAISE EXCEPTION 'hit % does not begin', NEW.id
            USING ERRCODE = 'check_violation', TABLE = 'jackpot_hit', CONSTRAINT = 'hit_begin';
    END IF;
    NEW.begun_turn := public.jackpot_turn_v1();
    RETURN NEW;
END $$;

CREATE OR REPLACE FUNCTION gate_begin_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.state <> 'open' OR NEW.version <> meter_version_v1(NEW.jackpot_id)
        OR NEW.number <> 1 + (SELECT coalesce(max(g.number), 0) FROM public.jackpot_gate g WHERE g.jackpot_id = NEW.jackpot_id)
        OR NOT EXISTS (SELECT FROM public.jackpot_jackpot j WHERE j.id = NEW.jackpot_id AND j.house_id = NEW.house_id
                       AND 'showing' IN (j.phase, j.kept_phase))
    THEN
        RAISE EXCEPTION 'gate % does not begin', NEW.number
            USING ERRCODE = 'check_violation', TABLE = 'jackpot_gate', CONSTRAINT = 'gate_begin';
    END IF;
    NEW.phase_number := (SELECT j.phase_number FROM public.jackpot_jackpot j WHERE j.id = NEW.jackpot_id);
    RETURN NEW;
END $$;

CREATE OR REPLACE FUNCTION gate_guard_v1() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    keep text[] := ARRAY['state', 'ended_at'];
BEGIN
    IF TG_OP = 'DELETE' OR to_jsonb(OLD) - keep <> to_jsonb(NEW) - keep OR OLD.state <> 'open' OR NEW.state NOT IN ('passed', 'lapsed')
        OR (NEW.state = 'passed' AND (
            EXISTS (SELECT FROM public.jackpot_gatedisplay d WHERE d.gate_id = OLD.id AND d.state = 'waiting')
            OR NOT EXISTS (SELECT FROM public.jackpot_gatedisplay d WHERE d.gate_id = OLD.id AND d.state = 'confirmed')
            OR EXISTS (SELECT FROM public.jackpot_requireddisplay r WHERE r.jackpot_id = OLD.jackpot_id AND r.ended_at IS NULL
                       AND NOT EXISTS (SELECT FROM public.jackpot_gatedisplay d
                                       WHERE d.gate_id = OLD.id AND d.display_id = r.display_id AND d.state = 'confirmed'))))
    THEN
        RAISE EXCEPTION 'gate %: % refused', OLD.number, coalesce(NEW.state, TG_OP)
            USING ERRCODE = 'restrict_violation', TABLE = 'jackpot_gate', CONSTRAINT = 'gate_guard';
    END IF;
    NEW.ended_at := clock_timestamp();
    NEW.ended_turn := public.jackpot_turn_v1();
    RETURN NEW;
END $$;

-- A display is required until people have approved that just this line of the list goes.
CREATE OR REPLACE FUNCTION required_display_guard_v1() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    keep text[] := ARRAY['ended_at', 'reason'];
BEGIN
    IF TG_OP = 'DELETE' OR OLD.ended_at IS NOT NULL OR to_jsonb(OLD) - keep <> to_jsonb(NEW) - keep OR NOT EXISTS (
        SELECT FROM public.payouts_approval a WHERE a.house_id = OLD.house_id AND a.action = 'jackpot.display_out' AND a.state = 'used'
            AND a.payload ->> 'required' = OLD.id::text)
    THEN
        RAISE EXCEPTION 'display %: % refused', OLD.display_id, TG_OP
            USING ERRCODE = 'restrict_violation', TABLE = 'jackpot_requireddisplay', CONSTRAINT = 'required_display_guard';
    END IF;
    RETURN NEW;
END $$;

DO $$
DECLARE
    held text;
    guard record;
BEGIN
    FOREACH held IN ARRAY ARRAY['jackpot_runninground', 'jackpot_hit', 'jackpot_gate', 'jackpot_jackpot'] LOOP
        EXECUTE format('ALTER TABLE public.%I ENABLE TRIGGER USER', held);
        FOR guard IN SELECT tgname FROM pg_trigger WHERE tgrelid = format('public.%I', held)::regclass AND NOT tgisinternal LOOP
            EXECUTE format('ALTER TABLE public.%I ENABLE ALWAYS TRIGGER %I', held, guard.tgname);
        END LOOP;
    END LOOP;
END $$;

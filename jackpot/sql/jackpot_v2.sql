-- The life of a jackpot: which way its phase may go, and what an epoch takes. The app decides under the exclusive lock; what stands
-- here holds whatever it decides.

-- Note [Suspended]: a suspended jackpot goes on inside: its `kept_phase` takes every step but the opening of tables.
CREATE FUNCTION jackpot_step_v1() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    was text := CASE OLD.phase WHEN 'suspended' THEN OLD.kept_phase ELSE OLD.phase END;
    becomes text := CASE NEW.phase WHEN 'suspended' THEN NEW.kept_phase ELSE NEW.phase END;
    refused text;
BEGIN
    IF was <> becomes THEN
        refused := CASE was || '>' || becomes
            WHEN 'open>draining' THEN CASE WHEN NEW.hit_id IS NULL THEN 'no hit' END
            WHEN 'showing>draining' THEN CASE WHEN NEW.hit_id IS NULL THEN 'no hit' END
            WHEN 'draining>verifying' THEN
                CASE WHEN EXISTS (SELECT FROM public.jackpot_listedround l JOIN public.jackpot_runninground r ON r.round_id = l.round_id
                                  WHERE l.hit_id = OLD.hit_id AND r.ended_at IS NULL) THEN 'a listed round runs' END
            WHEN 'verifying>showing' THEN
                CASE WHEN NOT EXISTS (SELECT FROM public.jackpot_hit h WHERE h.id = OLD.hit_id AND h.state IN ('paid', 'rejected'))
                     THEN 'the hit is not decided' END
            WHEN 'showing>open' THEN
                CASE WHEN NEW.phase <> 'open' OR NOT EXISTS (SELECT FROM public.jackpot_gate g
                                                              WHERE g.id = OLD.gate_id AND g.state = 'passed')
                     THEN 'no gate was passed' END
            WHEN 'open>showing' THEN CASE WHEN OLD.phase <> 'suspended' THEN 'it was not suspended' END
            WHEN 'open>closed' THEN NULL
            WHEN 'showing>closed' THEN NULL
            WHEN 'closed>showing' THEN NULL
            WHEN 'closed>retired' THEN NULL
            ELSE 'no such step' END;
    ELSIF OLD.phase = 'suspended' AND NEW.phase = 'open' THEN
        refused := 'it opens by its displays';
    END IF;
    IF refused IS NULL AND (NEW.incarnation < OLD.incarnation OR NEW.version_base < OLD.version_base) THEN
        refused := 'versions go forward';
    END IF;
    IF refused IS NULL AND NEW.epoch_id IS DISTINCT FROM OLD.epoch_id AND OLD.epoch_id IS NOT NULL
        AND NOT EXISTS (SELECT FROM public.jackpot_epochend e WHERE e.epoch_id = OLD.epoch_id)
    THEN
        refused := 'its epoch has not ended';
    END IF;
    IF refused IS NOT NULL THEN
        RAISE EXCEPTION 'jackpot %: % to %: %', OLD.id, was, becomes, refused
            USING ERRCODE = 'restrict_violation', TABLE = 'jackpot_jackpot', CONSTRAINT = 'jackpot_step';
    END IF;
    IF NEW.phase <> OLD.phase OR NEW.kept_phase <> OLD.kept_phase THEN
        NEW.phase_at := clock_timestamp();
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER jackpot_step BEFORE UPDATE ON public.jackpot_jackpot
    FOR EACH ROW EXECUTE FUNCTION jackpot_step_v1();
ALTER TABLE public.jackpot_jackpot ENABLE ALWAYS TRIGGER jackpot_step;

CREATE OR REPLACE TRIGGER jackpot_guard BEFORE UPDATE OR DELETE ON public.jackpot_jackpot
    FOR EACH ROW EXECUTE FUNCTION keep_columns_v1('', 'phase', 'kept_phase', 'phase_at', 'epoch_id', 'hit_id', 'gate_id',
        'version_base', 'incarnation', 'offline_linked');
ALTER TABLE public.jackpot_jackpot ENABLE ALWAYS TRIGGER jackpot_guard;

-- No stake between freeze and reopening: a round begins in the epoch that runs, while the jackpot is open. Read by a statement that
-- is younger than the shared lock which the lock took before. Without coins a round may begin where the house blocks coins alone, and
-- be taken later where it was played without the server (PRG-9): it has no part in any hit.
CREATE FUNCTION running_round_open_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM public.jackpot_jackpot j WHERE j.id = NEW.jackpot_id AND j.house_id = NEW.house_id
                   AND j.epoch_id = NEW.epoch_id
                   AND (j.phase = 'open' OR NEW.coins = '{}'))
    THEN
        RAISE EXCEPTION 'jackpot % takes no stake', NEW.jackpot_id
            USING ERRCODE = 'check_violation', TABLE = 'jackpot_runninground', CONSTRAINT = 'running_round_open';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER running_round_open BEFORE INSERT ON public.jackpot_runninground
    FOR EACH ROW EXECUTE FUNCTION running_round_open_v1();
ALTER TABLE public.jackpot_runninground ENABLE ALWAYS TRIGGER running_round_open;

-- An epoch that has ended takes nothing any more.
CREATE FUNCTION epoch_runs_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM public.jackpot_epochend e WHERE e.epoch_id = NEW.epoch_id) THEN
        RAISE EXCEPTION '%: epoch % has ended', TG_TABLE_NAME, NEW.epoch_id
            USING ERRCODE = 'check_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = 'epoch_runs';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER epoch_runs BEFORE INSERT ON public.jackpot_contribution
    FOR EACH ROW EXECUTE FUNCTION epoch_runs_v1();
ALTER TABLE public.jackpot_contribution ENABLE ALWAYS TRIGGER epoch_runs;
CREATE TRIGGER epoch_runs BEFORE INSERT ON public.jackpot_hit
    FOR EACH ROW EXECUTE FUNCTION epoch_runs_v1();
ALTER TABLE public.jackpot_hit ENABLE ALWAYS TRIGGER epoch_runs;

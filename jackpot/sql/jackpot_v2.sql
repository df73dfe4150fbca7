-- The life of a jackpot: which way its phase may go, and what an epoch takes. The app decides under the exclusive lock; what stands
-- here holds whatever it decides.

-- Whether people have used an approval of this action about this jackpot since a moment.
CREATE FUNCTION jackpot_allowed_v1(p_jackpot uuid, p_action text, p_since timestamptz) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT EXISTS (SELECT FROM public.payouts_approval a JOIN public.jackpot_jackpot j ON j.house_id = a.house_id
                   WHERE j.id = p_jackpot AND a.action = p_action AND a.state = 'used' AND a.closed_at >= p_since
                       AND a.subject_id = p_jackpot::text)
$$;

-- The version of what a jackpot's meter holds now: it moves with the amount alone.
CREATE FUNCTION meter_version_v1(p_jackpot uuid) RETURNS bigint LANGUAGE sql STABLE AS $$
    SELECT j.version_base + coalesce((SELECT sum(a.version) FROM public.payouts_account a WHERE a.house_id = j.house_id
        AND a.detail_id = j.epoch_id AND a.kind IN ('meter_base', 'sub_meter', 'meter_prizes')), 0)::bigint
    FROM public.jackpot_jackpot j WHERE j.id = p_jackpot
$$;

-- Why a hit cannot be taken at hand; NULL where it can: it begins in the running epoch, and lists every round that runs.
CREATE FUNCTION hit_refused_v1(p_jackpot uuid, p_epoch uuid, p_hit uuid) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT CASE
        WHEN NOT EXISTS (SELECT FROM public.jackpot_hit h WHERE h.id = p_hit AND h.jackpot_id = p_jackpot AND h.epoch_id = p_epoch
                         AND h.state = 'draining') THEN 'no hit'
        WHEN EXISTS (SELECT FROM public.jackpot_runninground r WHERE r.jackpot_id = p_jackpot AND r.ended_at IS NULL
                     AND NOT EXISTS (SELECT FROM public.jackpot_listedround l WHERE l.hit_id = p_hit AND l.round_id = r.round_id))
            THEN 'a round runs that is not listed' END
$$;

-- Note [Suspended]: a suspended jackpot goes on inside: its `kept_phase` takes every step but the opening of tables.
-- Note [Gate at hand]: a gate is taken at hand while it is open, and opens the tables only if it was made in this very phase for what
-- the meter holds now: one that was passed before opens nothing again.
CREATE FUNCTION jackpot_step_v1() RETURNS trigger LANGUAGE plpgsql AS $$
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
                         AND g.state = 'passed' AND g.made_at >= OLD.phase_at AND g.version = meter_version_v1(OLD.id))
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
        AND NOT jackpot_allowed_v1(OLD.id, 'jackpot.resume', OLD.phase_at)
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

-- An epoch ends when it is won, which people have approved, or when its closed jackpot is retired, which they have approved too.
CREATE FUNCTION epoch_end_begin_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM public.jackpot_jackpot j WHERE j.epoch_id = NEW.epoch_id AND j.house_id = NEW.house_id AND CASE NEW.ended_as
        WHEN 'won' THEN j.hit_id = NEW.hit_id AND hit_approved_v1(NEW.hit_id)
        ELSE j.phase = 'closed' AND jackpot_allowed_v1(j.id, 'jackpot.retire', j.phase_at) END)
    THEN
        RAISE EXCEPTION 'epoch % does not end as %', NEW.epoch_id, NEW.ended_as
            USING ERRCODE = 'check_violation', TABLE = 'jackpot_epochend', CONSTRAINT = 'epoch_end_begin';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER epoch_end_begin BEFORE INSERT ON public.jackpot_epochend
    FOR EACH ROW EXECUTE FUNCTION epoch_end_begin_v1();
ALTER TABLE public.jackpot_epochend ENABLE ALWAYS TRIGGER epoch_end_begin;

-- Note [Suspended]: a suspended jackpot goes on inside: its `kept_phase` takes every step but the opening of tables.
-- Note [Gate at hand]: a gate is taken at hand while it is open, and opens the tables only if it was made in this very phase for what
-- the meter holds now: one that was passed before opens nothing again.
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

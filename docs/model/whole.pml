/* The whole way in small: two tables and two displays, from a stake to the next one after a hit. What barrier.pml and gate.pml
   prove apart is put together here: a stake is taken after a hit only when every required display has shown the amount in force.
   Withdrawing, reopening, calls, corrections and approvals are left to those two. */
#define EACH(p) (p(0) && p(1))
#define ANY(p) (p(0) || p(1))

mtype:phases = { OPEN, DRAINING, VERIFYING, SHOWING };
mtype:ages = { THIS, OLDER };

mtype:phases phase = OPEN;
bool running[2], listed[2], claims[2];  /* rounds */
byte shared, waiting;                   /* the lock: held with others; waited for alone, with later requests behind */
byte faults = 1;                        /* a message lost or a display dead, between two openings */

bool required[2], confirmed[2], dead[2], sent[2];
mtype:ages gate[2] = OLDER, digits[2] = THIS, sent_gate[2] = OLDER, sent_digits[2] = OLDER;

/* What really was: no command reads these. */
bool owes[2];                           /* since the hit it has not shown the amount in force, for the gate in force */
bool stake_early, won_unlisted;

#ifdef SOMETIMES
mtype:seen = { NOTHING, STAKE_AFTER_A_HIT, BOTH_WON, REFUSED, LATE_CONFIRMATION, KILLED_ADVANCE };
mtype:seen seen = NOTHING;
bool was_hit;
#define SAW(what) seen = what
#else
#define SAW(what) skip
#endif

inline new_amount() {
  digits[0] = OLDER; digits[1] = OLDER; sent_digits[0] = OLDER; sent_digits[1] = OLDER
}

proctype Table(byte t) {
  mtype:phases read = OPEN;
end: do
#ifdef M_STALE
  :: atomic { !running[t] -> read = phase };
     atomic { waiting == 0 -> shared++ };
#else
  :: atomic { !running[t] && waiting == 0 -> shared++ };
     read = phase;
#endif
     atomic {
       if
       :: read == OPEN ->
          running[t] = true; new_amount();  /* a coin */
          stake_early = stake_early || owes[0] || owes[1];
#ifdef SOMETIMES
          if :: was_hit -> SAW(STAKE_AFTER_A_HIT) :: else -> skip fi
#endif
       :: read != OPEN -> SAW(REFUSED)
       :: skip                              /* killed: nothing written */
       fi;
       shared--; read = OPEN
     }
  :: atomic { running[t] && waiting == 0 -> running[t] = false }
  :: atomic { running[t] -> waiting++ };    /* it settles with a royal */
     atomic {
#ifndef M_CLAIM_SHARED
       shared == 0 ->
#endif
       if
       :: phase == OPEN ->
          listed[0] = running[0]; listed[1] = running[1]; owes[0] = true; owes[1] = true;
          phase = DRAINING
       :: else -> skip
       fi;
       won_unlisted = won_unlisted || !listed[t];
       running[t] = false; claims[t] = true; waiting--
     }
  od
}

#define RUNS(t) (listed[t] && running[t])
#define MISSES(d) (required[d] && !confirmed[d])
#ifdef M_NO_DRAIN
#define DRAINED true
#else
#define DRAINED (!ANY(RUNS))
#endif
#ifdef M_NO_DISPLAY
#define SHOWN true
#else
#define SHOWN (!ANY(MISSES) && (required[0] || required[1]))
#endif
inline open_gate() {
  required[0] = true; required[1] = true; confirmed[0] = false; confirmed[1] = false; owes[0] = true; owes[1] = true;
  gate[0] = OLDER; gate[1] = OLDER; sent_gate[0] = OLDER; sent_gate[1] = OLDER;
  claims[0] = false; claims[1] = false; listed[0] = false; listed[1] = false;
  phase = SHOWING
}

/* A worker, which may be killed, and beat. */
proctype Advance(bool frail) {
end: do
  :: atomic { (phase == DRAINING && DRAINED) || phase == VERIFYING || (phase == SHOWING && SHOWN) -> waiting++ };
     if
     :: atomic { shared == 0 ->
          if
          :: phase == DRAINING && DRAINED -> phase = VERIFYING
          :: phase == VERIFYING ->
             if :: claims[0] && claims[1] -> SAW(BOTH_WON) :: else -> skip fi;
             if :: new_amount() :: skip fi; /* approved and reset, or rejected */
             open_gate()
          :: phase == SHOWING && SHOWN ->
             required[0] = false; required[1] = false; confirmed[0] = false; confirmed[1] = false; faults = 1;
             phase = OPEN;
#ifdef SOMETIMES
             was_hit = true
#endif
          :: else -> skip                   /* somebody else was quicker */
          fi;
          waiting-- }
     :: atomic { frail -> waiting--; SAW(KILLED_ADVANCE) }
     fi
  od
}

proctype Display(byte d) {
end: do
  :: atomic { phase == SHOWING && !dead[d] && gate[d] != THIS -> gate[d] = THIS }
  :: atomic { phase == SHOWING && !dead[d] && digits[d] != THIS -> digits[d] = THIS }
  :: atomic { phase == SHOWING && !dead[d] && gate[d] == THIS && digits[d] == THIS && MISSES(d) && !sent[d] ->
       sent[d] = true; sent_gate[d] = THIS; sent_digits[d] = THIS; owes[d] = false }
  :: atomic { sent[d] ->
       if
       :: phase == SHOWING && required[d] && sent_digits[d] == THIS && sent_gate[d] == THIS -> confirmed[d] = true
       :: phase != SHOWING || !required[d] || sent_digits[d] != THIS || sent_gate[d] != THIS -> SAW(LATE_CONFIRMATION)
       :: faults > 0 -> faults--            /* lost */
       fi;
       sent[d] = false; sent_gate[d] = OLDER; sent_digits[d] = OLDER }
  :: atomic { phase == SHOWING && !dead[d] && faults > 0 -> faults--; dead[d] = true }
  :: atomic { phase == SHOWING && dead[d] && required[d] && required[1 - d] ->  /* two people take it out */
       required[d] = false; confirmed[d] = false; owes[d] = false }
  :: atomic { phase == SHOWING && dead[d] && !required[1 - d] ->                /* or replace it */
       dead[d] = false; digits[d] = OLDER; gate[d] = OLDER; sent_gate[d] = OLDER }
  :: atomic { phase == OPEN && dead[d] -> dead[d] = false; digits[d] = OLDER; gate[d] = OLDER }  /* mended */
  od
}

init {
  atomic {
    run Table(0); run Table(1); run Display(0); run Display(1); run Advance(true);
#ifndef M_NO_BEAT
    run Advance(false)
#endif
  }
}

ltl no_stake_until_shown { [] !stake_early }
ltl only_listed_rounds_win { [] !won_unlisted }
ltl draining_leads_to_open { [] (phase == DRAINING -> <> (phase == OPEN)) }

#ifdef SOMETIMES                            /* each of these must be found wrong */
ltl sometimes_stake_after_a_hit { [] (seen != STAKE_AFTER_A_HIT) }
ltl sometimes_both_won { [] (seen != BOTH_WON) }
ltl sometimes_refused { [] (seen != REFUSED) }
ltl sometimes_late_confirmation { [] (seen != LATE_CONFIRMATION) }
ltl sometimes_killed_advance { [] (seen != KILLED_ADVANCE) }
#endif

/* The barrier: locks and claims at TABLES tables, the list of running rounds, draining, the verdict. How displays open the tables
   again is gate.pml; here SHOWING ends by itself. README.md says what is modelled and what is not.

   One command is one transaction. A lock takes three steps (the shared lock granted; the phase read; written and committed), since
   the race lies between them. Any other command is one step once it holds the lock: whoever could see it half done waits for it.
   A process killed before its commit has done nothing, and the lock that it held or waited for is free again. */
#ifndef TABLES
#define TABLES 3
#endif
/* -DONCE sends each lock message once, to keep three tables small; two tables repeat it. */
#if TABLES == 3
#define EACH(p) (p(0) && p(1) && p(2))
#define ANY(p) (p(0) || p(1) || p(2))
#else
#define EACH(p) (p(0) && p(1))
#define ANY(p) (p(0) || p(1))
#endif

mtype:phases = { OPEN, DRAINING, VERIFYING, SHOWING };
mtype:rounds = { NONE, LOCKED, SETTLED, VOIDED, REOPENED, WITHDRAWN, DONE };  /* DONE: settled, and no correction makes it a win */
mtype:claims = { NO, CALLED, CLAIMED };

mtype:phases phase = OPEN;
mtype:rounds round[TABLES] = NONE;  /* the round that the table has now, under an id of its own */
mtype:claims claim[TABLES] = NO;    /* of that round, in the present hit */
bool listed[TABLES];                /* that round is in the list of the present hit */
bool asked[TABLES];                 /* a lock message is under way, perhaps for the second time */
bool back[TABLES];                  /* the chips of that round were given back after a withdrawal */
byte paid[TABLES];                  /* awards written for that round in the present hit */
byte shared, waiting;               /* who holds the lock with others; who waits for it alone: later requests queue behind */

#ifdef SOMETIMES                    /* the last thing of note, for the checks that the model is not empty */
mtype:seen = { NOTHING, CALL_CONFIRMED, CALL_DROPPED, JOINED, REFUSED_WHILE_FROZEN, REFUSED_WITHDRAWN, VOID_WHILE_DRAINING,
               WITHDRAWN_WHILE_DRAINING, REJECTED, NOTHING_LEFT, HIT_BY_CORRECTION, HIT_WHILE_SHOWING, CLAIM_TAKEN_BACK,
               REOPENED_IN_TIME, DOUBLE_ROYAL, KILLED_LOCK, KILLED_ADVANCE, TWO_ADVANCED };
mtype:seen seen = NOTHING;
#define SAW(what) seen = what
#else
#define SAW(what) skip
#endif

/* The lock. */
#define MAY_SHARE (waiting == 0)
#ifdef M_CLAIM_SHARED
#define ALONE_TO_CLAIM true
#else
#define ALONE_TO_CLAIM ALONE
#endif
#define ALONE (shared == 0)

/* What a command asks for before it does something. */
#define RUNS(t) (listed[t] && round[t] == LOCKED)
#ifdef M_NO_DRAIN
#define DRAINED true
#else
#define DRAINED (!ANY(RUNS))
#endif
#ifdef M_REOPEN_LATE
#define MAY_REOPEN (phase == OPEN || phase == DRAINING)
#else
#define MAY_REOPEN (phase == OPEN)
#endif
#ifdef M_NOT_LISTED
#define MAY_JOIN(t) true
#else
#define MAY_JOIN(t) listed[t]
#endif
#define IS_CLAIM(t) (claim[t] == CLAIMED)
#define RUNNING_CLAIM(t) (round[t] == LOCKED && (claim[t] == CALLED || phase == OPEN || listed[t]))
#define OVERLOOKED(t) (round[t] == SETTLED && claim[t] == NO && (phase == OPEN || phase == SHOWING || MAY_JOIN(t)))
#ifdef M_LATE_TRUTH
#define WRONG(t) (claim[t] == CLAIMED && phase != OPEN)
#else
#define WRONG(t) (claim[t] == CLAIMED && (phase == DRAINING || phase == VERIFYING))
#endif

/* The server at work on lock messages of a table. */
proctype Lock(byte t) {
  mtype:phases read = OPEN;
end: do
#ifdef M_STALE                      /* lock and read in one statement: what it reads is older than the lock */
  :: atomic { asked[t] -> read = phase };
     atomic { MAY_SHARE -> shared++ };
#else
  :: atomic { asked[t] && MAY_SHARE -> shared++ };
     read = phase;
#endif
     atomic {
       if
       :: round[t] == NONE && read == OPEN -> round[t] = LOCKED
       :: round[t] == NONE && read != OPEN -> SAW(REFUSED_WHILE_FROZEN)
#ifdef M_LATE_LOCK                  /* the tombstone is not looked at */
       :: round[t] == WITHDRAWN && read == OPEN -> round[t] = LOCKED
#else
       :: round[t] == WITHDRAWN -> SAW(REFUSED_WITHDRAWN)
#endif
       :: round[t] != NONE && round[t] != WITHDRAWN -> skip  /* known: the answer is the round as it is by now */
       :: SAW(KILLED_LOCK)          /* nothing was written */
       fi;
       shared--; read = OPEN;
       if
       :: asked[t] = false
#ifndef ONCE
       :: skip                      /* no answer came: the tablet sends it again, under the same id */
#endif
       fi
     }
  :: atomic { asked[t] -> asked[t] = false }  /* lost on the way */
  od
}

/* The first claim writes the hit and the list: "at the same time" is this list, whatever any clock says. */
inline hit(t) {
  for (i : 0 .. TABLES - 1) { listed[i] = (round[i] == LOCKED); claim[i] = NO; paid[i] = 0 }
  i = 0;
  listed[t] = true;
  phase = DRAINING
}

/* A claim, a Royal! call, the settlement that answers it, a correction into a win or out of it: whatever the round, read under the
   lock, still allows. */
inline claim_alone(t) {
  if
  :: round[t] == LOCKED && claim[t] == CALLED ->
     round[t] = SETTLED;
     if :: claim[t] = CLAIMED; SAW(CALL_CONFIRMED) :: claim[t] = NO; SAW(CALL_DROPPED) fi
  :: round[t] == LOCKED && claim[t] == NO && (phase == OPEN || listed[t]) ->
     if :: phase == OPEN -> hit(t) :: else -> SAW(JOINED) fi;
     if :: claim[t] = CALLED :: round[t] = SETTLED; claim[t] = CLAIMED fi
  :: OVERLOOKED(t) ->
     if
     :: phase == OPEN -> hit(t); SAW(HIT_BY_CORRECTION)
     :: phase == SHOWING -> hit(t); SAW(HIT_WHILE_SHOWING)
     :: else -> skip
     fi;
     claim[t] = CLAIMED
  :: WRONG(t) -> round[t] = DONE; claim[t] = NO; SAW(CLAIM_TAKEN_BACK)
  :: else -> skip                   /* refused */
  fi
}

proctype Croupier(byte t) {
  byte i;
end: do
  /* the next round, under a new id; the cards of a claim lie until the verdict */
  :: atomic { round[t] != NONE && round[t] != LOCKED && !asked[t] && claim[t] == NO ->
       round[t] = NONE; listed[t] = false; back[t] = false }
  :: atomic { round[t] == NONE && !asked[t] -> asked[t] = true }
  /* no answer: withdrawn. A tombstone where nothing is known, a void where the lock did commit, also while draining. */
  :: atomic { MAY_SHARE && asked[t] && round[t] == NONE -> round[t] = WITHDRAWN; back[t] = true }
  :: atomic { MAY_SHARE && asked[t] && round[t] == LOCKED && claim[t] == NO ->
       round[t] = VOIDED; back[t] = true;
       if :: phase == DRAINING -> SAW(WITHDRAWN_WHILE_DRAINING) :: else -> skip fi }
  :: atomic { MAY_SHARE && round[t] == LOCKED && claim[t] == NO -> round[t] = SETTLED }
  :: atomic { MAY_SHARE && round[t] == LOCKED && claim[t] == NO && MAY_REOPEN ->
       round[t] = REOPENED; SAW(REOPENED_IN_TIME) }
#ifdef M_UPGRADE                    /* with others first, then alone: two that do it wait for each other */
  :: atomic { MAY_SHARE && RUNNING_CLAIM(t) -> shared++ };
     atomic { shared == 1 -> claim_alone(t); shared-- }
#else
  :: atomic { RUNNING_CLAIM(t) || OVERLOOKED(t) || WRONG(t) -> waiting++ };
     atomic { ALONE_TO_CLAIM -> claim_alone(t); waiting-- }
#endif
  od
}

/* The pit voids a round that its croupier may be claiming at this moment. */
inline void_of(t) {
  round[t] = VOIDED; claim[t] = NO;
  if :: phase == DRAINING -> SAW(VOID_WHILE_DRAINING) :: else -> skip fi
}
#ifdef M_VOID_SHARED                /* what touches a call must be alone; here the call outlives its round */
#define VOIDS(t) :: atomic { MAY_SHARE && round[t] == LOCKED -> round[t] = VOIDED }
#else
#define VOIDS(t) \
  :: atomic { MAY_SHARE && round[t] == LOCKED && claim[t] == NO -> void_of(t) } \
  :: atomic { round[t] == LOCKED && claim[t] == CALLED -> waiting++ }; \
     atomic { ALONE -> if :: round[t] == LOCKED -> void_of(t) :: else -> skip fi; waiting-- }
#endif
proctype Pit() {
end: do
  VOIDS(0)
  VOIDS(1)
#if TABLES == 3
  VOIDS(2)
#endif
  od
}

inline award() { for (i : 0 .. TABLES - 1) { if :: IS_CLAIM(i) -> paid[i]++ :: else -> skip fi } i = 0 }
inline close() {                    /* the epoch ends: no correction reaches back into it */
  for (i : 0 .. TABLES - 1) { if :: round[i] == SETTLED -> round[i] = DONE :: else -> skip fi }
  i = 0;
  phase = SHOWING
}
inline reject() {                   /* the epoch runs on; a claim refused is not made again */
  for (i : 0 .. TABLES - 1) { if :: claim[i] != NO -> claim[i] = NO; round[i] = DONE :: else -> skip fi }
  i = 0;
  phase = SHOWING
}

/* The one step due in a phase. People's verdict is part of it here: it is asked for until it is given. */
inline step(at) {
  if
  :: at == DRAINING && DRAINED -> phase = VERIFYING
  :: at == VERIFYING && ANY(IS_CLAIM) ->
     if
     :: if :: paid[0] + paid[1] == 0 && IS_CLAIM(0) && IS_CLAIM(1) -> SAW(DOUBLE_ROYAL) :: else -> skip fi;
        award();
#ifdef M_TWO_TRANSACTIONS           /* awards in one transaction, the phase in the next: killed between, they are written again */
        halfway = true
#else
        close()
#endif
     :: reject(); SAW(REJECTED)
     fi
  :: at == VERIFYING && !ANY(IS_CLAIM) -> reject(); SAW(NOTHING_LEFT)
  :: at == SHOWING ->               /* the displays have confirmed: gate.pml */
     for (i : 0 .. TABLES - 1) { listed[i] = false; claim[i] = NO; paid[i] = 0 }
     i = 0;
     phase = OPEN
  :: else -> SAW(TWO_ADVANCED)      /* somebody else was quicker */
  fi
}

/* `jackpot_advance`, by a worker that may be killed at any point, and by beat, which is started again. A hint only says when. */
#define DUE ((phase == DRAINING && DRAINED) || phase == VERIFYING || phase == SHOWING)
proctype Advance(bool frail) {
  byte i;
  mtype:phases at = OPEN;
#ifdef M_TWO_TRANSACTIONS
  bool halfway;
#endif
end: do
  :: atomic { DUE -> waiting++;
#ifdef M_BLIND                      /* the step is chosen before the lock is there */
       at = phase
#endif
     };
     if
     :: atomic { ALONE ->
#ifndef M_BLIND
          at = phase;
#endif
          step(at); waiting--; at = OPEN }
     :: atomic { frail -> waiting--; at = OPEN; SAW(KILLED_ADVANCE) }
     fi
#ifdef M_TWO_TRANSACTIONS
     ; if
     :: atomic { halfway -> halfway = false; close() }
     :: atomic { halfway && frail -> halfway = false }
     :: !halfway
     fi
#endif
  od
}

init {
  byte i;
  atomic {
    for (i : 0 .. TABLES - 1) { run Lock(i); run Croupier(i) }
    i = 0;
    run Pit(); run Advance(true);
#ifndef M_NO_BEAT
    run Advance(false)
#endif
  }
}

/* One table's share of each property. */
#define IN_TIME(t) (round[t] != LOCKED || listed[t])
#define ENDED(t) (round[t] != LOCKED)
#define WINS_LISTED(t) (paid[t] == 0 || listed[t])
#define WINS_SETTLED(t) (paid[t] == 0 || (claim[t] == CLAIMED && (round[t] == SETTLED || round[t] == DONE)))
#define ONCE_PAID(t) (paid[t] <= 1)
#define ANSWERED(t) (claim[t] != CALLED)
#define STAYS(t) (!listed[t] || round[t] != REOPENED)
#define NO_STAKE(t) (!back[t] || (round[t] != LOCKED && round[t] != SETTLED))
#define UNDECIDED (phase == OPEN || phase == DRAINING)

ltl no_stake_after_freeze { [] (phase == OPEN || EACH(IN_TIME)) }
ltl drained_before_verdict { [] (UNDECIDED || EACH(ENDED)) }
ltl only_listed_rounds_win { [] EACH(WINS_LISTED) }
ltl only_settled_claims_are_paid { [] EACH(WINS_SETTLED) }
ltl paid_once { [] EACH(ONCE_PAID) }
ltl every_call_is_answered { [] (UNDECIDED || EACH(ANSWERED)) }
ltl no_reopening_after_the_hit { [] EACH(STAYS) }
ltl chips_back_means_no_stake { [] EACH(NO_STAKE) }
ltl safe { [] ((phase == OPEN || EACH(IN_TIME)) && (UNDECIDED || (EACH(ENDED) && EACH(ANSWERED))) && EACH(WINS_LISTED) &&
               EACH(WINS_SETTLED) && EACH(ONCE_PAID) && EACH(STAYS) && EACH(NO_STAKE)) }
ltl draining_leads_to_open { [] (phase == DRAINING -> <> (phase == OPEN)) }

#ifdef SOMETIMES                    /* each of these must be found wrong */
ltl sometimes_call_confirmed { [] (seen != CALL_CONFIRMED) }
ltl sometimes_call_dropped { [] (seen != CALL_DROPPED) }
ltl sometimes_joined { [] (seen != JOINED) }
ltl sometimes_refused_while_frozen { [] (seen != REFUSED_WHILE_FROZEN) }
ltl sometimes_refused_withdrawn { [] (seen != REFUSED_WITHDRAWN) }
ltl sometimes_void_while_draining { [] (seen != VOID_WHILE_DRAINING) }
ltl sometimes_withdrawn_while_draining { [] (seen != WITHDRAWN_WHILE_DRAINING) }
ltl sometimes_rejected { [] (seen != REJECTED) }
ltl sometimes_nothing_left { [] (seen != NOTHING_LEFT) }
ltl sometimes_hit_by_correction { [] (seen != HIT_BY_CORRECTION) }
ltl sometimes_hit_while_showing { [] (seen != HIT_WHILE_SHOWING) }
ltl sometimes_claim_taken_back { [] (seen != CLAIM_TAKEN_BACK) }
ltl sometimes_reopened_in_time { [] (seen != REOPENED_IN_TIME) }
ltl sometimes_double_royal { [] (seen != DOUBLE_ROYAL) }
ltl sometimes_killed_lock { [] (seen != KILLED_LOCK) }
ltl sometimes_killed_advance { [] (seen != KILLED_ADVANCE) }
ltl sometimes_two_advanced { [] (seen != TWO_ADVANCED) }
#endif

/* Verdict, approval, displays: from the last round's end to open tables, with two claims, two signers and DISPLAYS displays.

   Every command here is one step: it runs under the jackpot's lock, which barrier.pml proves, so several callers of
   `jackpot_advance` do no more than one that may run at any time. Gates, revisions, approvals and versions of the amount carry
   numbers that never come again, and are only compared for equality: "this one" or "an older one" is all there is to know.
   What goes wrong (FAULTS times between two openings) is lost, dead, late, corrected or expired. */
#ifndef DISPLAYS
#define DISPLAYS 3
#endif
#ifndef FAULTS
#define FAULTS 2
#endif
#if DISPLAYS == 3
#define EACH(p) (p(0) && p(1) && p(2))
#define ANY(p) (p(0) || p(1) || p(2))
#else
#define EACH(p) (p(0) && p(1))
#define ANY(p) (p(0) || p(1))
#endif

mtype:phases = { OPEN, VERIFYING, SHOWING };
mtype:ages = { THIS, OLDER, BLANK };
mtype:approvals = { NONE, ASKED, RELEASED };

mtype:phases phase = OPEN;
byte faults = FAULTS;

bool stands[2];                     /* claims of the hit that people found true; another decision or a correction turns one round */
byte paid[2];                       /* awards written for each */
mtype:approvals approval = NONE;    /* of the awards as claims stand, or of the rejection when none does; a change kills it */
mtype:ages saw[2] = BLANK;          /* the payload that each signer has before him: of this approval, or of a dead one */
bool by[2];                     /* signatures that count */
bool rejected;                      /* the last verdict: the epoch is still open */
bool moved;                         /* the amount in force is not the one that the gate was made for */

bool required[DISPLAYS];            /* the frozen list of the gate */
bool confirmed[DISPLAYS];
bool alive[DISPLAYS] = true;
mtype:ages gate[DISPLAYS] = OLDER;  /* the gate that the display knows */
mtype:ages digits[DISPLAYS] = THIS; /* the amount that can be read on it */
bool sent[DISPLAYS];                /* a confirmation of its is under way, with a gate (its number and nonce) ... */
mtype:ages sent_gate[DISPLAYS] = OLDER;
mtype:ages sent_digits[DISPLAYS] = OLDER;  /* ... and the digits that it read back */

/* What really was, whatever the server noted: no command reads these. */
bool shown[DISPLAYS];               /* it read back the amount in force, for the gate in force */
bool opened_unshown, opened_false, opened_alone, paid_unsigned;

#ifdef SOMETIMES
mtype:seen = { NOTHING, BOTH_PAID, REJECTED, KILLED, EXPIRED, OLD_SIGNATURE, LATE_CONFIRMATION, WRONG_DIGITS, AFTER_OPENING,
               LOST, TAKEN_OUT, REPLACED, NEW_GATE, HIT_WHILE_SHOWING, OPENED_WITHOUT_ONE };
mtype:seen seen = NOTHING;
#define SAW(what) seen = what
#else
#define SAW(what) skip
#endif

inline older(what) { if :: what == THIS -> what = OLDER :: else -> skip fi }

/* Another gate, with all displays on its list, or none: what is on the way to the last one is late. */
inline gates(on) {
  for (i : 0 .. DISPLAYS - 1) {
    required[i] = on; confirmed[i] = false; shown[i] = false; gate[i] = OLDER; sent_gate[i] = OLDER
  }
  i = 0
}
inline open_gate() { gates(true); moved = false; phase = SHOWING }
inline new_amount() { for (i : 0 .. DISPLAYS - 1) { older(digits[i]); older(sent_digits[i]) } i = 0 }
inline kill_approval() { approval = NONE; by[0] = false; by[1] = false; older(saw[0]); older(saw[1]) }
inline end_hit() {
  approval = NONE; by[0] = false; by[1] = false; saw[0] = BLANK; saw[1] = BLANK;
  stands[0] = false; stands[1] = false; paid[0] = 0; paid[1] = 0
}

inline hit() {
  phase = VERIFYING; rejected = false; moved = false;
  if :: stands[0] = true :: skip fi;
  if :: stands[1] = true :: skip fi
}

inline forget(d) { sent[d] = false; sent_gate[d] = OLDER; sent_digits[d] = OLDER }

/* Someone calls `jackpot_advance`, at the latest beat. */
#ifdef M_NO_DISPLAY
#define MISSES(d) false
#else
#define MISSES(d) (required[d] && !confirmed[d])
#endif
#define ON_LIST(d) required[d]
#ifdef M_MOVED
#define LOOKS_MOVED false
#else
#define LOOKS_MOVED moved
#endif
#ifdef M_LAST_OUT
#define SOME_LEFT true
#else
#define SOME_LEFT ANY(ON_LIST)
#endif
proctype Advance() {
  byte i;
end: do
  :: atomic { phase == VERIFYING && approval == NONE -> approval = ASKED }
  :: atomic { phase == VERIFYING && approval == RELEASED && (stands[0] || stands[1]) ->
       /* awards, the epoch's end, the reset, the gate: one transaction */
       paid_unsigned = paid_unsigned || saw[0] != THIS || saw[1] != THIS;
       if :: stands[0] -> paid[0]++ :: else -> skip fi;
       if :: stands[1] -> paid[1]++ :: else -> skip fi;
       if :: stands[0] && stands[1] -> SAW(BOTH_PAID) :: else -> skip fi;
#ifdef M_TWO_TRANSACTIONS
       if :: skip :: goto end fi;   /* killed after the first of two: the next one pays again */
#endif
       end_hit(); new_amount(); open_gate() }
  :: atomic { phase == VERIFYING && approval == RELEASED && !stands[0] && !stands[1] ->
       paid_unsigned = paid_unsigned || saw[0] != THIS || saw[1] != THIS;
       end_hit(); rejected = true; open_gate(); SAW(REJECTED) }  /* the same amount */
  :: atomic { phase == SHOWING && moved -> open_gate(); SAW(NEW_GATE) }
  :: atomic { phase == SHOWING && !LOOKS_MOVED && !ANY(MISSES) && SOME_LEFT ->
       opened_alone = opened_alone || !ANY(ON_LIST);
       for (i : 0 .. DISPLAYS - 1) {
         opened_unshown = opened_unshown || (required[i] && !shown[i]);
         opened_false = opened_false || (required[i] && digits[i] == OLDER);
         if :: !required[i] -> SAW(OPENED_WITHOUT_ONE) :: else -> skip fi;
         required[i] = false; confirmed[i] = false; shown[i] = false; alive[i] = true  /* mended by the next gate */
       }
       i = 0;
       phase = OPEN; faults = FAULTS; rejected = false }
  od
}

/* Two people who are not the requester. Whoever signs says which approval he has read. */
proctype Signer(byte p) {
end: do
  :: atomic { approval == ASKED && !by[p] && saw[p] != THIS -> saw[p] = THIS }
  :: atomic { saw[p] != BLANK && !by[p] && approval != RELEASED ->
       if
#ifdef M_OLD_REVISION
       :: approval == ASKED ->
#else
       :: approval == ASKED && saw[p] == THIS ->
#endif
          by[p] = true;
          if :: by[0] && by[1] -> approval = RELEASED :: else -> skip fi
       :: else -> saw[p] = BLANK; SAW(OLD_SIGNATURE)             /* refused: that approval is dead */
       fi }
  od
}

/* What else people do. */
proctype Pit() {
  byte i;
end: do
  :: atomic { phase == OPEN -> hit() }
  :: atomic { phase == OPEN -> new_amount() }                    /* coins */
  :: atomic { phase == VERIFYING && faults > 0 -> faults--;      /* a correction, or another decision */
       if :: stands[0] = !stands[0] :: stands[1] = !stands[1] fi;
#ifndef M_APPROVAL_STAYS
       if :: approval != NONE -> SAW(KILLED) :: else -> skip fi;
       kill_approval()
#else
       older(saw[0]); older(saw[1])
#endif
     }
  :: atomic { approval != NONE && faults > 0 -> faults--; kill_approval(); SAW(EXPIRED) }
  :: atomic { phase == SHOWING && faults > 0 -> faults--; new_amount(); moved = true }  /* a fault of the meter is put right */
  :: atomic { phase == SHOWING && rejected && faults > 0 -> faults--;  /* a royal overlooked in the epoch that runs on */
       gates(false);
       hit(); SAW(HIT_WHILE_SHOWING) }
  od
}

#define OTHERS(d) (required[(d + 1) % DISPLAYS] || required[(d + DISPLAYS - 1) % DISPLAYS])
#define ON_GATE(d) (phase == SHOWING && required[d])
#define MAY_SEND(d) (ON_GATE(d) && !confirmed[d] && alive[d] && gate[d] == THIS && !sent[d] && (digits[d] == THIS || faults > 0))
#ifdef M_OLD_GATE
#define SAME_GATE(d) true
#else
#define SAME_GATE(d) (sent_gate[d] == THIS)
#endif
#ifdef M_ANY_DIGITS
#define SAME_DIGITS(d) true
#else
#define SAME_DIGITS(d) (sent_digits[d] == THIS)
#endif

/* It matters while it is on an open gate; at any other time only what it sent before still comes in. */
proctype Display(byte d) {
  byte i;
end: do
  /* it re-reads the whole truth; what it is told in between can only be older, and the newest wins */
  :: atomic { ON_GATE(d) && alive[d] && gate[d] != THIS -> gate[d] = THIS }
  :: atomic { ON_GATE(d) && alive[d] && digits[d] != THIS -> digits[d] = THIS }
  /* it says what can be read on it now, not what it will have painted in a moment */
  :: atomic { MAY_SEND(d) ->
       if :: digits[d] == THIS -> shown[d] = true :: else -> faults-- fi;
       sent[d] = true; sent_gate[d] = gate[d]; sent_digits[d] = digits[d] }
  :: atomic { sent[d] && faults > 0 -> faults--; forget(d); SAW(LOST) }
  :: atomic { sent[d] ->            /* the server compares gate, nonce, version and digits */
       if
       :: ON_GATE(d) && !LOOKS_MOVED && SAME_GATE(d) && SAME_DIGITS(d) -> confirmed[d] = true
       :: ON_GATE(d) && !SAME_GATE(d) -> SAW(LATE_CONFIRMATION)
       :: ON_GATE(d) && SAME_GATE(d) && !SAME_DIGITS(d) -> SAW(WRONG_DIGITS)
       :: phase != SHOWING -> SAW(AFTER_OPENING)
       :: else -> skip
       fi;
       forget(d) }
  /* it dies; two people take it off the gate, or put another one in its place when it is the last */
  :: atomic { ON_GATE(d) && alive[d] && faults > 0 ->
       faults--; alive[d] = false; gate[d] = OLDER; digits[d] = BLANK }
#ifndef M_NEVER_OUT
  :: atomic { ON_GATE(d) && !alive[d] && !confirmed[d] ->
       confirmed[d] = false; shown[d] = false;
       if
#ifdef M_LAST_OUT
       :: required[d] = false
#else
       :: OTHERS(d) -> required[d] = false; SAW(TAKEN_OUT)
#ifdef M_PLACE                      /* no new gate: what the dead one sent counts for the place */
       :: !OTHERS(d) -> alive[d] = true
#else
       :: !OTHERS(d) -> alive[d] = true; open_gate(); SAW(REPLACED)
#endif
#endif
       fi }
  :: atomic { ON_GATE(d) && !alive[d] -> alive[d] = true }
#endif
  od
}

init {
  byte i;
  atomic {
    for (i : 0 .. DISPLAYS - 1) { run Display(i) }
    i = 0;
    run Signer(0); run Signer(1); run Pit(); run Advance()
  }
}

#define PAID_ONCE (paid[0] <= 1 && paid[1] <= 1)

ltl opens_only_when_shown { [] !opened_unshown }
ltl amount_shown_is_in_force { [] !opened_false }
ltl opens_with_a_display { [] !opened_alone }
ltl paid_as_signed { [] !paid_unsigned }
ltl paid_once { [] PAID_ONCE }
ltl safe { [] (!opened_unshown && !opened_false && !opened_alone && !paid_unsigned && PAID_ONCE) }
ltl verdict_leads_to_open { [] (phase == VERIFYING -> <> (phase == OPEN)) }

#ifdef SOMETIMES                    /* each of these must be found wrong */
ltl sometimes_both_paid { [] (seen != BOTH_PAID) }
ltl sometimes_rejected { [] (seen != REJECTED) }
ltl sometimes_killed { [] (seen != KILLED) }
ltl sometimes_expired { [] (seen != EXPIRED) }
ltl sometimes_old_signature { [] (seen != OLD_SIGNATURE) }
ltl sometimes_late_confirmation { [] (seen != LATE_CONFIRMATION) }
ltl sometimes_wrong_digits { [] (seen != WRONG_DIGITS) }
ltl sometimes_after_opening { [] (seen != AFTER_OPENING) }
ltl sometimes_lost { [] (seen != LOST) }
ltl sometimes_taken_out { [] (seen != TAKEN_OUT) }
ltl sometimes_replaced { [] (seen != REPLACED) }
ltl sometimes_new_gate { [] (seen != NEW_GATE) }
ltl sometimes_hit_while_showing { [] (seen != HIT_WHILE_SHOWING) }
ltl sometimes_opened_without_one { [] (seen != OPENED_WITHOUT_ONE) }
#endif

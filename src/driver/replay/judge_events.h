/* Part of the judge of replays: the events of one trace in the other. */
#ifndef OMEN_DRIVER_REPLAY_JUDGE_EVENTS_H
#define OMEN_DRIVER_REPLAY_JUDGE_EVENTS_H

#include "driver/replay/judge.h"

typedef struct omen_replay_judging {
  omen_judgement *judgement;
  const omen_trace *old, *new;
  const omen_claim *claim;
  const omen_spec_list *specs;
  const char *said;
} omen_replay_judging;

/* The thread with the same path of creation in the new trace, or OMEN_NONE. */
omen_tid omen_judge_thread (const omen_replay_judging *judging,
                            omen_tid thread);
/* The same event in the new trace; OMEN_NONE if it did not happen. */
omen_eid omen_judge_event (const omen_replay_judging *judging, omen_eid event);
/* The events of the claim in the new trace; false: one is missing, and the
   judgement says where the replay diverged. */
bool omen_judge_find (const omen_replay_judging *judging, omen_eid *found);
/* "w(x=1) at f.c:3" */
void omen_judge_describe (const omen_trace *trace, omen_eid event,
                          char text[160]);
/* The judgement: the new trace has another event instead (OMEN_NONE: none). */
void omen_judge_differ (const omen_replay_judging *judging, omen_eid old,
                        omen_eid seen);
/* The judgement: the first event of this one's thread, up to it, that the new
   run does not have. */
void omen_judge_diverged (const omen_replay_judging *judging, omen_eid event);

#endif

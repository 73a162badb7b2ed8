/* Detailed reports of findings for `omen check`: each event with stack, locks
   and source, the schedule, and the command that replays it.

     [1] race on balance, confirmed
         T1 w(balance=7) at bank.c:14, no locks held
           #0 withdraw bank.c:14
           #1 teller
           13 |   int b = balance;
           14 >   balance = b - 3;
         T2 …
         malloc@bank.c:3: heap block of 16 bytes, allocated by T0 at bank.c:3
           #0 open_account bank.c:3
         schedule: T0[0..3] T2[0..2], then T1:3, T2:3 are both next
         replay: omen replay out/witness/1 -- ./bank */
#ifndef OMEN_REPORT_STORY_H
#define OMEN_REPORT_STORY_H

#include "report/report.h"

typedef struct omen_story_style {
  bool colour;                           /* terminal codes */
  const char *witness_dir;               /* NULL: no replay line */
  const omen_source_paths *source_paths; /* NULL: none */
} omen_story_style;

void omen_report_story (omen_reporter *reporter, const omen_finding *finding,
                        unsigned number, const omen_story_style *style,
                        FILE *out);

#endif

/* Where a program that is monitored asks for what only omen outside of it
   knows: the file and line of an address, from debug information. A part of the
   tally, which both have mapped:

     the program: takes the desk, writes the question, says ASKED, waits
     omen:        writes the answer, says ANSWERED

   `open` is 0 when nobody answers; who had to wait too long says so, too. */
#ifndef OMEN_MONITOR_DESK_H
#define OMEN_MONITOR_DESK_H

#include "base/defs.h"

enum { OMEN_DESK_IDLE, OMEN_DESK_ASKED, OMEN_DESK_ANSWERED };
enum { OMEN_DESK_TEXT = 512 };

typedef struct omen_desk {
  uint32_t open, taken;
  uint32_t state; /* a futex */
  uint32_t unused;
  uint64_t pc, base;           /* a return address; where its module is */
  char path[OMEN_DESK_TEXT];   /* of the module */
  char answer[OMEN_DESK_TEXT]; /* "bank.c:14"; "": not known */
} omen_desk;

#endif

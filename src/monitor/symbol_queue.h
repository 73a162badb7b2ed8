/* How a monitored program asks the omen process for the file and line of an
   address, which takes debug information. A part of the tally, which both have
   mapped:

     the program: takes the queue, writes the question, says ASKED, waits
     omen:        writes the answer, says ANSWERED

   `open` is 0 when no process answers; a thread whose question is not answered
   in time clears it, too. */
#ifndef OMEN_MONITOR_SYMBOL_QUEUE_H
#define OMEN_MONITOR_SYMBOL_QUEUE_H

#include "base/defs.h"

enum { OMEN_QUEUE_IDLE, OMEN_QUEUE_ASKED, OMEN_QUEUE_ANSWERED };
enum { OMEN_QUEUE_TEXT = 512 };

typedef struct omen_symbol_queue {
  uint32_t open, taken;
  uint32_t state; /* a futex */
  uint32_t unused;
  uint64_t pc, base;            /* a return address; where its module is */
  char path[OMEN_QUEUE_TEXT];   /* of the module */
  char answer[OMEN_QUEUE_TEXT]; /* "bank.c:14"; "": not known */
} omen_symbol_queue;

#endif

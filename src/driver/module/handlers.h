/* Handlers of a property file, run over a trace instead of in a program.

     omen_handlers h;
     if (!omen_handlers_open (&h, &file, &code)) return code;
     omen_handlers_call (&h, &landing);
     omen_handlers_close (&h);

   What they print goes to stderr: stdout is for verdicts. Integers of the trace
   are what they are; other values (names, pointers) are numbers that are good
   for nothing but being compared and printed. A handler that crashes, as those
   will that follow pointers into the program, ends omen with a message. */
#ifndef OMEN_DRIVER_MODULE_HANDLERS_H
#define OMEN_DRIVER_MODULE_HANDLERS_H

#include "driver/module/offline.h"
#include "monitor/slicer.h"
#include "witness/observe.h"

typedef struct omen_handlers {
  omen_offline code;
  const omen_spec_file *file;
  int out; /* what was stdout */
} omen_handlers;

typedef struct omen_handler_landing {
  uint32_t property, formula, category;
  omen_eid event;
  const char *where;
  const omen_landing_report *report;
  const omen_observer *observer;
} omen_handler_landing;

/* False with the message printed and *code set. */
bool omen_handlers_open (omen_handlers *h, const omen_spec_file *file,
                         int *code);
void omen_handlers_close (omen_handlers *h);
/* Nothing if the category has no handler. */
void omen_handlers_call (omen_handlers *h, const omen_handler_landing *l);

#endif

/* Runs the handlers of a property file on a trace, instead of in the program.

     omen_handlers h;
     if (!omen_handlers_open (&h, &file, &code)) return code;
     omen_handlers_call (&h, &landing);
     omen_handlers_close (&h);

   Their output goes to stderr, since stdout is for verdicts. Integers of the
   trace are passed unchanged; other values (names, pointers) become numbers
   that can only be compared and printed. If a handler crashes, for example by
   following a pointer of the program, omen ends with a message. */
#ifndef OMEN_DRIVER_MODULE_HANDLERS_H
#define OMEN_DRIVER_MODULE_HANDLERS_H

#include "driver/module/offline.h"
#include "monitor/slicer.h"
#include "witness/observe.h"

typedef struct omen_handlers {
  omen_offline code;
  const omen_spec_file *file;
  int out; /* duplicate of stdout */
} omen_handlers;

typedef struct omen_handler_landing {
  uint32_t property, formula, category;
  omen_eid event;
  const char *where;
  const omen_landing_report *report;
  const omen_observer *observer;
} omen_handler_landing;

/* False: the message was printed and *code set. */
bool omen_handlers_open (omen_handlers *h, const omen_spec_file *file,
                         int *code);
void omen_handlers_close (omen_handlers *h);
/* Does nothing if the category has no handler. */
void omen_handlers_call (omen_handlers *h, const omen_handler_landing *l);

#endif

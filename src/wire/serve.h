/* The answer of a fork server (runtime/core/serve.h) after a run. */
#ifndef OMEN_WIRE_SERVE_H
#define OMEN_WIRE_SERVE_H

#include <stdint.h>

/* What the run depended on besides its input and the schedule. */
enum omen_served_depends {
  OMEN_SERVED_CLOCK = 1,     /* it read a clock, other than for a deadline */
  OMEN_SERVED_RANDOM = 2,    /* it requested random numbers */
  OMEN_SERVED_IDS = 4,       /* … for numbers of processes or threads */
  OMEN_SERVED_PROCESSES = 8, /* it made processes, or called exec */
  OMEN_SERVED_WHOLE = 16, /* complete: at its end, all threads had ended or were
                             waiting forever */
  OMEN_SERVED_ENDLESS = 32 /* it kept waiting for time to pass, and was ended */
};

typedef struct omen_served {
  int32_t status; /* as of waitpid */
  uint32_t depends;
} omen_served;

#endif

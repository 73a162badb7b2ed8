/* What a fork server (runtime/core/serve.h) answers when a run is over. */
#ifndef OMEN_WIRE_SERVE_H
#define OMEN_WIRE_SERVE_H

#include <stdint.h>

/* What the run depended on, beside its input and the schedule. */
enum omen_served_depends {
  OMEN_SERVED_CLOCK = 1,     /* it read a clock, and not for a deadline */
  OMEN_SERVED_RANDOM = 2,    /* it asked for random numbers */
  OMEN_SERVED_IDS = 4,       /* … for numbers of processes or threads */
  OMEN_SERVED_PROCESSES = 8, /* it made processes, or became another program */
  OMEN_SERVED_WHOLE = 16,    /* nothing of that: when it ended, all its threads
                                had, or waited for good */
  OMEN_SERVED_ENDLESS = 32   /* it waited for time again and again, and was
                                ended */
};

typedef struct omen_served {
  int32_t status; /* as of waitpid */
  uint32_t depends;
} omen_served;

#endif

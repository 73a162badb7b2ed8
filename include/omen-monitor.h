/* omen-monitor.h: a monitor of one's own, for a logic that omen does not have.
   A property names the file with it, instead of a formula:

     monitor: "budget.c"
     @broke { omen_message ("nothing left at %s", __LOC); }

   and the file has a table of that name:

     #include <omen-monitor.h>
     static void init (void *state) { *(int *)state = 0; }
     static void step (void *state, const omen_step *event) { … }
     static const char *verdict (const void *state) { … return "broke"; }
     static const omen_own_monitor omen_monitor
         = { sizeof (int), init, step, verdict };

   A state is plain bytes, with nothing behind pointers that would be its own:
   it is copied, compared and forgotten. What comes of a step may depend on
   nothing but the state and the event. The functions are called while the
   property is locked; they do nothing else. */
#ifndef OMEN_MONITOR_H
#define OMEN_MONITOR_H

#include <stddef.h>

typedef struct omen_step {
  const char *name; /* of the event */
  unsigned number;  /* in the order of declaration, from 0 */
  unsigned thread;  /* any number, the same for the same thread */
} omen_step;

typedef struct omen_own_monitor {
  size_t bytes;               /* of a state; they are 0 before init */
  void (*init) (void *state); /* NULL: all 0 is the first state */
  void (*step) (void *state, const omen_step *event);
  /* The category that the state is in; NULL: none. Asked for after each step.
   */
  const char *(*verdict) (const void *state);
} omen_own_monitor;

#endif

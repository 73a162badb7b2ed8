/* Monitors in the program: modules (include/omen-module.h) bring properties,
   join points, hooks and annotations bring events, slicers (monitor/slicer.h)
   make verdicts of them, and handlers are called.

     monitor.c          start and end; properties of modules
     event.c    an event: slicers under the property's latch, then its
                        handlers, without it
     sources.c  where events come from: join points and OMEN_EVENT
     threads.c  threads by their names
     hook.c     functions before library functions; hook.S
     dead.c     objects that die
     place.c    messages, and where an event is
     queue.c     asking omen for it
     memory.c   memory of slicers

   All of it happens in the thread of the event. While a thread is in here its
   other events (of handlers, conditions, signal handlers) do not count. */
#ifndef OMEN_RUNTIME_MONITOR_MONITOR_H
#define OMEN_RUNTIME_MONITOR_MONITOR_H

#include "monitor/slicer.h"
#include "monitor/tally.h"
#include "runtime/core/core.h"

#include <omen-module.h>
#include <sys/single_threaded.h>

enum { OMEN_WATCHED_MAX = 32 };

typedef struct omen_monitor_part {
  omen_slicer *slicer;
  omen_slicer_counts counted; /* already added to the tally */
} omen_monitor_part;

/* A property that is being monitored. */
typedef struct omen_monitored {
  struct omen_monitored *next;
  const omen_spec_module *module;
  const omen_module_property *from;
  omen_property property;
  omen_latch latch;              /* guards the slicers */
  uint32_t first_row, first_cut; /* in the tally */
  uint32_t uncounted;            /* events since the tally was updated */
  uint64_t quick;                /* set of events that may take the fast path */
  const omen_watched_variable *watched[OMEN_WATCHED_MAX]; /* NULL: not found */
  bool missing_reported;     /* a warning has named one of these */
  omen_monitor_part parts[]; /* by formula */
} omen_monitored;

extern bool omen_monitor_on;
extern omen_monitored *omen_monitors; /* in the order of the file */
extern omen_tally *omen_monitor_tally;
extern const omen_memory omen_monitor_memory;

/* -- monitor.c */
const char *omen_monitor_start (const char *path); /* NULL, or what is wrong */
void omen_monitor_end (void); /* reports the counts; may be called again */
/* The property of a module with that hash; NULL: none. */
omen_monitored *omen_monitor_find (uint64_t spec, uint32_t property);
/* The pointcut occurs in the program, in the way that `how` says. */
void omen_monitor_seen (uint64_t spec, uint32_t property, uint32_t event,
                        uint32_t cut, uint8_t how);
/* Adds the slicers' counts to the tally; the latch is held. */
void omen_monitor_add_counts (omen_monitored *m);

/* A latch that costs nothing while there is one thread: an atomic operation
   would make each event wait for outstanding loads of the program. (The holder
   creates no threads.) */
static inline void
omen_solo_take (omen_latch *latch)
{
  if (__libc_single_threaded)
    latch->state = 1;
  else
    omen_latch_take (latch);
}

static inline void
omen_solo_give (omen_latch *latch)
{
  if (__libc_single_threaded)
    latch->state = 0;
  else
    omen_latch_give (latch);
}

static inline void
omen_monitor_lock (omen_monitored *m)
{
  if (!(m->property.modifiers & OMEN_UNSYNCHRONIZED))
    omen_solo_take (&m->latch);
}

static inline void
omen_monitor_unlock (omen_monitored *m)
{
  if (!(m->property.modifiers & OMEN_UNSYNCHRONIZED))
    omen_solo_give (&m->latch);
}

/* -- event.c */
typedef struct omen_event_place {
  const omen_site *site; /* or NULL: */
  uint64_t pc;
} omen_event_place;
/* `slots` by slot of the event. `cut`: the one whose condition must hold, or
   OMEN_NONE. */
void omen_monitor_event (omen_monitored *m, uint32_t event, uint32_t cut,
                         const uint64_t *slots, const omen_event_place *place);
/* The fast path, for events in m->quick without a condition. False: nothing was
   done, call omen_monitor_event. */
bool omen_monitor_quick (omen_monitored *m, uint32_t event, uint64_t value);
/* Is this thread in a monitor already? Then what it does now is no event. */
bool omen_monitor_busy (void);
/* Around what takes latches. */
void omen_monitor_enter (void);
void omen_monitor_leave (void);
uint32_t omen_monitor_thread (void); /* a number for this one */

/* -- panic.c: where to go on after an internal error, with monitors off; true
   after such an error. */
extern OMEN_TLS void *omen_monitor_refuge[5];
extern OMEN_TLS bool omen_monitor_has_refuge;
#define OMEN_REFUGE()                                                          \
  (omen_monitor_has_refuge = true, __builtin_setjmp (omen_monitor_refuge) != 0)

/* -- sources.c */
void omen_monitor_named (const char *text, unsigned count,
                         const uint64_t *values, uint64_t pc);

/* -- threads.c */
void omen_monitor_name_thread (pthread_t thread, const char *name);
bool omen_monitor_is_thread (const char *wanted); /* the calling one */
/* Entry of a function that some thread("…") of a property names; `caller` is
   its return address. */
void omen_monitor_starts (const omen_join_point *point, uint64_t caller);
/* Does the join point satisfy the conditions after && in its pointcut? */
bool omen_monitor_fits (const omen_module_cut *cut, const uint64_t *slots);

static inline bool
omen_cut_asks (const omen_module_cut *cut)
{
  return cut->holds || cut->thread;
}

/* -- hook.c */
void omen_hooks_count (const omen_spec_module *module);

/* -- dead.c: called by heap.c before a block is freed and after it was
   allocated, and by OMEN_DEAD. */
void omen_monitor_freed (const volatile void *block, uint64_t pc);
void omen_monitor_made (const volatile void *block);
void omen_monitor_dead (const volatile void *object);

/* -- place.c */
enum { OMEN_PLACE_ROOM = 1024 };
void omen_place_text (const omen_event_place *place,
                      char text[OMEN_PLACE_ROOM]);

/* -- queue.c: file and line of the call that returns to pc; false: not
   known. */
bool omen_symbol_queue_ask (uint64_t pc, uint64_t base, const char *path,
                            char text[OMEN_QUEUE_TEXT]);

#endif

/* Any bytes as a recorder's file that grows: refused with a place and a reason,
   or events that make sense, whatever the notes say. Inputs are those of
   fuzz_recording, and are made right like them after they are changed. */
#include "fuzz.h"

#include "mend.h"
#include "predict/sidetrack.h"
#include "online/follow.h"

#include <sys/mman.h>
#include <unistd.h>

/* The first ones of the file: a lock is held by one thread. */
enum { LOCKS = 64 };
typedef struct seen {
  omen_sidetrack *sidetrack;
  omen_tid holder[LOCKS];
} seen;

static bool
every_block (void *context, unsigned kind, uint32_t name, bool entry)
{
  return true;
}

static void
take_report (void *context, const omen_sidetrack_report *report)
{
  OMEN_ASSERT (report->blames && report->first.thread == report->second.thread);
}

static void
take_event (void *context, const omen_event *e)
{
  seen *s = context;
  if (e->kind == OMEN_ACQUIRE && e->object < LOCKS) {
    OMEN_ASSERT (s->holder[e->object] == OMEN_NONE);
    s->holder[e->object] = e->thread;
  } else if (e->kind == OMEN_RELEASE && e->object < LOCKS) {
    OMEN_ASSERT (s->holder[e->object] != OMEN_NONE);
    s->holder[e->object] = OMEN_NONE;
  }
  omen_sidetrack_push (s->sidetrack, e, 0);
}

static void
forget_lock (void *context, omen_lid lock)
{
  seen *s = context;
  if (lock < LOCKS)
    s->holder[lock] = OMEN_NONE;
  omen_sidetrack_forget (s->sidetrack, lock);
}

static bool
read_all (omen_follow *follow, bool over)
{
  omen_err err = { 0 };
  bool more = true, good = true;
  while (good && more)
    good = omen_follow_read (follow, over, &more, &err);
  OMEN_ASSERT (good || (err.set && err.where[0] && err.what[0]));
  return good;
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  omen_sidetrack_options options
      = { .atomic = every_block, .found = take_report, .horizon = 100 };
  seen s = { .sidetrack = omen_sidetrack_new (&options) };
  omen_follow_sink sink = { take_event, forget_lock, &s };
  int fd = memfd_create ("fuzz", 0);
  omen_err err = { 0 };
  omen_follow *follow;
  OMEN_REQUIRE (fd >= 0);
  for (int i = 0; i < LOCKS; i++)
    s.holder[i] = OMEN_NONE;
  follow = omen_follow_new (dup (fd), "fuzz", &sink, &err);
  omen_follow_limit (follow, 100);
  for (int i = 0; i < 2; i++) { /* in two parts */
    const uint8_t *at = i ? data + size / 2 : data;
    size_t count = i ? size - size / 2 : size / 2;
    OMEN_REQUIRE (write (fd, at, count) == (ssize_t)count);
    if (!read_all (follow, i))
      break;
    if (i)
      omen_follow_finish (follow);
  }
  omen_follow_close (follow);
  omen_sidetrack_free (s.sidetrack);
  close (fd);
  return 0;
}

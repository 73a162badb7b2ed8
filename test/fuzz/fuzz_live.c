/* Any bytes as a recorder's file that is rebuilt while it grows: refused with a
   reason, or a trace that makes sense, whatever the notes say. Inputs are those
   of fuzz_recording, and are made right like them after they are changed. */
#include "fuzz.h"

#include "mend.h"
#include "online/live.h"
#include "trace/wellformed.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

static const omen_live_options keep_all
    = { .filter.most = UINT32_MAX, .without_names = true };

/* False: nothing more will come of it. */
static bool
read_all (const char *path, omen_live **live)
{
  omen_err err = { 0 };
  bool more = true;
  while (more) {
    omen_live *before = *live;
    omen_live_state state = omen_live_read (before, 20, &more);
    if (state == OMEN_LIVE_FAILED) {
      OMEN_ASSERT (*omen_live_err (before));
      return false;
    }
    if (state != OMEN_LIVE_AGAIN)
      continue;
    if (omen_live_count (before).opened > 3)
      return false;
    *live = omen_live_open (path, &keep_all, before, &err);
    omen_live_close (before);
    more = true;
  }
  return true;
}

static void
look (omen_live *live)
{
  omen_err err = { 0 };
  omen_trace *trace = omen_live_trace (live, &err);
  OMEN_ASSERT (trace ? !err.set : err.set && err.where[0] && err.what[0]);
  if (trace && !omen_wellformed (trace, NULL, &err)) {
    fprintf (stderr, "%s\n", err.what);
    OMEN_ASSERT (!"a trace of a file that grows makes sense");
  }
  omen_trace_free (trace);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  int fd = memfd_create ("fuzz", 0);
  char path[64];
  omen_err err = { 0 };
  omen_live *live;
  bool good = true;
  OMEN_REQUIRE (fd >= 0);
  snprintf (path, sizeof path, "/proc/self/fd/%d", fd);
  live = omen_live_open (path, &keep_all, NULL, &err);
  OMEN_REQUIRE (live);
  omen_live_set_lag (live, 30);
  for (size_t i = 0; good && i < 3; i++) { /* in three parts */
    size_t from = size * i / 3, end = size * (i + 1) / 3;
    OMEN_REQUIRE (write (fd, data + from, end - from) == (ssize_t)(end - from));
    good = read_all (path, &live);
  }
  if (good)
    look (live);
  omen_live_close (live);
  close (fd);
  return 0;
}

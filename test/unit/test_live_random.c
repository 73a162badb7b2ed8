/* Random programs (random_program.h) whose recordings are rebuilt while they
   grow (online/live.h): what is there at any moment is a trace that a run can
   leave, and each thread's part is the beginning of what the thread did; and
   nothing is told twice.

   Usage: test_live_random [cases [first seed]] */
#include "random_program.h"

#include "online/live.h"

#include <sys/mman.h>
#include <unistd.h>

enum { LAG = 60 };
static const omen_live_options keep_all
    = { .filter.most = UINT32_MAX, .rebuild.all = true, .without_names = true };

typedef struct growing {
  int fd;
  char path[64];
  omen_live *live;
} growing;

static void
grow_init (growing *g)
{
  omen_err err = { 0 };
  g->fd = memfd_create ("growing", 0);
  OMEN_REQUIRE (g->fd >= 0);
  snprintf (g->path, sizeof g->path, "/proc/self/fd/%d", g->fd);
  g->live = omen_live_open (g->path, &keep_all, NULL, &err);
  OMEN_REQUIRE (g->live);
  omen_live_set_lag (g->live, LAG);
}

static void
grow_fini (growing *g)
{
  omen_live_close (g->live);
  close (g->fd);
}

static bool
read_all (omen_live *live)
{
  bool more = true;
  while (more) {
    omen_live_state state = omen_live_read (live, 50, &more);
    if (state == OMEN_LIVE_GOOD || state == OMEN_LIVE_OVER)
      continue;
    printf ("# cannot be read: %s\n", omen_live_err (live));
    return false;
  }
  return true;
}

/* What another one makes of what is there, read at once. */
static bool
look (world *w, const growing *g)
{
  omen_err err = { 0 };
  omen_live *live = omen_live_open (g->path, &keep_all, NULL, &err);
  omen_trace *trace;
  bool good = read_all (live);
  trace = good ? omen_live_trace (live, &err) : NULL;
  good = good && world_judge (w, trace, &err, true);
  omen_trace_free (trace);
  omen_live_close (live);
  return good;
}

/* The beginning of the file: all tables. */
static file_bytes
tables (world *w)
{
  uint32_t threads = w->file.threads;
  file_bytes bytes;
  w->file.threads = 0;
  w->file.no_end = true;
  bytes = recording_file (&w->file);
  w->file.threads = threads;
  return bytes;
}

static void
put_flush (world *w, const flush *f, size_t *written, file_bytes *bytes)
{
  omen_file_mark mark = { OMEN_NONE, 0, w->threads };
  if (f->thread == OMEN_NONE)
    file_put_chunk (bytes,
                    (omen_chunk_header){ .kind = OMEN_CHUNK_MARKS,
                                         .flags = OMEN_CHUNK_OPTIONAL,
                                         .stream = OMEN_NONE,
                                         .count = 1 },
                    &mark, sizeof mark);
  else if (f->notes > written[f->thread]) {
    static omen_encoder encoder;
    omen_encoder_init (&encoder, !w->file.old_ranges, 0);
    recording_put_part (&w->file, bytes, f->thread, &encoder,
                        written[f->thread], f->notes);
    written[f->thread] = f->notes;
  }
}

/* In pieces that end anywhere. */
static bool
write_pieces (world *w, growing *g, const file_bytes *bytes)
{
  bool good = true;
  for (size_t i = 0, size; good && i < bytes->count; i += size) {
    size = 1 + below (w, 600);
    size = size < bytes->count - i ? size : bytes->count - i;
    good = write (g->fd, bytes->data + i, size) == (ssize_t)size
           && read_all (g->live);
  }
  return good;
}

static bool
grow (world *w, growing *g)
{
  size_t written[THREADS] = { 0 };
  file_bytes bytes = tables (w);
  bool good = write_pieces (w, g, &bytes);
  for (size_t i = 0; good && i < w->flushes.count; i++) {
    OMEN_VEC_CLEAR (bytes);
    put_flush (w, &w->flushes.data[i], written, &bytes);
    good = write_pieces (w, g, &bytes)
           && (i < THREADS || below (w, 30) || look (w, g));
  }
  OMEN_VEC_FINI (bytes);
  return good;
}

/* Everything was read, and told, once. */
static bool
count (const omen_live *live, const world *w)
{
  omen_live_counts counts = omen_live_count (live);
  uint64_t notes = 0;
  for (uint32_t t = 0; t < w->file.threads; t++)
    notes += w->file.notes[t].count;
  if (counts.notes == notes && counts.emitted <= notes && counts.opened == 1)
    return true;
  printf ("# %lu notes, %lu read, %lu told, opened %lu times\n",
          (unsigned long)notes, (unsigned long)counts.notes,
          (unsigned long)counts.emitted, (unsigned long)counts.opened);
  return false;
}

static uint64_t told, all, ended;

static bool
try (world *w)
{
  growing g;
  omen_err err = { 0 };
  omen_trace *trace = NULL;
  bool good;
  grow_init (&g);
  good = grow (w, &g);
  told += omen_live_count (g.live).emitted;
  all += omen_live_count (g.live).notes;
  if (good) {
    trace = omen_live_trace (g.live, &err);
    good = world_judge (w, trace, &err, false) && count (g.live, w);
    ended += good && trace->rebuilt.ended;
  }
  omen_trace_free (trace);
  grow_fini (&g);
  return good;
}

#ifdef __SANITIZE_ADDRESS__
#define CASES 30
#else
#define CASES 1500
#endif

int
main (int argc, char **argv)
{
  unsigned cases = argc > 1 ? (unsigned)atoi (argv[1]) : CASES, failed = 0;
  uint64_t first = argc > 2 ? strtoull (argv[2], NULL, 0) : 1;
  world *w = malloc (sizeof *w);
  bool much;
  for (uint64_t seed = first; seed < first + cases; seed++) {
    world_start (w, seed);
    world_run (w);
    if (!try (w)) {
      failed++;
      printf ("# seed %llu\n", (unsigned long long)seed);
    }
    world_fini (w);
  }
  free (w);
  much = told * 5 > all;
  printf (
      "# %llu of %llu notes told before the end, %llu reads were late, %llu "
      "traces not explained\n",
      (unsigned long long)told, (unsigned long long)all,
      (unsigned long long)late, (unsigned long long)excused);
  printf ("%s 1 - %u random programs are rebuilt as they grow\n",
          failed ? "not ok" : "ok", cases);
  printf ("%s 2 - no thread ends early\n", ended ? "not ok" : "ok");
  printf ("%s 3 - much of it was told before the end\n",
          much ? "ok" : "not ok");
  printf ("%s 4 - nothing leaks\n", omen_mem_live () ? "not ok" : "ok");
  return failed || !much || ended || omen_mem_live ();
}

/* Random programs (random_program.h), whose notes are all that the loader gets:
   the trace must be one that a run can leave, and each thread's part must be
   what the thread did.

   The same files are followed while they grow: of what each thread did to locks
   nothing may be missing, and no lock may be held twice.

   They race without end, so that many reads are explained by nothing: still
   each thread's part is all that it did. With a second file a trace that has
   such reads is written to it, and to standard output what was done in the
   order of time (test/suites/unexplained).

   Usage: test_rebuild_random [cases [first seed [file to write one to [and a
          trace]]]] */
#include "following.h"
#include "random_program.h"

/* ---- following ---- */

/* The next line of a thread that is about locks, as the follower tells it;
   false at the end. */
static bool
next_lock_line (const char **text, char *kind, unsigned *lock)
{
  static const struct {
    const char *text;
    char kind;
  } kinds[] = { { "acq(l%u)", 'a' },
                { "rel(l%u)", 'r' },
                { "wait(c,l%u)", 'r' },
                { "wake(c,l%u", 'a' } };
  while (**text) {
    const char *line = *text;
    *text += strcspn (line, "\n") + 1;
    for (size_t i = 0; i < OMEN_COUNT (kinds); i++)
      if (sscanf (line, kinds[i].text, lock) == 1) {
        *kind = kinds[i].kind;
        return true;
      }
  }
  return false;
}

/* Which lock an id of the follower is: it is told of when first used. */
static bool
same_lock (int locks[LOCKS], unsigned id, unsigned lock)
{
  if (id >= LOCKS)
    return false;
  if (locks[id] < 0)
    locks[id] = (int)lock;
  return locks[id] == (int)lock;
}

static bool
follow_line (world *w, const char *line, const char **at, int *locks,
             int *holder)
{
  unsigned t, id, lock = 0;
  char word[16], kind = 0;
  if (sscanf (line, "T%u %15s %u", &t, word, &id) != 3)
    return false;
  if (!strcmp (word, "fork"))
    return true;
  if (t >= w->threads || !next_lock_line (&at[t], &kind, &lock)
      || kind != word[0] || !same_lock (locks, id, lock))
    return false;
  if (holder[lock] != (kind == 'a' ? -1 : (int)t))
    return false;
  holder[lock] = kind == 'a' ? (int)t : -1;
  return true;
}

/* Chunks come as the threads' buffers are full: not in the order of time. */
static bool
follow (world *w)
{
  const char *at[THREADS];
  int locks[LOCKS], holder[LOCKS];
  file_bytes bytes = recording_file (&w->file);
  following *f = malloc (sizeof *f);
  bool good = true;
  char kind;
  unsigned lock;
  OMEN_REQUIRE (f);
  following_init (f);
  for (size_t i = 0, size; good && i < bytes.count; i += size) {
    size = 1 + below (w, 400);
    size = size < bytes.count - i ? size : bytes.count - i;
    good = following_write (f, bytes.data + i, size);
  }
  good = good && following_end (f);
  for (unsigned i = 0; i < LOCKS; i++)
    locks[i] = holder[i] = -1;
  for (unsigned t = 0; t < w->threads; t++)
    at[t] = w->tasks[t].text;
  for (const char *line = f->text; good && *line;
       line += strcspn (line, "\n") + 1)
    good = follow_line (w, line, at, locks, holder);
  for (unsigned t = 0; good && t < w->threads; t++)
    good = !next_lock_line (&at[t], &kind, &lock);
  following_fini (f);
  free (f);
  OMEN_VEC_FINI (bytes);
  return good;
}

static void
show (const world *w, const omen_trace *trace)
{
  omen_err err = { 0 };
  if (trace)
    omen_text_write (trace, stdout, &err);
  for (unsigned t = 0; t < w->threads; t++)
    printf ("# T%u\n%s", t, w->tasks[t].text);
}

/* The trace, and what was done in the order of time. */
static void
tell (world *w, const omen_trace *trace, const char *file)
{
  omen_err err = { 0 };
  FILE *out = fopen (file, "w");
  OMEN_REQUIRE (out && omen_text_write (trace, out, &err));
  fclose (out);
  world_tell (w, stdout);
}

#ifdef __SANITIZE_ADDRESS__
#define CASES 800 /* each takes long */
#else
#define CASES 3000
#endif

int
main (int argc, char **argv)
{
  unsigned cases = argc > 1 ? (unsigned)atoi (argv[1]) : CASES, failed = 0;
  unsigned lost = 0, invented = 0, ended = 0;
  uint64_t first = argc > 2 ? strtoull (argv[2], NULL, 0) : 1;
  world *w = malloc (sizeof *w);
  bool some;
  for (uint64_t seed = first; seed < first + cases; seed++) {
    omen_err err = { 0 };
    omen_trace *trace;
    world_start (w, seed);
    world_run (w);
    if (argc > 3)
      world_save (w, argv[3]);
    trace = recording_load (&w->file, &err);
    if (!world_judge (w, trace, &err, false)) {
      failed++;
      printf ("# seed %llu\n", (unsigned long long)seed);
    }
    /* after a cut memory is a guess, and nothing rests on it */
    if (trace && trace->rebuilt.outside && !trace->rebuilt.unexplained) {
      invented++;
      printf ("# seed %llu: nobody outside was there\n",
              (unsigned long long)seed);
    }
    if (!follow (w)) {
      lost++;
      printf ("# seed %llu: not followed\n", (unsigned long long)seed);
    }
    if (trace && trace->rebuilt.ended) {
      ended++;
      printf ("# seed %llu: a thread ends early\n", (unsigned long long)seed);
    }
    if (argc > 4 && trace && trace->rebuilt.unexplained)
      tell (w, trace, argv[4]);
    if (cases == 1 && argc <= 4)
      show (w, trace);
    omen_trace_free (trace);
    world_fini (w);
  }
  free (w);
  some = cases < 100 || (excused > cases / 3 && excused < 2 * cases / 3);
  printf ("# %llu reads were late, %llu programs not explained\n",
          (unsigned long long)late, (unsigned long long)excused);
  printf ("%s 1 - %u random programs are rebuilt\n", failed ? "not ok" : "ok",
          cases);
  printf ("%s 2 - a third is explained, and a third is not\n",
          some ? "ok" : "not ok");
  printf ("%s 3 - all are followed while they are written\n",
          lost ? "not ok" : "ok");
  printf ("%s 4 - no write is invented\n", invented ? "not ok" : "ok");
  printf ("%s 5 - no thread ends early\n", ended ? "not ok" : "ok");
  printf ("%s 6 - nothing leaks\n", omen_mem_live () ? "not ok" : "ok");
  return failed || lost || invented || ended || !some || omen_mem_live ();
}

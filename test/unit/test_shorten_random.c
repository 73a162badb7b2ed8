/* Random programs whose recordings are too long, and what is made of a part
   (test/suites/shortened). They race without end (random_program.h); besides,
   each thread makes others at any time, hands them words that only fork and
   join order, which are settled, and uses a block of its own, which is not
   extracted.

   Usage: test_shorten_random SEED FILE

   Writes to standard output what was done in the order of time; to FILE.0,
   FILE.1, … traces of parts. In all of them the location of an event is its
   thread and its number there.

   Without a file: parts of 300 programs are well-formed traces of what the
   threads did. */
#include "random_program.h"

#include "base/limits.h"
#include "base/map.h"

enum { PARTS = 6, OWN_WORDS = 4 };
#define HANDED(t) (UINT64_C (0x10800) + 8 * (t))
#define OWN(t) (UINT64_C (0x50000) + 0x1000 * (t))

typedef struct family {
  world *world;
  uint64_t handed[THREADS], own[THREADS][OWN_WORDS];
  bool forked[THREADS], joined[THREADS];
  unsigned at[THREADS]; /* where it was when it did so last */
} family;

/* ---- what they do besides ---- */

static void
use_handed (family *f, unsigned t, unsigned word, bool writes)
{
  world *w = f->world;
  if (writes)
    f->handed[word] = 1 + below (w, 200);
  recording_note (&w->file, t, HANDED (word), f->handed[word],
                  writes ? w->store[8] : w->load[8]);
  say (&w->tasks[t], "%c(y%u+0:8=%llu)", writes ? 'w' : 'r', word,
       (unsigned long long)f->handed[word]);
}

/* What one thread alone uses is not said. */
static void
use_own (family *f, unsigned t)
{
  world *w = f->world;
  unsigned word = below (w, OWN_WORDS);
  bool writes = below (w, 2);
  if (writes)
    f->own[t][word] = below (w, 200);
  recording_note (&w->file, t, OWN (t) + 8 * word, f->own[t][word],
                  writes ? w->store[8] : w->load[8]);
}

static void
begin (family *f, unsigned t)
{
  world *w = f->world;
  uint64_t size = 8 * OWN_WORDS | (uint64_t)OMEN_ALLOC_ZERO << 56;
  f->forked[t] = true;
  recording_item (&w->file, t, OMEN_ITEM_THREAD_BEGIN, t, 0, 0, 0);
  if (w->times)
    recording_item (&w->file, t, OMEN_ITEM_TIME, w->clock, 0, 0, 0);
  item (w, t, OMEN_ITEM_ALLOC, OWN (t), size);
}

static void
fork_next (family *f, unsigned t)
{
  world *w = f->world;
  unsigned child = 1;
  while (child < w->threads && f->forked[child])
    child++;
  if (child == w->threads)
    return;
  use_handed (f, t, child, true);
  recording_item (&w->file, t, OMEN_ITEM_FORK, child, 0, 0, 0);
  say (&w->tasks[t], "fork(T%u)", child);
  begin (f, child);
  use_handed (f, child, child, false);
}

/* False: somebody still runs. */
static bool
join_all (family *f)
{
  world *w = f->world;
  for (unsigned t = 1; t < w->threads; t++) {
    if (!f->forked[t])
      fork_next (f, 0);
    if (!w->tasks[t].over)
      return false;
    if (f->joined[t])
      continue;
    f->joined[t] = true;
    recording_item (&w->file, 0, OMEN_ITEM_JOIN, t, 0, 0, 0);
    say (&w->tasks[0], "join(T%u)", t);
    use_handed (f, 0, t, false);
  }
  return true;
}

static void
step (family *f, unsigned t)
{
  world *w = f->world;
  worker *task = &w->tasks[t];
  bool free = !task->waiting && !task->pending && !task->taken;
  bool moved = free && f->at[t] != task->at;
  f->at[t] = task->at;
  if (moved && !below (w, 12))
    fork_next (f, t);
  if (moved && t && !below (w, 8))
    use_handed (f, t, t, below (w, 2));
  if (moved && below (w, 2))
    use_own (f, t);
  if (t || task->at < task->length || !free || join_all (f))
    do_step (w, t);
}

static void
family_run (family *f, world *w)
{
  unsigned left = w->threads, idle = 0;
  *f = (family){ .world = w };
  for (unsigned t = 0; t < w->threads; t++) {
    static const char *const names[] = { "y0", "y1", "y2", "y3" };
    w->tasks[t].world = w;
    make_program (w, &w->tasks[t]);
    recording_object (&w->file, HANDED (t), 8, names[t]);
  }
  begin (f, 0);
  while (left && idle < 2000) {
    unsigned t = below (w, w->threads), burst = 1 + below (w, 6);
    size_t before = w->tasks[t].used;
    if (!f->forked[t] || w->tasks[t].over)
      continue;
    while (burst-- && !w->tasks[t].over)
      step (f, t);
    left -= w->tasks[t].over;
    idle = w->tasks[t].used == before ? idle + 1 : 0;
  }
}

/* ---- parts ---- */

static omen_trace *
load (world *w, const omen_load_options *options, omen_err *err)
{
  file_bytes file = recording_file (&w->file);
  omen_trace *trace
      = omen_load_memory ("made.omen", file.data, file.count, options, err);
  OMEN_VEC_FINI (file);
  return trace;
}

/* NULL: failed, or the trace does not say that it is a part. */
static omen_trace *
load_part (world *w, omen_err *err)
{
  omen_limits limits = omen_limits_in (3600, NULL, 0);
  omen_trace *trace;
  omen_load_options options = { .without_names = true };
  options.rebuild.limits = &limits;
  options.rebuild.parts[below (w, OMEN_PARTS)] = (1 + below (w, 99)) / 100.0;
  if (below (w, 2))
    options.rebuild.parts[OMEN_PART_EXTRACTED] = (1 + below (w, 99)) / 100.0;
  trace = load (w, &options, err);
  if (!trace || !limits.hit || trace->flags & OMEN_TRACE_PARTIAL)
    return trace;
  omen_trace_free (trace);
  omen_err_set (err, "made.omen", "it does not say that it is a part");
  return NULL;
}

/* ---- names for events ---- */

/* Of each item that is said its number among these of its thread. */
typedef struct places {
  omen_map of; /* (thread, item) -> number */
} places;

static bool
is_said (const char *line)
{
  return !strstr (line, "malloc") && strncmp (line, "ext(", 4)
         && !strstr (line, "(outside)") && !strstr (line, "(unexplained)")
         && strcmp (line, "ended()");
}

static uint64_t
item_key (const omen_trace *trace, omen_eid e)
{
  const char *name = omen_names_text (&trace->names[OMEN_OPERAND_THREAD],
                                      trace->events.data[e].thread);
  return OMEN_PAIR (strtoul (name + 1, NULL, 10), trace->items.data[e]);
}

static void
places_init (places *p, const omen_trace *whole)
{
  unsigned counts[THREADS] = { 0 };
  char line[256];
  omen_map_init (&p->of);
  for (omen_eid e = 0; e < whole->events.count; e++) {
    uint64_t key = item_key (whole, e);
    omen_text_operation (whole, e, line, sizeof line);
    if (is_said (line))
      *omen_map_at (&p->of, key) = ++counts[key >> 32];
  }
}

static void
write_events (const places *p, const omen_trace *trace, FILE *out)
{
  char line[256];
  for (omen_eid e = 0; e < trace->events.count; e++) {
    uint64_t key = item_key (trace, e);
    uint32_t number = omen_map_get (&p->of, key);
    omen_text_operation (trace, e, line, sizeof line);
    fprintf (out, "T%u|%s|", (unsigned)(key >> 32), line);
    if (is_said (line) && number != OMEN_NONE)
      fprintf (out, "T%u.c:%u", (unsigned)(key >> 32), number);
    fputs ("\n", out);
  }
}

/* Lines of initial values. */
static void
write_inits (const omen_trace *trace, FILE *out)
{
  char *text = NULL, *end;
  size_t size;
  omen_err err = { 0 };
  FILE *memory = open_memstream (&text, &size);
  OMEN_REQUIRE (memory && omen_text_write (trace, memory, &err));
  fclose (memory);
  for (char *line = text; *line; line = end + 1) {
    end = line + strcspn (line, "\n");
    if (!strncmp (line, "*|init(", 7))
      fprintf (out, "%.*s\n", (int)(end - line), line);
  }
  free (text);
}

static void
write_true (world *w)
{
  const char *at[THREADS];
  unsigned counts[THREADS] = { 0 };
  for (unsigned t = 0; t < w->threads; t++)
    at[t] = w->tasks[t].text;
  for (size_t i = 0; i < w->said.count; i++) {
    unsigned t = w->said.data[i];
    size_t length = strcspn (at[t], "\n");
    printf ("T%u|%.*s|T%u.c:%u\n", t, (int)length, at[t], t, ++counts[t]);
    at[t] += length + 1;
  }
}

/* ---- all ---- */

static bool
write_part (world *w, const places *p, const char *file, unsigned part)
{
  omen_err err = { 0 };
  char name[512];
  FILE *out;
  omen_trace *trace = load_part (w, &err);
  bool good = trace && omen_wellformed (trace, NULL, &err);
  /* what was written by notes that are left out; after a cut memory is a
     guess */
  bool invented = good && trace->rebuilt.outside && !trace->rebuilt.unexplained;
  if (!good || invented)
    printf ("# part %u: %s\n", part,
            invented ? "nobody outside was there" : err.what);
  if (good && file) {
    snprintf (name, sizeof name, "%s.%u", file, part);
    out = fopen (name, "w");
    OMEN_REQUIRE (out);
    write_inits (trace, out);
    if (trace->flags & OMEN_TRACE_PARTIAL)
      fputs ("*|helped()|\n", out); /* hangs are not judged either */
    write_events (p, trace, out);
    fclose (out);
  }
  omen_trace_free (trace);
  return good && !invented;
}

static bool
do_program (world *w, uint64_t seed, const char *file)
{
  family f;
  omen_err err = { 0 };
  omen_load_options options
      = { .rebuild = { .all = true, .whole = true }, .without_names = true };
  omen_trace *whole;
  places p;
  bool good = true;
  world_start (w, seed);
  recording_zeros (&w->file, UINT64_C (0x50000), 0x4000);
  family_run (&f, w);
  whole = load (w, &options, &err);
  OMEN_REQUIRE (whole);
  places_init (&p, whole);
  if (file) {
    write_inits (whole, stdout);
    write_true (w);
  }
  for (unsigned part = 0; part < PARTS; part++)
    good &= write_part (w, &p, file, part);
  omen_map_fini (&p.of);
  omen_trace_free (whole);
  world_fini (w);
  return good;
}

int
main (int argc, char **argv)
{
  world *w = malloc (sizeof *w);
  uint64_t seed = argc > 1 ? strtoull (argv[1], NULL, 0) : 1;
  unsigned wrong = 0;
  OMEN_REQUIRE (w);
  if (argc > 2)
    wrong = !do_program (w, seed, argv[2]);
  for (uint64_t i = 0; argc <= 2 && i < 300; i++)
    if (!do_program (w, seed + i, NULL)) {
      wrong++;
      printf ("# seed %llu\n", (unsigned long long)(seed + i));
    }
  free (w);
  if (argc <= 2) {
    printf ("%s 1 - parts of recordings are traces\n", wrong ? "not ok" : "ok");
    printf ("%s 2 - nothing leaks\n", omen_mem_live () ? "not ok" : "ok");
    printf ("1..2\n");
  }
  return wrong || omen_mem_live ();
}

/* Random programs (random_program.h) whose threads race, recorded in a ring
   that has lost everything before a moment: what is told must be a run that
   begins with what memory held then, though the loader does not know it, and
   each thread's accesses must be those that it made.

   Usage: test_late_random [cases [first seed [file to write one to]]] */
#include "random_program.h"

typedef struct access {
  char kind; /* r, w; a: both, of an atomic; e: somebody outside wrote */
  bool atomic;
  unsigned object, size;
  unsigned long long old, new;
} access;

/* Is the line an access? */
static bool
read_access (const char *line, access *a)
{
  *a = (access){ .size = 8 };
  if (sscanf (line, "r(x%u+0:%u=%llu)", &a->object, &a->size, &a->old) == 3)
    a->kind = 'r';
  else if (sscanf (line, "w(x%u+0:%u=%llu)", &a->object, &a->size, &a->new)
           == 3)
    a->kind = 'w';
  else if (sscanf (line, "ext(x%u+0:%u)", &a->object, &a->size) == 2)
    a->kind = 'e';
  else {
    a->atomic = true;
    if (sscanf (line, "ar(a%u+0:8=%llu)", &a->object, &a->old) == 2)
      a->kind = 'r';
    else if (sscanf (line, "aw(a%u+0:8=%llu)", &a->object, &a->new) == 2)
      a->kind = 'w';
    else if (sscanf (line, "rmw(a%u+0:8=%llu:%llu)", &a->object, &a->old,
                     &a->new)
             == 3)
      a->kind = 'a';
  }
  return a->kind;
}

/* ---- what each thread did ---- */

/* The next access in what a thread said; false at the end. */
static bool
next_access (const char **text, access *a)
{
  while (**text) {
    const char *line = *text;
    size_t length = strcspn (line, "\n");
    *text += length + (line[length] == '\n');
    if (read_access (line, a))
      return true;
  }
  return false;
}

/* ---- in the order of the trace ---- */

static bool
do_access (moment *m, const access *a)
{
  uint64_t value = 0;
  uint8_t *at = a->atomic ? (uint8_t *)&m->atomics[a->object]
                          : m->memory + 8 * a->object;
  memcpy (&value, at, a->size);
  if ((a->kind == 'r' || a->kind == 'a') && value != a->old) {
    printf ("# %c%u reads %llu, but %llu is there\n", a->atomic ? 'a' : 'x',
            a->object, a->old, (unsigned long long)value);
    return false;
  }
  if (a->kind == 'w' || a->kind == 'a')
    memcpy (at, &a->new, a->size);
  return true;
}

static bool
same (const access *a, const access *b)
{
  return a->kind == b->kind && a->atomic == b->atomic && a->object == b->object
         && a->size == b->size && a->old == b->old && a->new == b->new;
}

static uint64_t told, all;

static bool
judge (world *w, const omen_trace *trace)
{
  const char *at[THREADS];
  moment m = w->moment;
  access a, expected;
  char line[256];
  for (unsigned t = 0; t < w->threads; t++)
    at[t] = w->tasks[t].text + w->moment.used[t];
  for (omen_eid e = 0; e < trace->events.count; e++) {
    const char *name = omen_names_text (&trace->names[OMEN_OPERAND_THREAD],
                                        trace->events.data[e].thread);
    unsigned t = (unsigned)atoi (name + 1);
    omen_text_operation (trace, e, line, sizeof line);
    if (!read_access (line, &a))
      continue;
    if (a.kind == 'e') {
      printf ("# %s %s: nobody outside was there\n", name, line);
      return false;
    }
    if (t >= w->threads || !next_access (&at[t], &expected)
        || !same (&a, &expected)) {
      printf ("# %s:%s is not what it did\n", name, line);
      return false;
    }
    told++;
    if (!do_access (&m, &a))
      return false;
  }
  for (unsigned t = 0; t < w->threads; t++)
    for (at[t] = w->tasks[t].text + w->moment.used[t];
         next_access (&at[t], &expected);)
      all++;
  return true;
}

/* ---- all ---- */

/* Chunks from before the moment. */
static void
lose (world *w)
{
  recording *r = &w->file;
  r->flags = OMEN_RECORDING_RING;
  for (unsigned t = 0; t < w->threads; t++)
    r->lost[t] = w->moment.notes[t] / r->chunk * r->chunk;
}

static void
show (const world *w, const omen_trace *trace, omen_err *err)
{
  printf ("# %s\n", err->set ? err->what : "is wrong:");
  if (trace)
    omen_text_write (trace, stdout, err);
  for (unsigned t = 0; t < w->threads; t++)
    printf ("# T%u\n%s", t, w->tasks[t].text + w->moment.used[t]);
}

static bool
judge_case (world *w)
{
  omen_err err = { 0 };
  omen_trace *trace = recording_load (&w->file, &err);
  bool good = trace && omen_wellformed (trace, NULL, &err)
              && (trace->rebuilt.before || !trace->events.count)
              && judge (w, trace);
  if (!good)
    show (w, trace, &err);
  omen_trace_free (trace);
  return good;
}

#ifdef __SANITIZE_ADDRESS__
#define CASES 400 /* each takes long */
#else
#define CASES 3000
#endif

int
main (int argc, char **argv)
{
  unsigned cases = argc > 1 ? (unsigned)atoi (argv[1]) : CASES;
  unsigned failed = 0, made = 0;
  uint64_t first = argc > 2 ? strtoull (argv[2], NULL, 0) : 1;
  world *w = malloc (sizeof *w);
  OMEN_REQUIRE (w);
  for (uint64_t seed = first; seed < first + cases; seed++) {
    world_start (w, seed);
    w->file.chunk = 1 + below (w, 4);
    w->moment.wanted = 8 + below (w, 60);
    world_run (w);
    lose (w);
    if (argc > 3)
      world_save (w, argv[3]);
    if (w->moment.made && w->file.lost[0]) {
      made++;
      if (!judge_case (w)) {
        failed++;
        printf ("# seed %llu\n", (unsigned long long)seed);
      }
    }
    world_fini (w);
  }
  free (w);
  printf ("# %llu of %llu accesses told\n", (unsigned long long)told,
          (unsigned long long)all);
  printf ("%s 1 - %u random programs begin at a moment\n",
          failed || made < cases / 2 ? "not ok" : "ok", made);
  printf ("%s 2 - most accesses are told\n",
          told * 100 < all * 60 ? "not ok" : "ok");
  printf ("%s 3 - nothing leaks\n", omen_mem_live () ? "not ok" : "ok");
  return failed || made < cases / 2 || told * 100 < all * 60
         || omen_mem_live ();
}

/* What stands around the statements of the C export: helpers, objects, main. */
#include "c_writer.h"

#include <string.h>

static const char prelude[]
    = "#define _GNU_SOURCE\n"
      "#include <errno.h>\n#include <pthread.h>\n#include <sched.h>\n"
      "#include <semaphore.h>\n#include <stdatomic.h>\n#include <stdint.h>\n"
      "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"
      "#include <sys/mman.h>\n#include <time.h>\n\n"
      "#ifdef __has_include\n#if __has_include(<omen.h>)\n"
      "#include <omen.h>\n#endif\n#endif\n"
      "#ifndef OMEN_IGNORE_BEGIN /* no omen.h */\n"
      "#define OMEN_ATOMIC_BEGIN(label) ((void)0)\n"
      "#define OMEN_ATOMIC_END(label) ((void)0)\n"
      "#define OMEN_EVENT(...) ((void)0)\n"
      "#define OMEN_HAPPENS_BEFORE(addr) ((void)0)\n"
      "#define OMEN_HAPPENS_AFTER(addr) ((void)0)\n"
      "#define OMEN_IGNORE_BEGIN() ((void)0)\n"
      "#define OMEN_IGNORE_END() ((void)0)\n"
      "#define OMEN_DEAD(p) ((void)0)\n#endif\n\n"
      "#if defined __GNUC__ && !defined __clang__\n"
      "#pragma GCC diagnostic ignored \"-Wbuiltin-declaration-mismatch\"\n"
      "#endif\n"
      "#ifdef __has_attribute\n"
      "#if __has_attribute(disable_sanitizer_instrumentation)\n"
      "#define OMEN_UNSEEN __attribute__ "
      "((disable_sanitizer_instrumentation))\n"
      "#endif\n#endif\n"
      "#ifndef OMEN_UNSEEN\n#define OMEN_UNSEEN\n#endif\n"
      "#define OMEN_HELPER static OMEN_UNSEEN __attribute__ ((unused, "
      "noinline))\n"
      "#define OMEN_OBJECT static __attribute__ ((unused))\n"
      "#define OMEN_FUNCTION static __attribute__ ((noinline)) void\n"
      "#define OMEN_LOCALS volatile int64_t omen_got = 0; (void)omen_got\n"
      "#define OMEN_HERE() __asm__ volatile (\"\" ::: \"memory\")\n"
      "#define OMEN_BRANCH(value) \\\n"
      "  do { if (value) { __asm__ volatile (\"\"); } } while (0)\n\n"
      "/* Accesses by their size. */\n"
      "typedef int8_t omen_i1 __attribute__ ((may_alias));\n"
      "typedef int16_t omen_i2 __attribute__ ((may_alias, aligned (1)));\n"
      "typedef int32_t omen_i4 __attribute__ ((may_alias, aligned (1)));\n"
      "typedef int64_t omen_i8 __attribute__ ((may_alias, aligned (1)));\n"
      "#define OMEN_PUT(to, size, value) \\\n"
      "  do { \\\n"
      "    char omen_bytes[size] = { 0 }; \\\n"
      "    int64_t omen_value = (value); \\\n"
      "    memcpy (omen_bytes, &omen_value, (size) < 8 ? (size) : 8); \\\n"
      "    memcpy ((to), omen_bytes, (size)); \\\n"
      "  } while (0)\n"
      "#define OMEN_GET(from, size, got) \\\n"
      "  do { \\\n"
      "    char omen_bytes[size]; \\\n"
      "    int64_t omen_value = 0; \\\n"
      "    memcpy (omen_bytes, (from), (size)); \\\n"
      "    __asm__ volatile (\"\" : : \"r\"(omen_bytes) : \"memory\"); \\\n"
      "    memcpy (&omen_value, omen_bytes, (size) < 8 ? (size) : 8); \\\n"
      "    (got) = omen_value; \\\n"
      "  } while (0)\n\n";

static const char helpers[]
    = "OMEN_HELPER void\nomen_pause (unsigned tries)\n{\n"
      "  struct timespec omen_join_point = { 0, 50000 };\n"
      "  if (tries < 100)\n    sched_yield ();\n"
      "  else\n    nanosleep (&omen_join_point, NULL);\n}\n\n"
      "/* Blocks of memory: whoever uses one waits until it is there. */\n"
      "OMEN_HELPER char *\nomen_peek (char *volatile *block)\n{\n"
      "  char *memory;\n  OMEN_IGNORE_BEGIN ();\n"
      "  memory = __atomic_load_n (block, __ATOMIC_ACQUIRE);\n"
      "  OMEN_IGNORE_END ();\n  return memory;\n}\n\n"
      "OMEN_HELPER char *\nomen_block (char *volatile *block)\n{\n"
      "  char *memory;\n"
      "  for (unsigned tries = 0; !(memory = omen_peek (block)); tries++)\n"
      "    omen_pause (tries);\n  return memory;\n}\n\n"
      "OMEN_HELPER void\nomen_publish (char *volatile *block, void *memory)\n"
      "{\n  if (!memory || memory == MAP_FAILED) {\n"
      "    fprintf (stderr, \"out of memory\\n\");\n    exit (1);\n  }\n"
      "  OMEN_IGNORE_BEGIN ();\n"
      "  __atomic_store_n (block, (char *)memory, __ATOMIC_RELEASE);\n"
      "  OMEN_IGNORE_END ();\n}\n"
      "#define OMEN_NEW(block, size) \\\n"
      "  do { \\\n    void *omen_new = malloc (size); \\\n"
      "    omen_publish (&(block), omen_new); \\\n  } while (0)\n\n"
      "/* Threads: whoever joins one waits until it was started. */\n"
      "OMEN_HELPER void\nomen_started (int code)\n{\n"
      "  if (!code)\n    return;\n"
      "  fprintf (stderr, \"cannot start a thread: %s\\n\", strerror (code));\n"
      "  exit (1);\n}\n\n"
      "OMEN_HELPER pthread_t\nomen_id (pthread_t *id)\n{\n"
      "  pthread_t started;\n  OMEN_IGNORE_BEGIN ();\n"
      "  for (unsigned tries = 0;\n"
      "       !(started = __atomic_load_n (id, __ATOMIC_ACQUIRE)); tries++)\n"
      "    omen_pause (tries);\n"
      "  OMEN_IGNORE_END ();\n  return started;\n}\n\n"
      "/* Deadlines: one that has passed, one that soon will. */\n"
      "OMEN_OBJECT const struct timespec omen_past = { 1, 0 };\n\n"
      "OMEN_HELPER const struct timespec *\nomen_soon (void)\n{\n"
      "  static _Thread_local struct timespec omen_when;\n"
      "  OMEN_IGNORE_BEGIN ();\n"
      "  clock_gettime (CLOCK_REALTIME, &omen_when);\n"
      "  omen_when.tv_nsec += 5000000;\n"
      "  if (omen_when.tv_nsec >= 1000000000) {\n"
      "    omen_when.tv_sec++;\n    omen_when.tv_nsec -= 1000000000;\n  }\n"
      "  OMEN_IGNORE_END ();\n  return &omen_when;\n}\n\n";

static const char turns[]
    = "/* Whose turn it is: the step of the trace that is next. */\n"
      "static atomic_uint omen_step;\n\n"
      "OMEN_HELPER void\nomen_turn (unsigned step)\n{\n"
      "  OMEN_IGNORE_BEGIN ();\n"
      "  for (unsigned tries = 0; atomic_load (&omen_step) != step; tries++)\n"
      "    omen_pause (tries);\n  OMEN_IGNORE_END ();\n}\n\n"
      "OMEN_HELPER void\nomen_next (unsigned step)\n{\n"
      "  OMEN_IGNORE_BEGIN ();\n  atomic_store (&omen_step, step + 1);\n"
      "  OMEN_IGNORE_END ();\n}\n\n"
      "/* The next step is the return of a wait: wake it, its mutex held. */\n"
      "OMEN_HELPER void\nomen_kick_held (unsigned step, pthread_cond_t "
      "*sleeper)"
      "\n{\n  OMEN_IGNORE_BEGIN ();\n"
      "  atomic_store (&omen_step, step + 1);\n"
      "  pthread_cond_broadcast (sleeper);\n  OMEN_IGNORE_END ();\n}\n\n"
      "OMEN_HELPER void\nomen_kick (unsigned step, pthread_cond_t *sleeper,\n"
      "           pthread_mutex_t *mutex)\n{\n"
      "  OMEN_IGNORE_BEGIN ();\n  pthread_mutex_lock (mutex);\n"
      "  omen_kick_held (step, sleeper);\n"
      "  pthread_mutex_unlock (mutex);\n  OMEN_IGNORE_END ();\n}\n\n"
      "OMEN_HELPER int\nomen_waiting (unsigned step)\n{\n  int waiting;\n"
      "  OMEN_IGNORE_BEGIN ();\n"
      "  waiting = atomic_load (&omen_step) != step;\n"
      "  OMEN_IGNORE_END ();\n  return waiting;\n}\n\n"
      "OMEN_HELPER void\nomen_wrong (unsigned event, const char *what)\n{\n"
      "  fprintf (stderr, \"event %u %s, unlike in the trace\\n\", event, "
      "what);\n  exit (1);\n}\n\n"
      "OMEN_HELPER void\nomen_saw (unsigned event, int64_t seen, int64_t told)"
      "\n{\n  if (seen == told)\n    return;\n"
      "  fprintf (stderr, \"event %u saw %lld, the trace says %lld\\n\", "
      "event,\n           (long long)seen, (long long)told);\n"
      "  exit (1);\n}\n\n";

static const char phases[]
    = "/* A barrier whose threads do not wait as they arrive. */\n"
      "typedef struct omen_phase {\n  pthread_mutex_t lock;\n"
      "  pthread_cond_t moved;\n  unsigned arrived, round;\n} omen_phase;\n\n"
      "OMEN_HELPER unsigned\nomen_arrive (omen_phase *phase, unsigned "
      "parties)\n"
      "{\n  unsigned round;\n  pthread_mutex_lock (&phase->lock);\n"
      "  round = phase->round;\n  if (++phase->arrived == parties) {\n"
      "    phase->arrived = 0;\n    phase->round++;\n"
      "    pthread_cond_broadcast (&phase->moved);\n  }\n"
      "  pthread_mutex_unlock (&phase->lock);\n  return round;\n}\n\n"
      "OMEN_HELPER void\nomen_depart (omen_phase *phase, unsigned round)\n{\n"
      "  pthread_mutex_lock (&phase->lock);\n"
      "  while (phase->round == round)\n"
      "    pthread_cond_wait (&phase->moved, &phase->lock);\n"
      "  pthread_mutex_unlock (&phase->lock);\n}\n\n";

/* ---- objects ---- */

/* The name in the trace, where it is another one in C. */
static void
end_object (const omen_c *c, omen_line *line, omen_operand table, uint32_t id)
{
  const omen_name *name = &c->trace->names[table].names[id];
  omen_c_say (line, ";");
  if (strcmp (name->text, omen_c_text (c, table, id))) {
    omen_line quoted = { 0 };
    omen_c_quote (&quoted, name->text, name->length < 100 ? name->length : 100);
    omen_c_say (line, " // %s", quoted.data);
    OMEN_VEC_FINI (quoted);
  }
  omen_c_say (line, "\n");
}

static void
say_variable (const omen_c *c, omen_line *line, omen_vid v)
{
  const omen_c_variable *variable = &c->variables[v];
  const char *name = omen_c_text (c, OMEN_OPERAND_VARIABLE, v);
  omen_c_say (line, "OMEN_OBJECT ");
  if (variable->storage != OMEN_C_STATIC)
    omen_c_say (line, "char *volatile %s", name);
  else if (variable->scalar)
    omen_c_say (line, "%sint%u_t %s", variable->atomic ? "_Atomic " : "",
                8 * variable->extent, name);
  else
    omen_c_say (line, "_Alignas (16) char %s[%u]", name, variable->extent);
  if (variable->storage == OMEN_C_STATIC)
    omen_c_initial (c, line, v);
  end_object (c, line, OMEN_OPERAND_VARIABLE, v);
}

/* Objects that others could see: no compiler may leave their accesses out. */
static void
say_variables (const omen_c *c, omen_line *line)
{
  uint32_t count = c->trace->names[OMEN_OPERAND_VARIABLE].count;
  for (omen_vid v = 0; v < count; v++)
    say_variable (c, line, v);
  omen_c_say (line, "extern void *volatile omen_objects[];\n"
                    "void *volatile omen_objects[] = {");
  for (omen_vid v = 0; v < count; v++)
    if (c->variables[v].storage == OMEN_C_STATIC)
      omen_c_say (line, " (void *)&%s,",
                  omen_c_text (c, OMEN_OPERAND_VARIABLE, v));
  omen_c_say (line, " NULL };\n");
}

static void
say_locks (const omen_c *c, omen_line *line)
{
  static const char *const types[]
      = { "pthread_mutex_t %s = PTHREAD_MUTEX_INITIALIZER",
          "pthread_mutex_t %s = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP",
          "pthread_rwlock_t %s = PTHREAD_RWLOCK_INITIALIZER" };
  for (omen_lid l = 0; l < c->trace->names[OMEN_OPERAND_LOCK].count; l++) {
    char text[200];
    snprintf (text, sizeof text, types[c->locks[l]],
              omen_c_text (c, OMEN_OPERAND_LOCK, l));
    omen_c_say (line, "OMEN_OBJECT %s", text);
    end_object (c, line, OMEN_OPERAND_LOCK, l);
  }
}

static void
say_conditions (const omen_c *c, omen_line *line)
{
  for (uint32_t i = 0; i < c->trace->names[OMEN_OPERAND_CONDITION].count; i++) {
    const char *name = omen_c_text (c, OMEN_OPERAND_CONDITION, i);
    omen_c_say (
        line, "OMEN_OBJECT pthread_cond_t %s = PTHREAD_COND_INITIALIZER", name);
    end_object (c, line, OMEN_OPERAND_CONDITION, i);
    if (c->guarded[i])
      omen_c_say (line,
                  "OMEN_OBJECT pthread_mutex_t omen_guard_%s = "
                  "PTHREAD_MUTEX_INITIALIZER;\n",
                  name);
  }
}

static void
say_barriers (const omen_c *c, omen_line *line)
{
  for (uint32_t b = 0; b < c->trace->names[OMEN_OPERAND_BARRIER].count; b++) {
    const char *name = omen_c_text (c, OMEN_OPERAND_BARRIER, b);
    if (c->barriers[b].split)
      omen_c_say (line,
                  "OMEN_OBJECT _Thread_local unsigned omen_round_%s;\n"
                  "OMEN_OBJECT omen_phase %s = { PTHREAD_MUTEX_INITIALIZER, "
                  "PTHREAD_COND_INITIALIZER, 0, 0 }",
                  name, name);
    else
      omen_c_say (line, "OMEN_OBJECT pthread_barrier_t %s", name);
    end_object (c, line, OMEN_OPERAND_BARRIER, b);
  }
}

static void
say_table (const omen_c *c, omen_line *line, omen_operand table,
           const char *type)
{
  for (uint32_t i = 0; i < c->trace->names[table].count; i++) {
    omen_c_say (line, "OMEN_OBJECT %s%s", type, omen_c_text (c, table, i));
    end_object (c, line, table, i);
  }
}

static void
say_symbols (const omen_c *c, omen_line *line)
{
  uint32_t count = c->trace->symbols.count;
  for (uint32_t i = 0; i < count; i++)
    omen_c_say (line, "%s %s = %lld%s", i ? "" : "enum {",
                omen_names_text (&c->names.taken, c->names.symbol[i]),
                (long long)omen_c_symbol (i), i + 1 < count ? "," : " };\n");
}

/* ---- functions ---- */

static void
say_functions (const omen_c *c, omen_line *line)
{
  for (uint32_t f = 0; f < c->trace->names[OMEN_OPERAND_FUNCTION].count; f++) {
    const omen_c_function *function = &c->functions[f];
    if (!function->calls)
      continue;
    omen_c_location (c, line, c->trace->events.data[function->first].location,
                     function->first);
    omen_c_say (line,
                "OMEN_FUNCTION %s (unsigned omen_call)\n{\n    OMEN_LOCALS;\n"
                "  switch (omen_call) {\n",
                omen_c_text (c, OMEN_OPERAND_FUNCTION, f));
    omen_c_append (line, &function->cases);
    omen_c_say (line, "  }\n}\n");
  }
}

static void
declare (const omen_c *c, omen_line *line)
{
  for (uint32_t f = 0; f < c->trace->names[OMEN_OPERAND_FUNCTION].count; f++)
    if (c->functions[f].calls) {
      omen_c_say (line, "OMEN_FUNCTION %s (unsigned omen_call)",
                  omen_c_text (c, OMEN_OPERAND_FUNCTION, f));
      end_object (c, line, OMEN_OPERAND_FUNCTION, f);
    }
  for (omen_tid t = 0; t < c->trace->threads.count; t++) {
    const char *name = omen_c_text (c, OMEN_OPERAND_THREAD, t);
    omen_c_say (line,
                "OMEN_OBJECT pthread_t omen_id_%s;\n"
                "static void *omen_run_%s (void *omen_unused)",
                name, name);
    end_object (c, line, OMEN_OPERAND_THREAD, t);
  }
}

/* ---- main ---- */

static void
say_setup (const omen_c *c, omen_line *line)
{
  const omen_names *names = c->trace->names;
  size_t before;
  omen_c_say (line, "\n#line 1 \"main\"\nOMEN_HELPER void\n"
                    "omen_setup (void)\n{\n");
  for (uint32_t s = 0; s < names[OMEN_OPERAND_SEMAPHORE].count; s++)
    omen_c_say (line, "  sem_init (&%s, 0, %u);\n",
                omen_c_text (c, OMEN_OPERAND_SEMAPHORE, s),
                c->base.sem_start[s]);
  for (uint32_t b = 0; b < names[OMEN_OPERAND_BARRIER].count; b++)
    if (!c->barriers[b].split && c->barriers[b].parties)
      omen_c_say (line, "  pthread_barrier_init (&%s, NULL, %u);\n",
                  omen_c_text (c, OMEN_OPERAND_BARRIER, b),
                  c->barriers[b].parties < INT32_MAX ? c->barriers[b].parties
                                                     : INT32_MAX);
  for (omen_vid v = 0; v < names[OMEN_OPERAND_VARIABLE].count; v++) {
    bool mapped = c->variables[v].storage == OMEN_C_MAPPED;
    if (mapped)
      omen_c_say (line,
                  "  omen_publish (&%s, mmap (NULL, %u, PROT_READ | "
                  "PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, "
                  "-1, 0));\n",
                  omen_c_text (c, OMEN_OPERAND_VARIABLE, v),
                  c->variables[v].extent);
    before = line->count;
    omen_c_store_fills (c, line, OMEN_NONE, v, !mapped);
    if (line->count > before)
      omen_c_say (line, "\n");
  }
  omen_c_say (line, "}\n");
}

/* Wait for the end of the trace, and for every thread that has one. */
static void
say_end (const omen_c *c, omen_line *line)
{
  bool pending = false;
  if (!c->free)
    omen_c_say (line, "  omen_last ();\n");
  for (omen_tid t = 0; t < c->trace->threads.count; t++) {
    const omen_c_thread *thread = &c->threads[t];
    pending |= thread->pending && !thread->joined;
    if (t == c->main || thread->joined
        || (thread->blocked && !(c->free && thread->pending)))
      continue;
    omen_c_say (line, "  pthread_join (omen_id (&omen_id_%s), NULL);\n",
                omen_c_text (c, OMEN_OPERAND_THREAD, t));
  }
  if (pending && !c->free) /* let them block as they did */
    omen_c_say (line, "  nanosleep (&(struct timespec){ 0, 20000000 }, "
                      "NULL);\n");
}

static void
say_main (const omen_c *c, omen_line *line)
{
  say_setup (c, line);
  omen_c_say (line, "\nint\nmain (void)\n{\n  omen_setup ();\n");
  for (omen_tid t = 0; t < c->trace->threads.count; t++) {
    const char *name = omen_c_text (c, OMEN_OPERAND_THREAD, t);
    if (t == c->main)
      omen_c_say (line, "  omen_run_%s (NULL);\n", name);
    else if (c->trace->threads.data[t].forked_by == OMEN_NONE)
      omen_c_say (line,
                  "  omen_started (pthread_create (&omen_id_%s, NULL, "
                  "omen_run_%s, NULL));\n",
                  name, name);
  }
  omen_c_say (line, "  OMEN_IGNORE_BEGIN ();\n");
  say_end (c, line);
  omen_c_say (line, "  OMEN_IGNORE_END ();\n  return 0;\n}\n");
}

void
omen_c_frame (omen_c *c, FILE *out)
{
  omen_line line = { 0 };
  bool split = false;
  for (uint32_t b = 0; b < c->trace->names[OMEN_OPERAND_BARRIER].count; b++)
    split |= c->barriers[b].split;
  omen_c_say (&line,
              "/* Made from a trace of %zu events by omen trace export --to "
              "c.\n   cc -pthread THIS_FILE; it runs %s. */\n",
              c->trace->events.count,
              c->free ? "in any order" : "in the order of the trace");
  omen_c_say (&line, "%s%s", prelude, helpers);
  if (!c->free)
    omen_c_say (&line,
                "%sOMEN_HELPER void\nomen_last (void)\n{\n"
                "  omen_turn (%zu);\n}\n\n",
                turns, c->trace->events.count);
  if (split)
    omen_c_say (&line, "%s", phases);
  say_symbols (c, &line);
  say_variables (c, &line);
  say_locks (c, &line);
  say_conditions (c, &line);
  say_table (c, &line, OMEN_OPERAND_SEMAPHORE, "sem_t ");
  say_barriers (c, &line);
  say_table (c, &line, OMEN_OPERAND_OBJECT, "char ");
  declare (c, &line);
  say_functions (c, &line);
  fwrite (line.data, 1, line.count, out);
  OMEN_VEC_CLEAR (line);
  if (c->bodies.count)
    fwrite (c->bodies.data, 1, c->bodies.count, out);
  say_main (c, &line);
  fwrite (line.data, 1, line.count, out);
  OMEN_VEC_FINI (line);
}

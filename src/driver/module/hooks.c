/* Interposed functions: for calls in uninstrumented code, and for pointcuts
   about locks, threads and memory. Each is two instructions that jump to the
   runtime (runtime/monitor/hook.S), which calls the real function. */
#include "driver/module/module.h"
#include "driver/module/plan_text.h"

#include <dlfcn.h>
#include <omen-module.h>
#include <stdlib.h>
#include <string.h>

enum { HOOK_BYTES = 48, ARGUMENTS_MAX = 16 };
_Static_assert (sizeof (omen_hook) == HOOK_BYTES, "the hooks' code knows it");

/* One pointcut of an event, at one function. */
typedef struct row {
  const char *function;
  const omen_spec_event *event;
  const omen_cut *cut;
  uint32_t property, number, cut_number;
  unsigned source, only; /* for pointcuts of objects */
  bool after;
} row;

typedef struct rows {
  OMEN_VEC (row) all;
  const omen_module_source *source;
} rows;

static const struct object {
  omen_cut_kind kind;
  const char *function;
  unsigned source, only;
} objects[] = {
#define OMEN_OBJECT(kind, function, source, only)                              \
  { OMEN_CUT_##kind, #function, source, OMEN_HOOK_##only },
#include "driver/module/objects.def"
};

/* ---- which ---- */

/* Before these calls the object does not exist, or nothing has happened yet. */
static bool
is_always_after (omen_cut_kind kind)
{
  return kind == OMEN_CUT_ALLOC || kind == OMEN_CUT_FORK
         || kind == OMEN_CUT_WAKE;
}

static void
add_objects (rows *r, row base)
{
  for (size_t i = 0; i < OMEN_COUNT (objects); i++) {
    if (objects[i].kind != base.cut->kind)
      continue;
    base.function = objects[i].function;
    base.source = objects[i].source;
    base.after = base.cut->kind != OMEN_CUT_WAIT
                 && (base.cut->after || is_always_after (base.cut->kind));
    base.only = base.after || objects[i].only == OMEN_HOOK_GIVEN
                    ? objects[i].only
                    : OMEN_HOOK_ANY;
    OMEN_VEC_PUSH (r->all, base);
  }
}

/* Functions that return with another stack, or are unsafe to interpose, are
   excluded. */
static bool
may_stand_before (const char *function)
{
  static const char *const never[]
      = { "setjmp",  "sigsetjmp",  "vfork",
          "longjmp", "siglongjmp", "omen_message" };
  for (size_t i = 0; i < OMEN_COUNT (never); i++)
    if (!strcmp (never[i], function))
      return false;
  return function[0] != '_'
         && function[strspn (function,
                             "_$abcdefghijklmnop"
                             "qrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")]
                == 0;
}

static bool
is_imported (const rows *r, const char *function)
{
  for (size_t i = 0; i < r->source->imports->count; i++)
    if (!strcmp (r->source->imports->data[i], function))
      return true;
  return dlsym (RTLD_DEFAULT, function) != NULL;
}

static void
add_calls (rows *r, row base)
{
  const char *pattern = base.cut->pattern;
  base.after = base.cut->after;
  base.only = OMEN_HOOK_ANY;
  if (!strchr (pattern, '*')) {
    base.function = pattern;
    if (may_stand_before (pattern) && is_imported (r, pattern))
      OMEN_VEC_PUSH (r->all, base);
    return;
  }
  for (size_t i = 0; i < r->source->imports->count; i++) {
    base.function = r->source->imports->data[i];
    if (may_stand_before (base.function)
        && omen_pattern_fits (pattern, base.function))
      OMEN_VEC_PUSH (r->all, base);
  }
}

static void
gather_rows (rows *r)
{
  const omen_spec *spec = r->source->file->spec;
  for (uint32_t p = 0; p < spec->properties.count; p++)
    for (uint32_t e = 0; e < spec->properties.data[p].events.count; e++) {
      const omen_spec_event *event = &spec->properties.data[p].events.data[e];
      for (uint32_t c = 0; c < event->cuts.count; c++) {
        row base = { .event = event,
                     .cut = &event->cuts.data[c],
                     .property = p,
                     .number = e,
                     .cut_number = c };
        omen_cut_operand operand = omen_cut_takes (base.cut->kind);
        if (operand == OMEN_CUT_OBJECT)
          add_objects (r, base);
        else if (operand == OMEN_CUT_FUNCTION
                 && r->source->form == OMEN_MODULE_PRELOADED)
          add_calls (r, base);
      }
    }
}

/* By function, then in the order of declaration. */
static int
compare_hooks (const void *a, const void *b)
{
  const row *x = a, *y = b;
  int order = strcmp (x->function, y->function);
  if (order)
    return order;
  if (x->property != y->property)
    return x->property < y->property ? -1 : 1;
  if (x->number != y->number)
    return x->number < y->number ? -1 : 1;
  return (x->cut_number > y->cut_number) - (x->cut_number < y->cut_number);
}

/* ---- what they bind ---- */

typedef struct bindings {
  uint8_t pairs[2 * (ARGUMENTS_MAX + 2)];
  int64_t tests[2 * ARGUMENTS_MAX];
  unsigned pair_count, test_count;
  bool fits; /* false: a test of an argument is not a number */
} bindings;

static void
bind_parameter (bindings *b, const omen_spec_event *event, unsigned source,
                const char *name)
{
  int slot = omen_event_slot_of (event, name);
  if (slot < 0 || source > OMEN_HOOK_THREAD)
    return;
  b->pairs[2 * b->pair_count] = (uint8_t)source;
  b->pairs[2 * b->pair_count++ + 1] = (uint8_t)slot;
}

static void
test (bindings *b, unsigned source, const char *text)
{
  char *end;
  long long value = strtoll (text, &end, 0);
  if (*end || end == text)
    b->fits = false;
  b->tests[2 * b->test_count] = source;
  b->tests[2 * b->test_count++ + 1] = value;
}

static bindings
bindings_of (const row *r)
{
  bindings b = { .fits = true };
  bool object = omen_cut_takes (r->cut->kind) == OMEN_CUT_OBJECT;
  for (uint32_t i = 0; i < r->cut->arg_count && i < ARGUMENTS_MAX; i++) {
    const omen_arg *arg = &r->cut->args[i];
    unsigned source = object ? r->source : i;
    if (arg->kind == OMEN_ARG_NAME)
      bind_parameter (&b, r->event, source, arg->name);
    else if (arg->kind == OMEN_ARG_TEXT)
      test (&b, source, arg->name);
  }
  bind_parameter (&b, r->event, OMEN_HOOK_RESULT, r->cut->returning);
  bind_parameter (&b, r->event, OMEN_HOOK_THREAD, r->cut->thread);
  return b;
}

/* ---- writing ---- */

static void
write_rows (FILE *out, rows *r)
{
  for (size_t i = 0; i < r->all.count; i++) {
    bindings b = bindings_of (&r->all.data[i]);
    fprintf (out, "static const uint8_t omen_pairs_%zu[] = { ", i);
    for (unsigned k = 0; k < 2 * b.pair_count; k++)
      fprintf (out, "%u, ", b.pairs[k]);
    fprintf (out, "0 };\nstatic const int64_t omen_tests_%zu[] = { ", i);
    for (unsigned k = 0; k < 2 * b.test_count; k++)
      fprintf (out, "INT64_C (%lld), ", (long long)b.tests[k]);
    fprintf (out, "0 };\n");
  }
  fprintf (out, "static const omen_hook_cut omen_hook_cuts[] = {\n");
  for (size_t i = 0; i < r->all.count; i++) {
    const row *at = &r->all.data[i];
    bindings b = bindings_of (at);
    fprintf (out,
             "  { %u, %u, %u, %d, %u, %u, %u, omen_pairs_%zu, "
             "omen_tests_%zu },\n",
             at->property, at->number, at->cut_number, at->after, at->only,
             b.pair_count, b.test_count, i, i);
  }
  fprintf (out, "};\n");
}

static size_t
end_of_function (const rows *r, size_t from, bool *after)
{
  size_t to = from;
  *after = false;
  for (; to < r->all.count
         && !strcmp (r->all.data[from].function, r->all.data[to].function);
       to++)
    *after |= r->all.data[to].after;
  return to;
}

/* First the table, then the functions, whose code refers to it. */
static uint32_t
write_hooks (FILE *out, const rows *r, const char *table)
{
  uint32_t count = 0;
  bool after;
  fprintf (out,
           "extern omen_hook omen_hooks[] __asm__ (\"%s\") __attribute__ "
           "((visibility (\"hidden\")));\n"
           "__attribute__ ((used)) omen_hook omen_hooks[] = {\n",
           table);
  for (size_t i = 0; i < r->all.count; count++) {
    size_t to = end_of_function (r, i, &after);
    fprintf (out, "  { 0, \"%s\", 0, %zu, %d, omen_hook_cuts + %zu, 0 },\n",
             r->all.data[i].function, to - i, after, i);
    i = to;
  }
  fprintf (out, "};\n");
  count = 0;
  for (size_t i = 0; i < r->all.count; count++) {
    const char *name = r->all.data[i].function;
    fprintf (out,
             "__asm__ (\".text\\n.globl %s\\n.type %s, @function\\n%s:\\n\"\n"
             "         \"\\tleaq %s+%u(%%rip), %%r11\\n\"\n"
             "         \"\\tjmp *__omen_hook@GOTPCREL(%%rip)\\n\"\n"
             "         \".size %s, .-%s\\n\");\n",
             name, name, name, table, count * HOOK_BYTES, name, name);
    i = end_of_function (r, i, &after);
  }
  return count;
}

uint32_t
omen_module_hooks (FILE *out, const omen_module_source *source)
{
  rows r = { .source = source };
  char table[64];
  uint32_t count = 0;
  gather_rows (&r);
  size_t kept = 0;
  for (size_t i = 0; i < r.all.count; i++)
    if (bindings_of (&r.all.data[i]).fits)
      r.all.data[kept++] = r.all.data[i];
  r.all.count = kept;
  if (r.all.count) {
    qsort (r.all.data, r.all.count, sizeof *r.all.data, compare_hooks);
    snprintf (table, sizeof table, "omen_hooks_%016llx",
              (unsigned long long)omen_spec_hash (source->file->spec));
    write_rows (out, &r);
    count = write_hooks (out, &r, table);
  }
  OMEN_VEC_FINI (r.all);
  return count;
}

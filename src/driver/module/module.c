#include "driver/module/module.h"
#include "driver/module/plan_text.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

typedef struct writer {
  FILE *out;
  const omen_module_source *source;
  const omen_spec *spec;
  const omen_spec_property *property; /* the property being written, */
  const omen_property *compiled;
  size_t number; /* its number */
} writer;

#define PUT(...) fprintf (w->out, __VA_ARGS__)

/* Refer the compiler to the line of the property file where a piece of C
   begins. */
static void
put_place (const writer *w, size_t offset)
{
  omen_place_in_file at;
  omen_spec_place (w->spec, offset, &at);
  PUT ("#line %u ", at.line);
  omen_module_quote (w->out, at.path);
  PUT ("\n");
}

static void
put_own_place (const writer *w)
{
  PUT ("#line 1 \"omen-module\"\n");
}

/* ---- conditions ---- */

static void
put_condition (const writer *w, size_t e, size_t c)
{
  const omen_spec_event *event = &w->property->events.data[e];
  const omen_condition *condition = event->cuts.data[c].condition;
  PUT ("static int\nomen_holds_%zu_%zu_%zu (const uint64_t *omen_v)\n{\n"
       "  (void)omen_v;\n",
       w->number, e, c);
  for (uint32_t i = 0; i < omen_event_slots (event); i++) {
    char word[32];
    const char *name = omen_event_slot (event, i);
    snprintf (word, sizeof word, "omen_v[%u]", i);
    omen_module_declare (w->out, w->source,
                         omen_spec_type (w->property, event, name), name, word);
  }
  put_place (w, condition->offset);
  PUT ("  return !!(%s);\n}\n", condition->text);
  put_own_place (w);
}

static bool
in_name (char c)
{
  return isalnum ((unsigned char)c) || c == '_';
}

/* The length of the name or number at the start: `table.map`. */
static size_t
name_length (const char *text)
{
  size_t length = 0;
  if (*text == '\'') /* a character, which is no name */
    return text[1] == '\\' ? 4 : 3;
  while (in_name (text[length])) {
    size_t next;
    while (in_name (text[length]))
      length++;
    next = length + strspn (text + length, " ");
    if (text[next] != '.' || isdigit ((unsigned char)*text))
      break;
    next += 1 + strspn (text + next + 1, " ");
    if (!in_name (text[next]))
      break;
    length = next;
  }
  return length;
}

/* Write the predicate with omen_w0, omen_w1, … for its variables, whose names
   with fields are not valid in C. If `out` is NULL, nothing is written. Returns
   the set of variables in it. */
static uint32_t
put_predicate (const writer *w, FILE *out, const char *text)
{
  uint32_t set = 0;
  while (*text) {
    size_t length = name_length (text);
    uint32_t i = 0;
    const char *name;
    while ((name = omen_property_watched (w->property, i))
           && (strlen (name) != length || strncmp (name, text, length)))
      i++;
    if (length && name)
      set |= 1u << i;
    if (out && length && name)
      fprintf (out, "omen_w%u", i);
    else if (out)
      fprintf (out, "%.*s", length ? (int)length : 1, text);
    text += length ? length : 1;
  }
  return set;
}

/* Which variables are doubles is known only at run time: a word after their
   values says so, and the next one which variables are missing. A predicate is
   unknown if a variable is missing, if it has too many doubles, or an operator
   that doubles do not have. */
enum { REALS_MAX = 6 };

static bool
fits_reals (const char *text, uint32_t set)
{
  return !strpbrk (text, "%&|^~") && !strstr (text, "<<")
         && !strstr (text, ">>") && __builtin_popcount (set) <= REALS_MAX;
}

static void
put_case (const writer *w, size_t predicate, uint32_t set, uint32_t reals)
{
  PUT ("    case %u: {\n", reals);
  for (uint32_t rest = set; rest; rest &= rest - 1) {
    int i = __builtin_ctz (rest);
    if (reals >> i & 1)
      PUT ("      double omen_w%d = omen_as_double (omen_v[%d]);\n", i, i);
    else
      PUT ("      long omen_w%d = (long)omen_v[%d];\n", i, i);
  }
  PUT ("      omen_bits |= (uint64_t)!!(");
  put_predicate (w, w->out,
                 w->property->predicates.data[predicate].condition->text);
  PUT (") << %zu;\n      break;\n    }\n", predicate);
}

/* Writes code for a bit set: predicates that hold, and above them those that
   are unknown. */
static void
put_predicates (const writer *w, uint32_t count)
{
  for (size_t i = 0; i < w->property->predicates.count; i++) {
    const char *text = w->property->predicates.data[i].condition->text;
    uint32_t set = put_predicate (w, NULL, text), reals = 0;
    PUT ("  if (omen_v[%u] & %u)\n    omen_bits |= (uint64_t)1 << %zu;\n"
         "  else\n    switch (omen_v[%u] & %u) {\n",
         count + 1, set, i + 32, count, set);
    do {
      put_case (w, i, set, reals);
      reals = (reals - set) & set; /* the next subset */
    } while (reals && fits_reals (text, set));
    PUT ("    default:\n      omen_bits |= (uint64_t)1 << %zu;\n    }\n",
         i + 32);
  }
}

static void
put_state (const writer *w)
{
  uint32_t count = 0;
  if (!w->property->predicates.count)
    return;
  PUT ("static const char *const omen_watch_%zu[] = {", w->number);
  for (; omen_property_watched (w->property, count); count++) {
    omen_module_quote (w->out, omen_property_watched (w->property, count));
    PUT (", ");
  }
  PUT ("0 };\nstatic uint64_t\nomen_state_%zu (const uint64_t *omen_v)\n{\n"
       "  uint64_t omen_bits = 0;\n",
       w->number);
  put_predicates (w, count);
  PUT ("  return omen_bits;\n}\n");
}

/* ---- handlers ---- */

static void
put_handler (const writer *w, size_t f, size_t h)
{
  const omen_spec_handler *handler
      = &w->property->formulas.data[f].handlers.data[h];
  PUT ("static void\nomen_handler_%zu_%zu_%zu (omen_landing *omen_this)\n{\n"
       "  (void)omen_this;\n",
       w->number, f, h);
  for (size_t i = 0; i < w->property->parameters.count; i++) {
    char word[48];
    snprintf (word, sizeof word, "omen_this->values[%zu]", i);
    omen_module_declare (w->out, w->source,
                         w->property->parameters.data[i].type,
                         w->property->parameters.data[i].name, word);
  }
  PUT (
      "#undef __DEFAULT_MESSAGE\n#define __DEFAULT_MESSAGE \"property %s: %s\"\n"
      "  {\n",
      w->property->name, handler->category);
  put_place (w, handler->from);
  PUT ("%.*s\n", (int)(handler->to - handler->from),
       w->spec->text + handler->from);
  put_own_place (w);
  PUT ("  }\n}\n");
}

/* Conditions and handlers may need the program: omen itself never uses the
   former, and the latter only on request. */
static bool
has_conditions (const writer *w)
{
  return !omen_module_is_offline (w->source->form);
}

static bool
has_handlers (const writer *w)
{
  return w->source->form != OMEN_MODULE_OFFLINE;
}

static void
put_functions (const writer *w)
{
  for (size_t e = 0; has_conditions (w) && e < w->property->events.count; e++)
    for (size_t c = 0; c < w->property->events.data[e].cuts.count; c++)
      if (w->property->events.data[e].cuts.data[c].condition)
        put_condition (w, e, c);
  if (has_conditions (w))
    put_state (w);
  for (size_t f = 0; has_handlers (w) && f < w->property->formulas.count; f++)
    for (size_t h = 0; h < w->property->formulas.data[f].handlers.count; h++)
      put_handler (w, f, h);
}

/* ---- tables of events ---- */

static void
put_argument (const writer *w, const omen_arg *arg)
{
  char text[256];
  const char *type = arg->type ? arg->type : "";
  switch (arg->kind) {
  case OMEN_ARG_NAME:
    snprintf (text, sizeof text, "%s%s%s", type, *type ? " " : "", arg->name);
    break;
  case OMEN_ARG_ANY:
    snprintf (text, sizeof text, "%s", *type ? type : "*");
    break;
  case OMEN_ARG_REST:
    snprintf (text, sizeof text, "..");
    break;
  default:
    snprintf (text, sizeof text, "%s", arg->name);
  }
  omen_module_quote (w->out, text);
}

/* "word(pattern(args))", as adjacent string literals. */
static void
put_cut_text (const writer *w, const omen_cut *cut)
{
  bool function = omen_cut_takes (cut->kind) == OMEN_CUT_FUNCTION;
  PUT ("\"%s(\" ", omen_cut_word (cut->kind));
  if (cut->pattern)
    omen_module_quote (w->out, cut->pattern);
  if (cut->has_args && cut->pattern)
    PUT (" \"%s\" ", function ? "(" : ") && args(");
  for (uint32_t i = 0; i < cut->arg_count; i++) {
    PUT (" \"%s\" ", i ? ", " : "");
    put_argument (w, &cut->args[i]);
  }
  PUT (" \"%s\"", cut->has_args && function ? "))" : ")");
}

static void
put_cuts (const writer *w, size_t e)
{
  const omen_spec_event *event = &w->property->events.data[e];
  if (!event->cuts.count)
    return;
  PUT ("static const omen_module_cut omen_cuts_%zu_%zu[] = {\n", w->number, e);
  for (size_t c = 0; c < event->cuts.count; c++) {
    const omen_cut *cut = &event->cuts.data[c];
    omen_place_in_file at;
    omen_spec_place (w->spec, cut->offset, &at);
    PUT ("  { ");
    put_cut_text (w, cut);
    PUT (", ");
    omen_module_quote (w->out, at.path);
    PUT (" \":%u:%u\", ", at.line, at.column);
    if (cut->condition && has_conditions (w))
      PUT ("omen_holds_%zu_%zu_%zu, ", w->number, e, c);
    else
      PUT ("0, ");
    if (cut->only_thread)
      omen_module_quote (w->out, cut->only_thread);
    else
      PUT ("0");
    PUT (" },\n");
  }
  PUT ("};\n");
}

static int
parameter_of (const writer *w, const char *name)
{
  for (uint32_t i = 0; i < w->compiled->parameters; i++)
    if (!strcmp (w->compiled->parameter[i], name))
      return (int)i;
  return -1;
}

static void
put_slots (const writer *w, size_t e)
{
  const omen_spec_event *event = &w->property->events.data[e];
  uint32_t slots = omen_event_slots (event);
  PUT ("static const char *const omen_names_%zu_%zu[] = { ", w->number, e);
  for (uint32_t i = 0; i < slots; i++) {
    omen_module_quote (w->out, omen_event_slot (event, i));
    PUT (", ");
  }
  PUT ("0 };\nstatic const signed char omen_slots_%zu_%zu[] = { ", w->number,
       e);
  for (uint32_t i = 0; i < slots; i++)
    PUT ("%d, ", parameter_of (w, omen_event_slot (event, i)));
  PUT ("-1 };\n");
}

static void
put_events (const writer *w)
{
  for (size_t e = 0; e < w->property->events.count; e++) {
    put_cuts (w, e);
    put_slots (w, e);
  }
  PUT ("static const omen_module_event omen_events_%zu[] = {\n", w->number);
  for (size_t e = 0; e < w->property->events.count; e++) {
    const omen_spec_event *event = &w->property->events.data[e];
    PUT ("  { \"%s\", %u, %u, omen_names_%zu_%zu, omen_slots_%zu_%zu, %zu, ",
         event->name, w->compiled->event[e].binds, omen_event_slots (event),
         w->number, e, w->number, e, event->cuts.count);
    if (event->cuts.count)
      PUT ("omen_cuts_%zu_%zu },\n", w->number, e);
    else
      PUT ("0 },\n");
  }
  PUT ("};\n");
}

/* ---- tables of formulas ---- */

static void
put_words (const writer *w, const omen_formula *formula, size_t f)
{
  PUT ("static const uint32_t omen_words_%zu_%zu[] = {", w->number, f);
  for (uint32_t i = 0; i < formula->machine.count; i++)
    PUT ("%s%uu,", i % 12 ? "" : "\n  ", formula->machine.words[i]);
  PUT ("\n};\nstatic const char *const omen_categories_%zu_%zu[] = { ",
       w->number, f);
  for (uint32_t i = 0; i < formula->categories; i++)
    PUT ("\"%s\", ", formula->category[i]);
  PUT ("0 };\nstatic const omen_handle omen_handlers_%zu_%zu[] = { ", w->number,
       f);
  for (size_t i = 0; i < w->property->formulas.data[f].handlers.count; i++)
    if (has_handlers (w))
      PUT ("omen_handler_%zu_%zu_%zu, ", w->number, f, i);
  PUT ("0 };\n");
}

/* The array omen_NAME_P_F: a set of sets of parameters for each event. */
static void
put_sources (const writer *w, const omen_sources *sources, const char *name,
             size_t f)
{
  for (uint32_t e = 0; e < w->compiled->events; e++) {
    PUT ("static const uint8_t omen_%s_%zu_%zu_%u[] = { ", name, w->number, f,
         e);
    for (uint32_t i = 0; i < sources[e].count; i++)
      PUT ("%u, ", sources[e].sets[i]);
    PUT ("0 };\n");
  }
  PUT ("static const omen_module_sources omen_%s_%zu_%zu[] = {\n", name,
       w->number, f);
  for (uint32_t e = 0; e < w->compiled->events; e++)
    PUT ("  { %u, omen_%s_%zu_%zu_%u },\n", sources[e].count, name, w->number,
         f, e);
  PUT ("};\n");
}

static void
put_formulas (const writer *w)
{
  for (uint32_t f = 0; f < w->compiled->formulas; f++) {
    put_words (w, &w->compiled->formula[f], f);
    put_sources (w, w->compiled->formula[f].sources, "sources", f);
    put_sources (w, w->compiled->formula[f].idle, "idle", f);
  }
  PUT ("static const omen_module_formula omen_formulas_%zu[] = {\n", w->number);
  for (uint32_t f = 0; f < w->compiled->formulas; f++) {
    const omen_formula *formula = &w->compiled->formula[f];
    PUT ("  { \"%s\", \"%s\", omen_words_%zu_%u, %u, %u, "
         "omen_categories_%zu_%u, omen_handlers_%zu_%u, %u, "
         "UINT64_C (%" PRIu64 "), UINT64_C (%" PRIu64 "), "
         "omen_sources_%zu_%u, omen_idle_%zu_%u, ",
         formula->logic, formula->machine.engine->name, w->number, f,
         formula->machine.count, formula->categories, w->number, f, w->number,
         f, formula->resets, formula->listens, formula->creation, w->number, f,
         w->number, f);
    omen_module_own_name (w->out, w->spec, w->number, f);
    PUT (" },\n");
  }
  PUT ("};\n");
}

/* ---- properties ---- */

/* The parameters whose objects end in an event of the property, which then
   handles reuse of their values itself. */
static uint32_t
ended_by_events (const writer *w)
{
  static const char *const ends[] = { "free", "realloc", "operator delete" };
  uint32_t set = 0;
  for (size_t e = 0; e < w->property->events.count; e++)
    for (size_t c = 0; c < w->property->events.data[e].cuts.count; c++) {
      const omen_cut *cut = &w->property->events.data[e].cuts.data[c];
      bool is_end = cut->kind == OMEN_CUT_FREE;
      for (size_t i = 0; i < OMEN_COUNT (ends) && cut->pattern; i++)
        is_end |= omen_cut_takes (cut->kind) == OMEN_CUT_FUNCTION
                  && omen_pattern_fits (cut->pattern, ends[i]);
      if (is_end)
        set |= w->property->events.data[e].binds;
    }
  return set;
}

static void
put_property_row (const writer *w)
{
  PUT ("  { \"%s\", %u, %u, %u, %u, %u, omen_parameters_%zu, omen_events_%zu, "
       "omen_formulas_%zu, ",
       w->compiled->name, w->compiled->modifiers, w->compiled->parameters,
       w->compiled->events, w->compiled->predicates, w->compiled->formulas,
       w->number, w->number, w->number);
  if (w->property->predicates.count && has_conditions (w))
    PUT ("sizeof omen_watch_%zu / sizeof *omen_watch_%zu - 1, omen_watch_%zu, "
         "omen_state_%zu, ",
         w->number, w->number, w->number, w->number);
  else
    PUT ("0, 0, 0, ");
  PUT ("%u },\n", ended_by_events (w));
}

static void
put_parameters (const writer *w)
{
  PUT ("static const char *const omen_parameters_%zu[] = { ", w->number);
  for (uint32_t i = 0; i < w->compiled->parameters; i++)
    PUT ("\"%s\", ", w->compiled->parameter[i]);
  PUT ("0 };\n");
}

static void
write_choice (writer *w, size_t i)
{
  w->number = i;
  w->property = &w->spec->properties.data[i];
  w->compiled = &w->source->file->compiled->properties[i];
}

static void
put_module (const writer *w, uint32_t hooks)
{
  if (omen_module_is_offline (w->source->form)) {
    omen_module_offline_end (w->out);
    return;
  }
  PUT ("extern char omen_moments_from[] __asm__ (\"__start_omen_moments\") "
       "__attribute__ ((weak, visibility (\"hidden\")));\n"
       "extern char omen_moments_to[] __asm__ (\"__stop_omen_moments\") "
       "__attribute__ ((weak, visibility (\"hidden\")));\n"
       "extern char omen_watched_from[] __asm__ (\"__start_omen_watched\") "
       "__attribute__ ((weak, visibility (\"hidden\")));\n"
       "extern char omen_watched_to[] __asm__ (\"__stop_omen_watched\") "
       "__attribute__ ((weak, visibility (\"hidden\")));\n"
       "static omen_spec_module omen_self = { OMEN_MODULE_VERSION, %zu, "
       "UINT64_C (0x%" PRIx64 "), ",
       w->spec->properties.count, omen_spec_hash (w->spec));
  omen_module_quote (w->out, w->spec->path);
  PUT (", omen_properties, %s, %u, omen_moments_from, omen_moments_to, "
       "omen_watched_from, omen_watched_to, 0, 0 };\n",
       hooks ? "omen_hooks" : "0", hooks);
  PUT ("__attribute__ ((used, section (\".omen_spec\"))) static const char "
       "omen_identity[] = \"omen-spec %016" PRIx64,
       omen_spec_hash (w->spec));
  for (size_t i = 0; i < w->source->file->hashes.count; i++)
    PUT (" omen-spec %016" PRIx64, w->source->file->hashes.data[i]);
  PUT ("\";\n"
       "__attribute__ ((constructor (102))) static void\nomen_add (void)\n{\n");
  for (uint32_t i = 0; i < hooks; i++)
    PUT ("  omen_hooks[%u].module = &omen_self;\n", i);
  PUT ("  __omen_module_add (&omen_self);\n}\n");
}

void
omen_module_write (FILE *out, const omen_module_source *source)
{
  writer writing = { .out = out, .source = source, .spec = source->file->spec };
  writer *w = &writing;
  uint32_t hooks = 0;
  PUT ("#include <omen-module.h>\n");
  omen_module_preamble (out, w->spec);
  put_own_place (w);
  omen_module_own_files (out, w->spec);
  put_own_place (w);
  PUT ("#undef __RESET\n#undef __LOC\n"
       "#define __RESET (omen_this->reset = 1)\n"
       "#define __LOC (omen_this->where)\n");
  for (size_t i = 0; i < w->spec->properties.count; i++) {
    write_choice (w, i);
    put_functions (w);
    put_parameters (w);
    put_events (w);
    put_formulas (w);
  }
  PUT ("static const omen_module_property omen_properties[] = {\n");
  for (size_t i = 0; i < w->spec->properties.count; i++) {
    write_choice (w, i);
    put_property_row (w);
  }
  PUT ("};\n");
  if (source->form == OMEN_MODULE_LINKED
      || source->form == OMEN_MODULE_PRELOADED)
    hooks = omen_module_hooks (out, source);
  put_module (w, hooks);
}

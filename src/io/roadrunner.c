#include "io/roadrunner.h"
#include "io/roadrunner_reader.h"

/* ---- threads ---- */

uint32_t
omen_rr_number (omen_rr *rr, omen_field text)
{
  uint32_t id = omen_names_id (&rr->numbers, text.text, text.length);
  if (id == rr->threads.count)
    OMEN_VEC_PUSH (rr->threads, ((omen_rr_thread){ .thread = OMEN_NONE,
                                                   .waiting = OMEN_NONE,
                                                   .joining = OMEN_NONE,
                                                   .notified = OMEN_NONE }));
  OMEN_ASSERT (id < rr->threads.count);
  return id;
}

omen_field
omen_rr_name (const omen_rr *rr, uint32_t number, char name[OMEN_RR_NAME])
{
  const char *text = omen_names_text (&rr->numbers, number);
  uint32_t before = rr->threads.data[number].generation;
  int length = snprintf (name, OMEN_RR_NAME, "T%.10s", text);
  if (before)
    length = snprintf (name, OMEN_RR_NAME, "T%.10s#%u", text, before + 1);
  return (omen_field){ name, (size_t)length };
}

omen_event *
omen_rr_add (omen_rr *rr, omen_kind kind, uint32_t actor, omen_field operand,
             omen_field location)
{
  omen_rr_thread *thread = &rr->threads.data[actor];
  char text[OMEN_RR_NAME];
  if (thread->thread == OMEN_NONE) {
    omen_field name = omen_rr_name (rr, actor, text);
    thread->thread
        = omen_trace_thread (rr->import.trace, name.text, name.length);
  }
  thread->acted = true;
  return omen_import_add (&rr->import, kind, thread->thread, operand, location);
}

/* ---- values ---- */

/* An integer or a symbol. A symbol that is not in the table yet has the id
   OMEN_NONE, until it is clear that the value is used. */
static omen_rr_value
parse_value (const omen_rr *rr, omen_field text)
{
  const omen_names *symbols = &rr->import.trace->symbols;
  bool minus = text.length > 1 && text.text[0] == '-';
  omen_field digits = { text.text + minus, text.length - minus };
  uint64_t n;
  if (text.length && !(digits.text[0] == '0' && text.length > 1)
      && omen_field_number (digits, INT64_MAX, &n))
    return (omen_rr_value){ false, OMEN_VALUE_INT, minus ? 0 - n : n };
  n = omen_names_find (symbols, text.text, text.length);
  return (omen_rr_value){ false, OMEN_VALUE_SYMBOL, n };
}

/* Cut `[old]` or `[old -> new]` off the start of the rest. */
static bool
cut_value (omen_field *rest, bool write, omen_field *value)
{
  const char *end = NULL, *arrow;
  *value = OMEN_RR_EMPTY;
  if (!rest->length || rest->text[0] != '[')
    return false;
  for (size_t i = 1; i < rest->length && !end; i++)
    if (rest->text[i] == ']'
        && (i + 1 == rest->length || rest->text[i + 1] == ' '))
      end = rest->text + i;
  if (!end)
    return false;
  *value = (omen_field){ rest->text + 1, (size_t)(end - rest->text) - 1 };
  rest->length -= (size_t)(end + 1 - rest->text);
  rest->text = end + 1;
  arrow = memmem (value->text, value->length, " -> ", 4);
  if (arrow && write) {
    value->length -= (size_t)(arrow + 4 - value->text);
    value->text = arrow + 4;
  }
  return arrow || !write; /* of a write, only the new value is used */
}

static omen_rr_value *
known_value (omen_rr *rr, omen_pid place)
{
  while (rr->values.count <= place)
    OMEN_VEC_PUSH (rr->values, ((omen_rr_value){ false, OMEN_VALUE_NONE, 0 }));
  return &rr->values.data[place];
}

static void
set_value (omen_rr *rr, omen_event *event, bool known, omen_field text)
{
  omen_rr_value *now = known_value (rr, event->object);
  bool write = omen_kind_writes (event->kind);
  omen_rr_value value = { 0 };
  if (known)
    value = parse_value (rr, text);
  if (!write && known && now->kind != OMEN_VALUE_NONE
      && (value.kind != now->kind || value.value != now->value)) {
    rr->values_dropped++;
    return;
  }
  if (value.kind == OMEN_VALUE_SYMBOL)
    value.value
        = omen_names_id (&rr->import.trace->symbols, text.text, text.length);
  value.written = write;
  if (write || (known && !now->written))
    *now = value;
  event->value_kind = value.kind;
  event->value = value.value;
}

/* ---- the lines ---- */

/* The last word, if it is not the only one, or looks like file:line. */
static omen_field
location_in (omen_field rest, bool two)
{
  omen_field word = omen_field_trim (rest);
  size_t start = word.length;
  while (start && word.text[start - 1] != ' ' && word.text[start - 1] != '\t')
    start--;
  word.text += start;
  word.length -= start;
  if (!word.length
      || ((!start || !two) && !memchr (word.text, ':', word.length)))
    return OMEN_RR_EMPTY;
  return word;
}

static bool
read_access (omen_rr *rr, const omen_rr_line *line)
{
  char last = line->operation.text[line->operation.length - 1];
  bool write = last == 'r', known;
  bool is_volatile = line->operation.text[0] == 'V';
  omen_field rest = line->rest, value;
  omen_event *event;
  OMEN_ASSERT (last == 'r' || last == 'd');
  omen_rr_settle (rr, line->actor);
  known = cut_value (&rest, write, &value);
  event = omen_rr_add (
      rr,
      is_volatile ? write ? OMEN_ATOMIC_WRITE : OMEN_ATOMIC_READ
      : write     ? OMEN_WRITE
                  : OMEN_READ,
      line->actor, line->operand, location_in (rest, !is_volatile));
  set_value (rr, event, known, value);
  return true;
}

static bool
read_simple (omen_rr *rr, const omen_rr_line *line)
{
  static const struct {
    const char *text;
    omen_kind kind;
  } simple[] = {
    { "Acquire", OMEN_ACQUIRE },
    { "Acq", OMEN_ACQUIRE },
    { "Release", OMEN_RELEASE },
    { "Rel", OMEN_RELEASE },
    { "Enter", OMEN_ENTER },
    { "Exit", OMEN_EXIT },
    { "ClassInited", OMEN_HAPPENS_BEFORE },
    { "ClassAccssed", OMEN_HAPPENS_AFTER }, /* RoadRunner's spelling */
    { "ClassAccessed", OMEN_HAPPENS_AFTER },
  };
  omen_field rest = line->rest, location;
  size_t i = 0;
  while (!omen_field_is (line->operation, simple[i].text)) {
    i++;
    OMEN_ASSERT (i < OMEN_COUNT (simple));
  }
  omen_rr_settle (rr, line->actor);
  rest = omen_field_trim (rest);
  location = location_in (rest, false);
  if (rest.length > 5 && !memcmp (rest.text, "from ", 5)) {
    location = omen_field_trim ((omen_field){ rest.text + 5, rest.length - 5 });
    if (omen_field_is (location, "null"))
      location = OMEN_RR_EMPTY;
  }
  omen_rr_add (rr, simple[i].kind, line->actor, line->operand, location);
  return true;
}

static const struct {
  const char *text;
  bool (*read) (omen_rr *rr, const omen_rr_line *line);
  bool operand; /* has an operand besides the thread */
} operations[] = {
  { "Rd", read_access, true },
  { "Wr", read_access, true },
  { "ARd", read_access, true },
  { "AWr", read_access, true },
  { "VRd", read_access, true },
  { "VWr", read_access, true },
  { "VolRd", read_access, true },
  { "VolWr", read_access, true },
  { "Acquire", read_simple, true },
  { "Release", read_simple, true },
  { "Acq", read_simple, true },
  { "Rel", read_simple, true },
  { "Enter", read_simple, true },
  { "Exit", read_simple, true },
  { "Start", omen_rr_start, true },
  { "Fork", omen_rr_start, true },
  { "Join", omen_rr_join, true },
  { "Wait", omen_rr_wait, true },
  { "PreWait", omen_rr_wait, true },
  { "PostWait", omen_rr_wait, true },
  { "Notify", omen_rr_notify, true },
  { "Barrier", omen_rr_barrier_line, true },
  { "ClassInited", read_simple, true },
  { "ClassAccssed", read_simple, true },
  { "ClassAccessed", read_simple, true },
  { "Interrupt", omen_rr_interrupt, true },
  { "Interrupted", omen_rr_interrupt, false },
};

/* A thread's number: digits, few enough to print. */
static bool
is_number (omen_field text)
{
  uint64_t n;
  return text.length < 10 && omen_field_number (text, UINT32_MAX, &n);
}

/* Split `(number,operand,third)rest`. Parentheses in the operand (of method
   names) are balanced. */
static bool
cut_arguments (omen_rr *rr, omen_field text, bool operand, omen_rr_line *line)
{
  omen_field arguments = { text.text + 1, 0 }, rest;
  size_t depth = 1, i = 1;
  for (; i < text.length && depth; i++)
    if (text.text[i] == '(')
      depth++;
    else if (text.text[i] == ')')
      depth--;
  if (depth)
    return omen_import_fail (&rr->import, text, "')'");
  arguments.length = i - 2;
  line->rest = (omen_field){ text.text + i, text.length - i };
  line->number = omen_field_split (arguments, ',', &rest);
  if (!is_number (line->number))
    return omen_import_fail (&rr->import, line->number,
                             "the number of a thread");
  line->operand = rest.text ? rest : (omen_field){ rr->import.end, 0 };
  line->third = OMEN_RR_EMPTY;
  if (!operand)
    return true;
  return omen_import_name (&rr->import, line->operand,
                           "an operand after the thread");
}

static bool
cut_third (omen_rr *rr, omen_rr_line *line)
{
  omen_field third, second = omen_field_split (line->operand, ',', &third);
  bool thread = omen_field_is (line->operation, "Start")
                || omen_field_is (line->operation, "Fork")
                || omen_field_is (line->operation, "Join")
                || omen_field_is (line->operation, "Interrupt");
  if (omen_field_is (line->operation, "Notify")
      || omen_field_is (line->operation, "Barrier")) {
    line->operand = second;
    line->third = third.text ? third : (omen_field){ rr->import.end, 0 };
    return omen_import_name (&rr->import, second,
                             "an operand after the thread");
  }
  if (thread && !is_number (line->operand)
      && !omen_field_is (line->operand, "-1"))
    return omen_import_fail (&rr->import, line->operand,
                             "the number of a thread");
  return true;
}

/* "Thread-0[tid = 1] started by …": the number belongs to a new thread. */
static void
read_note (omen_rr *rr, omen_field text)
{
  const char *at = memmem (text.text, text.length, "[tid = ", 7), *end;
  omen_field number;
  rr->skipped++;
  if (!at)
    return;
  number.text = at + 7;
  end = memchr (number.text, ']', (size_t)(rr->import.end - number.text));
  if (!end || rr->import.end - end < 9 || memcmp (end, "] started", 9))
    return;
  number.length = (size_t)(end - number.text);
  if (is_number (number)) {
    uint32_t id = omen_rr_number (rr, number);
    rr->announced = true;
    if (rr->threads.data[id].acted || rr->threads.data[id].joined)
      omen_rr_renew (rr, id);
  }
}

static void
count_unknown (omen_rr *rr, omen_field operation)
{
  uint32_t id = omen_names_id (&rr->unknown, operation.text, operation.length);
  if (id == rr->unknown_count.count)
    OMEN_VEC_PUSH (rr->unknown_count, 0);
  rr->unknown_count.data[id]++;
}

static bool
read_operation (omen_rr *rr, omen_field text, size_t letters)
{
  omen_rr_line line = { .operation = { text.text, letters } };
  omen_field arguments = { text.text + letters, text.length - letters };
  size_t i = 0;
  while (i < OMEN_COUNT (operations)
         && !omen_field_is (line.operation, operations[i].text))
    i++;
  if (i == OMEN_COUNT (operations)) {
    if (!omen_field_is (line.operation, "Sleep"))
      count_unknown (rr, line.operation);
    else
      rr->skipped++;
    return true;
  }
  if (!cut_arguments (rr, arguments, operations[i].operand, &line)
      || !cut_third (rr, &line))
    return false;
  line.actor = omen_rr_number (rr, line.number);
  return operations[i].read (rr, &line);
}

static bool
read_line (omen_import *import)
{
  omen_rr *rr = (omen_rr *)import;
  omen_field text = { import->start, (size_t)(import->end - import->start) };
  size_t letters = 0;
  bool ok;
  if (!text.length || text.text[0] != '@') {
    rr->skipped += text.length > 0;
    return true;
  }
  text = omen_field_trim ((omen_field){ text.text + 1, text.length - 1 });
  while (letters < text.length && ((text.text[letters] | 32) >= 'a')
         && (text.text[letters] | 32) <= 'z')
    letters++;
  if (!letters || letters == text.length || text.text[letters] != '(') {
    read_note (rr, text);
    return true;
  }
  ok = read_operation (rr, text, letters);
  if (!ok && import->end == rr->text_end) { /* the program was killed while it
                                               wrote this line */
    memset (import->err, 0, sizeof *import->err);
    rr->cut = true;
    return true;
  }
  return ok;
}

/* ---- all ---- */

static void
warn (omen_rr *rr)
{
  omen_trace *trace = rr->import.trace;
  if (rr->skipped)
    omen_trace_warn (trace, "%zu line%s without an event skipped", rr->skipped,
                     omen_s (rr->skipped));
  for (uint32_t i = 0; i < rr->unknown.count && i < 20; i++)
    omen_trace_warn (
        trace, "%u line%s with the unknown operation %.40s skipped",
        rr->unknown_count.data[i], omen_s (rr->unknown_count.data[i]),
        omen_names_text (&rr->unknown, i));
  if (rr->unknown.count > 20)
    omen_trace_warn (trace, "%u more unknown operation%s skipped",
                     rr->unknown.count - 20, omen_s (rr->unknown.count - 20));
  if (rr->lost_joins)
    omen_trace_warn (trace,
                     "%zu join%s of a thread that the log does not name "
                     "skipped",
                     rr->lost_joins, omen_s (rr->lost_joins));
  if (rr->returns_added)
    omen_trace_warn (
        trace,
        "return of %zu wait%s placed where the thread continues: the "
        "log does not say when",
        rr->returns_added, omen_s (rr->returns_added));
  if (rr->spurious)
    omen_trace_warn (trace,
                     "%zu wake%s that no notify explains taken as "
                     "spurious",
                     rr->spurious, omen_s (rr->spurious));
  if (rr->values_dropped)
    omen_trace_warn (trace,
                     "%zu value%s of reads dropped: not what was "
                     "written last",
                     rr->values_dropped, omen_s (rr->values_dropped));
  if (rr->cut)
    omen_trace_warn (trace, "the last line is cut short; skipped");
}

omen_trace *
omen_roadrunner_parse (const char *path, const char *text, size_t size,
                       omen_err *err)
{
  omen_rr rr = { 0 };
  omen_err own = { 0 };
  omen_trace *trace = NULL;
  bool ok;
  OMEN_REQUIRE (path);
  omen_import_init (&rr.import, path, err ? err : &own);
  omen_names_init (&rr.numbers);
  omen_names_init (&rr.unknown);
  rr.text_end = text + size;
  ok = omen_import_lines (&rr.import, text, size, read_line);
  omen_rr_close (&rr);
  warn (&rr);
  if (ok)
    trace = omen_import_finish (&rr.import);
  omen_names_fini (&rr.numbers);
  omen_names_fini (&rr.unknown);
  OMEN_VEC_FINI (rr.unknown_count);
  OMEN_VEC_FINI (rr.threads);
  OMEN_VEC_FINI (rr.conditions);
  OMEN_VEC_FINI (rr.barriers);
  OMEN_VEC_FINI (rr.values);
  omen_import_fini (&rr.import);
  return trace;
}

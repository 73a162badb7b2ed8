#include "io/csv.h"
#include "io/import.h"

static const struct {
  const char *text;
  omen_kind kind;
} operations[] = {
  { "r", OMEN_READ },      { "w", OMEN_WRITE },     { "acq", OMEN_ACQUIRE },
  { "rel", OMEN_RELEASE }, { "fork", OMEN_FORK },   { "start", OMEN_FORK },
  { "join", OMEN_JOIN },   { "begin", OMEN_BEGIN }, { "end", OMEN_END },
  { "enter", OMEN_ENTER }, { "exit", OMEN_EXIT },
};

typedef struct csv {
  omen_import import; /* first member: read_line gets a pointer to it */
  omen_names columns; /* from the header line; if none: T0, T1, … */
  bool begun;         /* a line that is not blank was read */
  char location[24];
} csv;

/* The next cell, from *at up to a comma or the end of the line. */
static omen_field
next_cell (const csv *c, const char **at)
{
  const char *comma = memchr (*at, ',', (size_t)(c->import.end - *at));
  omen_field cell = { *at, 0 };
  *at = comma ? comma + 1 : NULL;
  cell.length = (size_t)((comma ? comma : c->import.end) - cell.text);
  cell = omen_field_trim (cell);
  if (cell.length >= 2 && cell.text[0] == '"'
      && cell.text[cell.length - 1] == '"')
    cell = omen_field_trim ((omen_field){ cell.text + 1, cell.length - 2 });
  return cell;
}

static bool
blank (const csv *c)
{
  const char *at = c->import.start;
  while (at)
    if (next_cell (c, &at).length)
      return false;
  return true;
}

/* The only cell of a line that is not blank. */
static bool
find_cell (csv *c, omen_field *cell, size_t *column)
{
  const char *at = c->import.start;
  *cell = (omen_field){ NULL, 0 };
  for (size_t i = 0; at; i++) {
    omen_field next = next_cell (c, &at);
    if (!next.length)
      continue;
    if (cell->text)
      return omen_import_fail (&c->import, next, "one event a line");
    *cell = next;
    *column = i;
  }
  return true;
}

/* ---- the line that names the threads ---- */

static bool
is_header (const csv *c)
{
  return !memchr (c->import.start, '(',
                  (size_t)(c->import.end - c->import.start));
}

static bool
read_header (csv *c)
{
  const char *at = c->import.start;
  while (at) {
    omen_field cell = next_cell (c, &at);
    uint32_t count = c->columns.count;
    if (!omen_import_name (&c->import, cell, "the name of a thread"))
      return false;
    if (omen_names_id (&c->columns, cell.text, cell.length) < count)
      return omen_import_fail (&c->import, cell,
                               "a name that no other column has");
  }
  return true;
}

/* ---- events ---- */

static bool
thread_of (csv *c, omen_field cell, size_t column, omen_tid *thread)
{
  char name[32];
  int length;
  if (c->columns.count) {
    if (column >= c->columns.count)
      return omen_import_fail (&c->import, cell,
                               "no more columns than the first line names");
    *thread = omen_trace_thread (c->import.trace, c->columns.names[column].text,
                                 c->columns.names[column].length);
    return true;
  }
  length = snprintf (name, sizeof name, "T%zu", column);
  *thread = omen_trace_thread (c->import.trace, name, (size_t)length);
  return true;
}

/* fork(2) means T2, unless a column has the name 2. */
static omen_field
forked (const csv *c, omen_field operand, char name[32])
{
  uint64_t number;
  if (operand.length > 20 || !omen_field_number (operand, UINT64_MAX, &number))
    return operand;
  name[0] = 'T';
  memcpy (name + 1, operand.text, operand.length);
  if (c->columns.count
      && (omen_names_find (&c->columns, operand.text, operand.length)
              != OMEN_NONE
          || omen_names_find (&c->columns, name, operand.length + 1)
                 == OMEN_NONE))
    return operand;
  return (omen_field){ name, operand.length + 1 };
}

static void
add_event (csv *c, omen_kind kind, omen_tid thread, omen_field operand)
{
  omen_field location = { c->location, strlen (c->location) };
  char name[32];
  if (omen_kind_operand (kind) == OMEN_OPERAND_THREAD)
    operand = forked (c, operand, name);
  omen_import_add (&c->import, kind, thread, operand, location);
}

static void
add_sync (csv *c, omen_tid thread, omen_field operand)
{
  omen_line variable = { 0 };
  OMEN_VEC_RESERVE (variable, operand.length + 3);
  memcpy (variable.data, operand.text, operand.length);
  memcpy (variable.data + operand.length, "Var", 3);
  add_event (c, OMEN_ACQUIRE, thread, operand);
  add_event (c, OMEN_READ, thread,
             (omen_field){ variable.data, operand.length + 3 });
  add_event (c, OMEN_WRITE, thread,
             (omen_field){ variable.data, operand.length + 3 });
  add_event (c, OMEN_RELEASE, thread, operand);
  OMEN_VEC_FINI (variable);
}

static bool
read_cell (csv *c, omen_field cell, omen_tid thread)
{
  omen_field operand, operation = omen_field_split (cell, '(', &operand);
  size_t i = 0;
  if (!operand.text || !operand.length
      || operand.text[operand.length - 1] != ')')
    return omen_import_fail (&c->import, cell, "operation(name)");
  operand.length--;
  operand = omen_field_trim (operand);
  if (!omen_import_name (&c->import, operand, "a name between ( and )"))
    return false;
  snprintf (c->location, sizeof c->location, "%lu", c->import.line);
  if (omen_field_is (operation, "sync")) {
    add_sync (c, thread, operand);
    return true;
  }
  while (i < OMEN_COUNT (operations)
         && !omen_field_is (operation, operations[i].text))
    i++;
  if (i == OMEN_COUNT (operations))
    return omen_import_fail (&c->import, operation,
                             "r, w, acq, rel, fork, start, join, begin, end, "
                             "enter, exit or sync");
  add_event (c, operations[i].kind, thread, operand);
  return true;
}

static bool
read_line (omen_import *import)
{
  csv *c = (csv *)import;
  omen_field cell;
  size_t column = 0;
  omen_tid thread = OMEN_NONE;
  bool first = !c->begun;
  if ((import->start < import->end && import->start[0] == '#') || blank (c))
    return true;
  c->begun = true;
  if (first && is_header (c))
    return read_header (c);
  return find_cell (c, &cell, &column) && thread_of (c, cell, column, &thread)
         && read_cell (c, cell, thread);
}

omen_trace *
omen_csv_parse (const char *path, const char *text, size_t size, omen_err *err)
{
  csv c = { 0 };
  omen_trace *trace = NULL;
  OMEN_REQUIRE (path);
  omen_import_init (&c.import, path, err);
  omen_names_init (&c.columns);
  if (omen_import_lines (&c.import, text, size, read_line))
    trace = omen_import_finish (&c.import);
  omen_names_fini (&c.columns);
  omen_import_fini (&c.import);
  return trace;
}

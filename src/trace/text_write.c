/* The writer of the text form. Reading back what it writes gives the same
   trace, whatever bytes the names contain. */
#include "trace/text_field.h"
#include "base/print.h"
#include "trace/text_writer.h"

#include <errno.h>

static void
put_bytes (omen_line *line, const char *text, size_t length)
{
  if (!length)
    return;
  OMEN_VEC_RESERVE (*line, line->count + length);
  memcpy (line->data + line->count, text, length);
  line->count += length;
}

static void
put_text (omen_line *line, const char *text)
{
  put_bytes (line, text, strlen (text));
}

static void
put_number (omen_line *line, uint64_t n)
{
  char text[20], *at = text + sizeof text;
  do
    *--at = (char)('0' + n % 10);
  while (n /= 10);
  put_bytes (line, at, (size_t)(text + sizeof text - at));
}

static void
put_escaped (omen_line *line, unsigned char c)
{
  char text[8];
  snprintf (text, sizeof text, "\\x%02x", c);
  put_text (line, text);
}

/* Bytes that have no special meaning to the reader in any position. */
static inline bool
ordinary (char c)
{
  return omen_digit (c) || ((c | 32) >= 'a' && (c | 32) <= 'z') || c == '_'
         || c == '.' || c == '/';
}

static bool
digit_at (const char *text, size_t length, size_t i)
{
  return i < length && omen_digit (text[i]);
}

/* Would the reader take byte i of a name for syntax? */
static bool
misread (const char *text, size_t length, size_t i, const char *marks)
{
  unsigned char c = (unsigned char)text[i];
  bool edge = i == 0 || i + 1 == length;
  if (c < 0x20 || c == 0x7f || c == '\\' || c == '|' || (c == ' ' && edge))
    return true;
  if (!strchr (marks, c))
    return false;
  if (c == '+' || c == '~' || c == '^')
    return digit_at (text, length, i + 1);
  if (c == '<')
    return text[i + 1] == '-' && digit_at (text, length, i + 2);
  return true;
}

/* Append a name, escaped; `marks` are the bytes that are syntax in this
   context. */
static void
put_quoted (omen_line *line, const char *text, size_t length, const char *marks)
{
  size_t from = 0, size;
  for (size_t i = 0; i < length; i += size) {
    size = (unsigned char)text[i] < 0x80
               ? 1
               : omen_print_plain (text + i, length - i);
    if (OMEN_LIKELY (size > 1 || (size && ordinary (text[i])))
        || (size && !misread (text, length, i, marks)))
      continue;
    put_bytes (line, text + from, i - from);
    put_escaped (line, (unsigned char)text[i]);
    from = i + 1;
    size = 1;
  }
  put_bytes (line, text + from, length - from);
}

/* Append a name, an empty one as `\-`. */
static void
put_name (omen_line *line, const omen_names *names, uint32_t id,
          const char *marks)
{
  const omen_name *name = &names->names[id];
  OMEN_ASSERT (id < names->count);
  if (!name->length)
    put_text (line, "\\-");
  else
    put_quoted (line, name->text, name->length, marks);
}

static bool
name_is (const omen_name *name, const char *text)
{
  return name->length == strlen (text)
         && !memcmp (name->text, text, name->length);
}

static void
put_lock (omen_line *line, const omen_names *names, uint32_t id)
{
  const omen_name *name = &names->names[id];
  if (name_is (name, "timeout") || name_is (name, "spurious")
      || name_is (name, "stuck")) {
    put_escaped (line, (unsigned char)name->text[0]);
    put_text (line, name->text + 1);
  } else
    put_name (line, names, id, ",");
}

/* ---- variables ---- */

/* The number of v among the variables of its name. */
static uint32_t
number_of_variable (const omen_names *names, omen_vid v)
{
  const omen_name *name = &names->names[v];
  uint32_t number = 0;
  for (omen_vid u = 0; u < v; u++)
    number += names->names[u].hash == name->hash
              && names->names[u].length == name->length
              && !memcmp (names->names[u].text, name->text, name->length);
  return number;
}

/* `separator` is what follows the name; `fresh`: it is the operand of an
   alloc. */
static void
put_block (omen_writer *writer, omen_vid v, char separator, bool fresh)
{
  const char marks[] = { '+', '~', separator, 0 };
  const omen_names *names = &writer->trace->names[OMEN_OPERAND_VARIABLE];
  const omen_name *name = &names->names[v];
  uint32_t number = OMEN_NONE;
  put_name (&writer->line, names, v, marks);
  if (writer->blocks)
    number = omen_text_blocks_mention (writer->blocks, v, fresh);
  else if (omen_names_find (names, name->text, name->length) != v)
    number = number_of_variable (names, v);
  if (number != OMEN_NONE) {
    OMEN_VEC_PUSH (writer->line, '~');
    put_number (&writer->line, number);
  }
}

static void
put_place (omen_writer *writer, omen_pid p)
{
  const omen_place *place = &writer->trace->places.data[p];
  OMEN_ASSERT (p < writer->trace->places.count);
  put_block (writer, place->variable, '=', false);
  if (place->size == OMEN_WHOLE)
    return;
  OMEN_VEC_PUSH (writer->line, '+');
  put_number (&writer->line, place->offset);
  OMEN_VEC_PUSH (writer->line, ':');
  put_number (&writer->line, place->size);
}

/* ---- values ---- */

/* The first byte is escaped if the reader would take the text for a number or
   pointer. */
static void
put_symbol (omen_writer *writer, uint32_t id, char separator)
{
  const char marks[] = { separator, 0 };
  const omen_name *name = &writer->trace->symbols.names[id];
  uint8_t kind;
  uint64_t value;
  if (omen_field_integer ((omen_field){ name->text, name->length }, &kind,
                          &value)
      || (name->length > 1 && name->text[0] == '&')) {
    put_escaped (&writer->line, (unsigned char)name->text[0]);
    put_quoted (&writer->line, name->text + 1, name->length - 1, marks);
  } else
    put_name (&writer->line, &writer->trace->symbols, id, marks);
}

static void
put_value (omen_writer *writer, unsigned kind, uint64_t value, char separator)
{
  switch (kind) {
  case OMEN_VALUE_INT:
    if ((int64_t)value < 0)
      OMEN_VEC_PUSH (writer->line, '-');
    put_number (&writer->line, (int64_t)value < 0 ? 0 - value : value);
    break;
  case OMEN_VALUE_BIG:
    put_number (&writer->line, value);
    break;
  case OMEN_VALUE_SYMBOL:
    put_symbol (writer, (uint32_t)value, separator);
    break;
  case OMEN_VALUE_POINTER:
    OMEN_VEC_PUSH (writer->line, '&');
    put_block (writer, (omen_vid)(value >> 32), separator, false);
    if ((uint32_t)value) {
      OMEN_VEC_PUSH (writer->line, '+');
      put_number (&writer->line, (uint32_t)value);
    }
    break;
  default:
    OMEN_ASSERT (kind == OMEN_VALUE_NONE);
  }
}

static void
put_access (omen_writer *writer, const omen_event *event)
{
  put_place (writer, event->object);
  if (event->kind == OMEN_ATOMIC_RMW) {
    const omen_rmw *rmw = &writer->trace->rmws.data[event->value];
    if (!rmw->value_kind[0] && !rmw->value_kind[1])
      return;
    OMEN_VEC_PUSH (writer->line, '=');
    put_value (writer, rmw->value_kind[0], rmw->value[0], ':');
    OMEN_VEC_PUSH (writer->line, ':');
    put_value (writer, rmw->value_kind[1], rmw->value[1], 0);
  } else if (event->value_kind != OMEN_VALUE_NONE) {
    OMEN_VEC_PUSH (writer->line, '=');
    put_value (writer, event->value_kind, event->value, 0);
  }
}

/* ---- the other operands ---- */

/* A number without events is escaped: the reader would take `fork(9)` for T9 if
   that has events and 9 does not. */
static void
put_thread (omen_writer *writer, omen_tid t, const char *commas)
{
  const omen_names *names = &writer->trace->names[OMEN_OPERAND_THREAD];
  const omen_name *name = &names->names[t];
  if (name->length && !writer->trace->threads.data[t].count
      && strspn (name->text, "0123456789") == name->length) {
    put_escaped (&writer->line, (unsigned char)name->text[0]);
    put_text (&writer->line, name->text + 1);
  } else
    put_name (&writer->line, names, t, commas);
}

static void
put_condition (omen_writer *writer, const omen_event *event)
{
  const omen_trace *trace = writer->trace;
  put_name (&writer->line, &trace->names[OMEN_OPERAND_CONDITION], event->object,
            ",");
  if (event->kind != OMEN_WAIT && event->kind != OMEN_WAKE)
    return;
  if (event->value != OMEN_NONE) {
    OMEN_VEC_PUSH (writer->line, ',');
    put_lock (&writer->line, &trace->names[OMEN_OPERAND_LOCK],
              (omen_lid)event->value);
  }
  if (event->mode & (OMEN_MODE_TIMEOUT | OMEN_MODE_SPURIOUS))
    put_text (&writer->line,
              event->mode & OMEN_MODE_TIMEOUT ? ",timeout" : ",spurious");
}

/* Commas are escaped only in a name that ends in "maybe". */
static void
put_object (omen_writer *writer, const omen_event *event)
{
  static const char word[] = "maybe";
  const omen_names *names = &writer->trace->names[OMEN_OPERAND_OBJECT];
  const omen_name *name = &names->names[event->object];
  size_t length = sizeof word - 1;
  bool ends_so = name->length > length
                 && !memcmp (name->text + name->length - length, word, length);
  put_name (&writer->line, names, event->object, ends_so ? "," : "");
  if (event->mode & OMEN_MODE_MAYBE) {
    OMEN_VEC_PUSH (writer->line, ',');
    put_text (&writer->line, word);
  }
}

static void
put_signal (omen_writer *writer, const omen_event *event)
{
  const omen_trace *trace = writer->trace;
  const omen_emit *emit = &trace->emits.data[event->value];
  OMEN_ASSERT (event->value < trace->emits.count);
  put_name (&writer->line, &trace->names[OMEN_OPERAND_SIGNAL], event->object,
            ",");
  for (uint32_t i = emit->first; i < emit->first + emit->count; i++) {
    const omen_emit_arg *arg = &trace->emit_args.data[i];
    OMEN_VEC_PUSH (writer->line, ',');
    put_name (&writer->line, &trace->strings, arg->key, ",=");
    OMEN_VEC_PUSH (writer->line, '=');
    put_value (writer, arg->value_kind, arg->value, ',');
  }
}

static void
put_args (omen_writer *writer, const omen_event *event)
{
  omen_operand operand = omen_kind_operand (event->kind);
  const omen_names *names = &writer->trace->names[operand];
  switch (operand) {
  case OMEN_OPERAND_NOTHING:
    return;
  case OMEN_OPERAND_PLACE:
    put_access (writer, event);
    return;
  case OMEN_OPERAND_VARIABLE:
    put_block (writer, writer->trace->places.data[event->object].variable, ',',
               event->kind == OMEN_ALLOC);
    break;
  case OMEN_OPERAND_OBJECT:
    put_object (writer, event);
    return;
  case OMEN_OPERAND_BLOCK:
  case OMEN_OPERAND_FUNCTION:
    put_name (&writer->line, names, event->object, "");
    return;
  case OMEN_OPERAND_THREAD:
    put_thread (writer, event->object,
                event->kind == OMEN_JOIN_REQUEST ? "," : "");
    return;
  case OMEN_OPERAND_CONDITION:
    put_condition (writer, event);
    return;
  case OMEN_OPERAND_SIGNAL:
    put_signal (writer, event);
    return;
  default:
    put_name (&writer->line, names, event->object, ",");
  }
  if (event->kind == OMEN_ALLOC || event->kind == OMEN_SEM_INIT
      || event->kind == OMEN_ARRIVE) {
    OMEN_VEC_PUSH (writer->line, ',');
    put_number (&writer->line, event->value);
  }
  if ((operand == OMEN_OPERAND_LOCK || operand == OMEN_OPERAND_SEMAPHORE)
      && event->mode & OMEN_MODE_TRY)
    put_text (&writer->line, ",try");
}

static void
put_operation (omen_writer *writer, const omen_event *event)
{
  unsigned remarks = omen_mode_remarks (event->mode);
  put_text (&writer->line, omen_kind_text (event->kind));
  if (event->order != OMEN_ORDER_SC || event->kind == OMEN_FENCE) {
    OMEN_VEC_PUSH (writer->line, '.');
    put_text (&writer->line, omen_order_text (event->order));
  }
  if (omen_mode_remark (event->kind, remarks) && remarks) {
    OMEN_VEC_PUSH (writer->line, '.');
    put_text (&writer->line, omen_mode_remark (event->kind, remarks));
  }
  OMEN_VEC_PUSH (writer->line, '(');
  put_args (writer, event);
  if (event->mode & OMEN_MODE_STUCK)
    put_text (&writer->line, ",stuck");
  OMEN_VEC_PUSH (writer->line, ')');
}

/* ---- lines ---- */

/* The first byte is escaped if the line would look like a comment or init line,
   or start with a byte order mark. */
static void
put_actor (omen_writer *writer, omen_tid t)
{
  const omen_names *names = &writer->trace->names[OMEN_OPERAND_THREAD];
  const omen_name *name = &names->names[t];
  if (name->length
      && (name->text[0] == '#' || name_is (name, "*")
          || !strncmp (name->text, "\xef\xbb\xbf", 3))) {
    put_escaped (&writer->line, (unsigned char)name->text[0]);
    put_quoted (&writer->line, name->text + 1, name->length - 1, "");
  } else
    put_name (&writer->line, names, t, "");
}

static void
put_event (omen_writer *writer, omen_eid e)
{
  const omen_event *event = omen_trace_event (writer->trace, e);
  const omen_name *location = &writer->trace->locations.names[event->location];
  const omen_extra *extra = omen_trace_extra (writer->trace, e);
  put_actor (writer, event->thread);
  OMEN_VEC_PUSH (writer->line, '|');
  put_operation (writer, event);
  OMEN_VEC_PUSH (writer->line, '|');
  put_quoted (&writer->line, location->text, location->length, "<^");
  if (extra) {
    for (uint32_t i = 0; i < extra->reads; i++) {
      put_text (&writer->line, i ? "," : "<-");
      put_number (&writer->line,
                  writer->trace->dependences.data[extra->first_read + i]);
    }
    if (extra->branch != OMEN_NONE) {
      OMEN_VEC_PUSH (writer->line, '^');
      put_number (&writer->line, extra->branch);
    }
  }
}

static void
put_init (omen_writer *writer, const omen_init *init)
{
  put_text (&writer->line, "*|init(");
  put_place (writer, init->place);
  OMEN_VEC_PUSH (writer->line, '=');
  put_value (writer, init->value_kind, init->value, 0);
  put_text (&writer->line, ")|");
}

size_t
omen_text_operation (const omen_trace *trace, omen_eid e, char *buffer,
                     size_t room)
{
  omen_writer writer = { .trace = trace };
  size_t length;
  OMEN_REQUIRE (room && e < trace->events.count);
  put_operation (&writer, omen_trace_event (trace, e));
  length = writer.line.count < room ? writer.line.count : room - 1;
  memcpy (buffer, writer.line.data, length);
  buffer[length] = 0;
  OMEN_VEC_FINI (writer.line);
  return length;
}

void
omen_text_event (const omen_trace *trace, omen_eid e, omen_line *line)
{
  omen_writer writer = { .trace = trace, .line = *line };
  OMEN_REQUIRE (e < trace->events.count);
  OMEN_VEC_CLEAR (writer.line);
  put_event (&writer, e);
  *line = writer.line;
}

static bool
flush_line (omen_writer *writer, FILE *out)
{
  bool ok;
  OMEN_VEC_PUSH (writer->line, '\n');
  ok = fwrite (writer->line.data, 1, writer->line.count, out)
       == writer->line.count;
  OMEN_VEC_CLEAR (writer->line);
  return ok;
}

bool
omen_text_write_some (const omen_trace *trace, const omen_text_choice *choice,
                      FILE *out, omen_err *err)
{
  omen_text_blocks *blocks = omen_text_blocks_new (trace);
  omen_writer writer = { .trace = trace, .blocks = blocks };
  bool ok = true;
  OMEN_REQUIRE (trace->index); /* sealed: the threads' counts are known */
  if (trace->flags & OMEN_TRACE_HELPED) {
    put_text (&writer.line, "*|helped()|");
    ok = flush_line (&writer, out);
  }
  for (size_t i = 0; ok && i < trace->inits.count; i++) {
    put_init (&writer, &trace->inits.data[i]);
    if (!choice || choice->init (choice->data, i))
      ok = flush_line (&writer, out);
    OMEN_VEC_CLEAR (writer.line);
  }
  for (omen_eid e = 0; ok && e < trace->events.count; e++) {
    bool wanted = !choice || choice->event (choice->data, e);
    if (!wanted && !blocks)
      continue;
    if (choice && choice->index) {
      put_number (&writer.line, e);
      OMEN_VEC_PUSH (writer.line, '\t');
    }
    put_event (&writer, e);
    if (wanted)
      ok = flush_line (&writer, out);
    OMEN_VEC_CLEAR (writer.line);
  }
  OMEN_VEC_FINI (writer.line);
  omen_text_blocks_free (blocks);
  if (!ok || fflush (out))
    return omen_err_set (err, "", "cannot write: %s", strerror (errno));
  return true;
}

bool
omen_text_write (const omen_trace *trace, FILE *out, omen_err *err)
{
  return omen_text_write_some (trace, NULL, out, err);
}

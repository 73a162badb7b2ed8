#include "io/perfetto_write.h"
#include "base/plain.h"
#include "trace/text.h"

#include <string.h>

typedef struct writer {
  const omen_trace *trace;
  FILE *out;
  size_t time;
  bool any;
} writer;

/* A JSON string. Control characters are written \uHHHH, and bytes that are not
   UTF-8 become U+FFFD. */
static void
put_json_text (writer *w, const char *text)
{
  size_t left = strlen (text);
  putc ('"', w->out);
  while (left) {
    uint32_t c = 0xfffd;
    size_t plain = omen_plain_size (text, left);
    size_t size = omen_plain_decode (text, left, &c);
    if (plain && *text != '"' && *text != '\\')
      fwrite (text, 1, size, w->out);
    else if (c < 0x10000)
      fprintf (w->out, "\\u%04x", c);
    else /* a surrogate pair */
      fprintf (w->out, "\\u%04x\\u%04x", 0xd7c0 + (c >> 10),
               0xdc00 + (c & 0x3ff));
    size = size ? size : 1;
    text += size;
    left -= size;
  }
  putc ('"', w->out);
}

static void
begin_entry (writer *w, const char *phase, omen_tid thread)
{
  fprintf (w->out, "%s{\"ph\":\"%s\",\"pid\":1,\"tid\":%u,\"ts\":%zu,\"name\":",
           w->any ? ",\n" : "", phase, thread + 1, w->time);
  w->any = true;
}

static void
put_details (writer *w, omen_eid e)
{
  fprintf (w->out, ",\"args\":{\"event\":%u,\"location\":", e);
  put_json_text (w, omen_trace_location (w->trace, e));
  fputs ("}}", w->out);
}

static void
put_slice (writer *w, omen_eid e, const char *phase, omen_operand table,
           uint32_t id)
{
  const omen_event *event = omen_trace_event (w->trace, e);
  begin_entry (w, phase, event->thread);
  put_json_text (w, omen_names_text (&w->trace->names[table], id));
  if (table == OMEN_OPERAND_LOCK)
    fprintf (w->out, ",\"cat\":\"lock\",\"id\":\"%u.%u\"", event->thread, id);
  put_details (w, e);
}

static void
put_event (writer *w, omen_eid e)
{
  const omen_event *event = omen_trace_event (w->trace, e);
  switch (event->kind) {
  case OMEN_ENTER:
    put_slice (w, e, "B", OMEN_OPERAND_FUNCTION, event->object);
    return;
  case OMEN_EXIT:
    put_slice (w, e, "E", OMEN_OPERAND_FUNCTION, event->object);
    return;
  case OMEN_ACQUIRE:
  case OMEN_READ_ACQUIRE:
    put_slice (w, e, "b", OMEN_OPERAND_LOCK, event->object);
    break;
  case OMEN_RELEASE:
  case OMEN_READ_RELEASE:
    put_slice (w, e, "e", OMEN_OPERAND_LOCK, event->object);
    break;
  case OMEN_WAIT:
  case OMEN_WAKE:
    if (event->value != OMEN_NONE)
      put_slice (w, e, event->kind == OMEN_WAIT ? "e" : "b", OMEN_OPERAND_LOCK,
                 (uint32_t)event->value);
    break;
  default:
    break;
  }
  char operation[400];
  omen_text_operation (w->trace, e, operation, sizeof operation);
  begin_entry (w, "X", omen_trace_event (w->trace, e)->thread);
  put_json_text (w, operation);
  fputs (",\"dur\":1", w->out);
  put_details (w, e);
}

bool
omen_perfetto_write (const omen_trace *trace, const omen_eid *order,
                     size_t count, FILE *out, omen_err *err)
{
  writer w = { .trace = trace, .out = out };
  OMEN_REQUIRE (order || !count || count == trace->events.count);
  fputs ("{\"traceEvents\":[\n", out);
  for (omen_tid t = 0; t < w.trace->threads.count; t++) {
    begin_entry (&w, "M", t);
    fputs ("\"thread_name\",\"args\":{\"name\":", w.out);
    put_json_text (&w, omen_trace_thread_name (w.trace, t));
    fputs ("}}", w.out);
  }
  for (size_t i = 0; i < count; i++) {
    w.time = i;
    put_event (&w, order ? order[i] : (omen_eid)i);
  }
  fputs ("\n],\"displayTimeUnit\":\"ns\"}\n", out);
  return !ferror (out) || omen_err_io (err, "", "cannot write the trace");
}

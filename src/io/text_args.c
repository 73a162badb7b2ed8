/* Parses what is in the parentheses, depending on the operand of the kind. */
#include "io/text_reader.h"

static bool
read_rmw (omen_reader *reader, omen_field values, omen_event *event)
{
  omen_rmw rmw;
  omen_field old, new;
  memset (&rmw, 0, sizeof rmw);
  if (values.text) {
    old = omen_field_split (values, ':', &new);
    if (!new.text)
      return omen_reader_fail (reader, values, "old:new after '='");
    if (old.length
        && !omen_reader_value (reader, old, &rmw.value_kind[0], &rmw.value[0]))
      return false;
    if (new.length
        && !omen_reader_value (reader, new, &rmw.value_kind[1], &rmw.value[1]))
      return false;
  }
  event->value = reader->trace->rmws.count;
  OMEN_VEC_PUSH (reader->trace->rmws, rmw);
  return true;
}

static bool
read_access (omen_reader *reader, const omen_parts *parts, omen_event *event)
{
  const char *start = parts->args.text, *end = start + parts->args.length;
  const char *equals = parts->equals;
  omen_field value = { NULL, 0 };
  if (OMEN_UNLIKELY (
          !omen_reader_key_known (&reader->names[OMEN_OPERAND_PLACE],
                                  &parts->place_key, &event->object)
          || (reader->stale.count && omen_reader_stale (reader, event->object)))
      && !omen_reader_place (reader,
                             omen_field_between (start, equals ? equals : end),
                             &parts->place_key, &event->object))
    return false;
  if (equals)
    value = omen_field_between (equals + 1, end);
  if (event->kind == OMEN_ATOMIC_RMW)
    return read_rmw (reader, value, event);
  if (!value.text)
    return true;
  if (OMEN_LIKELY (event->kind <= OMEN_ATOMIC_WRITE
                   && omen_field_small (value, reader->end, &event->value))) {
    event->value_kind = OMEN_VALUE_INT;
    return true;
  }
  if (event->kind == OMEN_EXTERNAL)
    return omen_reader_fail (reader, value, "no value for ext");
  return omen_reader_value (reader, value, &event->value_kind, &event->value);
}

/* alloc(p,8) free(p) */
static bool
read_block (omen_reader *reader, omen_field args, omen_event *event)
{
  omen_field size = { NULL, 0 }, name = args;
  omen_vid variable;
  if (event->kind == OMEN_ALLOC) {
    name = omen_field_split (args, ',', &size);
    if (!omen_field_number (size, UINT64_MAX, &event->value))
      return omen_reader_fail (reader, args, "a name and a size, alloc(p,8)");
  }
  if (!omen_reader_variable (reader, name, event->kind == OMEN_ALLOC,
                             &variable))
    return false;
  event->object = omen_trace_place (reader->trace, variable, 0, OMEN_WHOLE);
  return true;
}

/* Cut off a final ",word" that follows a name; other commas belong to names. */
static bool
take_word (omen_field *args, const char *word)
{
  size_t length = strlen (word);
  omen_field rest = { args->text, args->length - length };
  if (args->length < length + 2
      || memcmp (args->text + rest.length, word, length))
    return false;
  rest = omen_field_trim (rest);
  if (!rest.length || rest.text[rest.length - 1] != ',')
    return false;
  rest.length--;
  *args = omen_field_trim (rest);
  return true;
}

/* acq(l) acq(l,try) */
static bool
read_lock (omen_reader *reader, omen_field args, omen_event *event)
{
  if ((event->kind == OMEN_ACQUIRE || event->kind == OMEN_READ_ACQUIRE)
      && take_word (&args, "try"))
    event->mode |= OMEN_MODE_TRY;
  return omen_reader_name (reader, OMEN_OPERAND_LOCK, args, &event->object);
}

/* hb(o) ha(o,maybe) */
static bool
read_object (omen_reader *reader, omen_field args, omen_event *event)
{
  if (take_word (&args, "maybe"))
    event->mode |= OMEN_MODE_MAYBE;
  return omen_reader_name (reader, OMEN_OPERAND_OBJECT, args, &event->object);
}

/* fork(9) may mean T9; decided when all threads are known. */
static bool
read_thread (omen_reader *reader, omen_field args, omen_event *event)
{
  bool digits = args.length > 0;
  for (size_t i = 0; i < args.length; i++)
    digits = digits && omen_digit (args.text[i]);
  reader->numbered_fork |= digits;
  if (!omen_reader_thread (reader, args, &event->object))
    return false;
  if (memchr (args.text, '\\', args.length))
    OMEN_VEC_PUSH (reader->literal, event->object);
  return true;
}

/* wait(c) wait(c,l) wait(c,l,timeout) wake(c) wake(c,l) wake(c,timeout)
   wake(c,l,spurious) */
static bool
read_condition (omen_reader *reader, omen_field args, omen_event *event)
{
  omen_field rest, name = omen_field_split (args, ',', &rest);
  uint32_t lock;
  event->value = OMEN_NONE;
  if (!omen_reader_name (reader, OMEN_OPERAND_CONDITION, name, &event->object))
    return false;
  if (rest.text && event->kind != OMEN_WAIT && event->kind != OMEN_WAKE)
    return omen_reader_fail (reader, rest, "one name only");
  while (rest.text) {
    name = omen_field_split (rest, ',', &rest);
    if (event->mode & (OMEN_MODE_TIMEOUT | OMEN_MODE_SPURIOUS))
      return omen_reader_fail (reader, name,
                               "nothing after timeout or "
                               "spurious");
    if (omen_field_is (name, "timeout"))
      event->mode |= OMEN_MODE_TIMEOUT;
    else if (event->kind == OMEN_WAKE && omen_field_is (name, "spurious"))
      event->mode = OMEN_MODE_SPURIOUS;
    else if (event->value != OMEN_NONE)
      return omen_reader_fail (reader, name,
                               event->kind == OMEN_WAKE ? "timeout or spurious"
                                                        : "one lock only");
    else if (!omen_reader_name (reader, OMEN_OPERAND_LOCK, name, &lock))
      return false;
    else
      event->value = lock;
  }
  return true;
}

/* seminit(s,2) arrive(b,3) down(s,try), and kinds with a name only */
static bool
read_counted (omen_reader *reader, omen_field args, omen_event *event)
{
  bool counted = event->kind == OMEN_SEM_INIT || event->kind == OMEN_ARRIVE;
  omen_field count = { NULL, 0 }, name = args;
  if (counted) {
    name = omen_field_split (args, ',', &count);
    if (!omen_field_number (count, UINT32_MAX, &event->value)
        || (event->kind == OMEN_ARRIVE && !event->value))
      return omen_reader_fail (reader, args,
                               event->kind == OMEN_ARRIVE
                                   ? "a name and a count, arrive(b,3)"
                                   : "a name and a count, seminit(s,2)");
  } else if (event->kind == OMEN_SEM_DOWN && take_word (&name, "try"))
    event->mode |= OMEN_MODE_TRY;
  return omen_reader_name (reader, omen_kind_operand (event->kind), name,
                           &event->object);
}

/* emit(name,key=value,…) */
static bool
read_signal (omen_reader *reader, omen_field args, omen_event *event)
{
  omen_trace *trace = reader->trace;
  omen_field rest, value, plain, key = omen_field_split (args, ',', &rest);
  omen_emit emit = { (uint32_t)trace->emit_args.count, 0 };
  if (!omen_reader_name (reader, OMEN_OPERAND_SIGNAL, key, &event->object))
    return false;
  while (rest.text) {
    omen_emit_arg arg = { 0 };
    key = omen_field_split (rest, ',', &rest);
    key = omen_field_split (key, '=', &value);
    if (!key.length || !value.text)
      return omen_reader_fail (reader, key, "parameter=value");
    if (trace->emit_args.count >= OMEN_NONE - 1)
      return omen_reader_fail (reader, key, "fewer parameters in all");
    if (!omen_reader_plain (reader, key, &plain))
      return false;
    arg.key = omen_names_id (&trace->strings, plain.text, plain.length);
    if (!omen_reader_value (reader, value, &arg.value_kind, &arg.value))
      return false;
    OMEN_VEC_PUSH (trace->emit_args, arg);
    emit.count++;
  }
  event->value = trace->emits.count;
  OMEN_VEC_PUSH (trace->emits, emit);
  return true;
}

/* req(l,stuck) wait(c,l,stuck) arrive(b,3,stuck) semreq(s,stuck) … */
static omen_field
cut_stuck (omen_field args, omen_event *event)
{
  static const char word[] = "stuck";
  const size_t length = sizeof word - 1;
  omen_field rest = args;
  if (args.length <= length
      || memcmp (args.text + args.length - length, word, length))
    return args;
  rest.length -= length;
  rest = omen_field_trim (rest);
  if (!rest.length || rest.text[rest.length - 1] != ',')
    return args;
  event->mode |= OMEN_MODE_STUCK;
  rest.length--;
  return omen_field_trim (rest);
}

bool
omen_reader_args (omen_reader *reader, const omen_parts *parts,
                  omen_event *event)
{
  omen_field args = parts->args;
  if (event->kind <= OMEN_ATOMIC_RMW)
    return read_access (reader, parts, event);
  if (omen_kind_waits (event->kind))
    args = cut_stuck (args, event);
  switch (omen_kind_operand (event->kind)) {
  case OMEN_OPERAND_PLACE:
    return read_access (reader, parts, event);
  case OMEN_OPERAND_VARIABLE:
    return read_block (reader, args, event);
  case OMEN_OPERAND_LOCK:
    return read_lock (reader, args, event);
  case OMEN_OPERAND_THREAD:
    return read_thread (reader, args, event);
  case OMEN_OPERAND_CONDITION:
    return read_condition (reader, args, event);
  case OMEN_OPERAND_OBJECT:
    return read_object (reader, args, event);
  case OMEN_OPERAND_SIGNAL:
    return read_signal (reader, args, event);
  case OMEN_OPERAND_NOTHING:
    event->object = OMEN_NONE;
    return !args.length
           || omen_reader_fail (reader, args, "nothing between ( and )");
  default:
    return read_counted (reader, args, event);
  }
}

/* Functions, atomic blocks, property events. */
#include "recording/events/events.h"
#include "wire/abi.h"

#include <string.h>

/* ---- functions ---- */

/* The ENTER and EXIT of a function call without other events are omitted,
   unless all events are wanted. (Calls that become empty later, because private
   accesses are dropped, are removed by trace/private.h.) */
static bool
take_back (omen_emitter *emitter, const omen_depth *left)
{
  omen_trace *trace = emitter->trace;
  omen_stacks *stacks = emitter->stacks;
  if (!emitter->file->settled || left->entry + 1 != trace->events.count)
    return false;
  if (stacks->list.count && OMEN_VEC_LAST (stacks->list).event == left->entry)
    stacks->list.count--;
  trace->events.count--;
  trace->items.count--;
  return true;
}

/* Functions deeper than that have been left without a marker. */
static void
leave (omen_emitter *emitter, uint64_t depth)
{
  omen_depth left;
  omen_emit_locals_left (emitter, depth);
  while (omen_frames_left (&omen_emitter_me (emitter)->frames, depth, &left))
    if (!take_back (emitter, &left))
      omen_emit_event (emitter, OMEN_EXIT, left.function);
}

void
omen_emit_frame (omen_emitter *emitter)
{
  const omen_item *item = &emitter->item;
  omen_frames *frames = &omen_emitter_me (emitter)->frames;
  uint64_t depth = omen_frames_depth (frames, item->a);
  omen_depth entered = { .depth = depth, .site = item->site };
  if (item->kind == OMEN_SITE_LANDED) {
    leave (emitter, depth);
    return;
  }
  leave (emitter, depth ? depth - 1 : 0);
  if (item->kind == OMEN_SITE_EXIT)
    return;
  entered.function = omen_emit_function (emitter, item->site);
  entered.from = omen_emit_call (emitter);
  entered.entry = omen_emit_event (emitter, OMEN_ENTER, entered.function);
  if (entered.from != OMEN_NONE)
    OMEN_VEC_PUSH (emitter->stacks->list,
                   ((omen_stacked){ entered.entry, entered.from }));
  omen_frames_enter (&omen_emitter_me (emitter)->frames, entered,
                     omen_notes_site (emitter->file, item->site)->caller != 0);
}

/* ---- atomic blocks ---- */

static const omen_name *
string_of (const omen_emitter *emitter, uint64_t id)
{
  uint32_t string = emitter->file->reader->strings.data[id];
  return &emitter->trace->strings.names[string];
}

/* An end closes the innermost block of its label; an end without a block is
   left out. */
void
omen_emit_mark (omen_emitter *emitter)
{
  const omen_name *name = string_of (emitter, emitter->item.a);
  uint32_t label = omen_trace_name (emitter->trace, OMEN_OPERAND_BLOCK,
                                    name->text, name->length);
  omen_actor *me = omen_emitter_me (emitter);
  size_t i = me->blocks.count;
  if (emitter->item.kind == OMEN_ITEM_BLOCK_BEGIN) {
    OMEN_VEC_PUSH (me->blocks, label);
    omen_emit_event (emitter, OMEN_BEGIN, label);
    return;
  }
  while (i && me->blocks.data[i - 1] != label)
    i--;
  if (!i) {
    emitter->trace->rebuilt.odd++;
    return;
  }
  memmove (&me->blocks.data[i - 1], &me->blocks.data[i],
           (me->blocks.count - i) * sizeof (uint32_t));
  me->blocks.count--;
  omen_emit_event (emitter, OMEN_END, label);
}

/* ---- property events: "create, list, iter" ---- */

/* The next word of a list separated by commas. */
static const char *
next_word (const char *text, const char **word, size_t *length)
{
  const char *end;
  text += strspn (text, " \t\n");
  end = text + strcspn (text, ",");
  *word = text;
  *length = (size_t)(end - text);
  while (*length && strchr (" \t\n", text[*length - 1]))
    --*length;
  return *end ? end + 1 : end;
}

/* A pointer into a block stays one, whatever its bits are in another run. */
static void
set_parameter (omen_emitter *emitter, omen_emit_arg *arg, uint64_t value,
               bool pointer)
{
  uint32_t b = pointer ? omen_emit_owner (emitter, value) : OMEN_NONE;
  if (b != OMEN_NONE) {
    const omen_block *block = &emitter->blocks.blocks.data[b];
    arg->value_kind = OMEN_VALUE_POINTER;
    arg->value = (uint64_t)block->variable << 32 | (value - block->base);
    return;
  }
  arg->value_kind /* numbers come with their sign (weave/join_point.c) */
      = pointer && value > INT64_MAX ? OMEN_VALUE_BIG : OMEN_VALUE_INT;
  arg->value = value;
}

static void
add_symbol (omen_trace *trace, const char *key, const char *text)
{
  OMEN_VEC_PUSH (
      trace->emit_args,
      ((omen_emit_arg){
          omen_names_id (&trace->strings, key, strlen (key)), OMEN_VALUE_SYMBOL,
          omen_names_id (&trace->symbols, text, strlen (text)) }));
}

/* The name of a thread (runtime/hooks/thread_name.c): name=…, and of=… if it is
   another one's. */
static void
emit_thread_name (omen_emitter *emitter, const char *name)
{
  omen_trace *trace = emitter->trace;
  omen_emit emit = { (uint32_t)trace->emit_args.count, 1 };
  uint64_t id = emitter->item.parts[1].a;
  uint32_t actor
      = id < OMEN_NONE ? omen_emit_actor (emitter, (uint32_t)id) : OMEN_NONE;
  if (actor == OMEN_NONE)
    return;
  add_symbol (trace, "name", name);
  if (actor != emitter->actor) {
    add_symbol (trace, "of",
                omen_names_text (&trace->names[OMEN_OPERAND_THREAD],
                                 emitter->actors.data[actor].thread));
    emit.count++;
  }
  omen_emit_event (
      emitter, OMEN_EMIT,
      omen_trace_name (trace, OMEN_OPERAND_SIGNAL, "omen_thread", 11));
  omen_emitter_last (emitter)->value = trace->emits.count;
  OMEN_VEC_PUSH (trace->emits, emit);
}

void
omen_emit_property_event (omen_emitter *emitter)
{
  static const char named[] = "omen_thread,";
  omen_trace *trace = emitter->trace;
  const omen_item *item = &emitter->item;
  uint64_t arg = omen_item_arg (item), count = arg & 0xff;
  omen_emit emit = { (uint32_t)trace->emit_args.count, (uint32_t)count };
  const char *text = string_of (emitter, item->a)->text, *word;
  size_t length;
  uint32_t signal;
  if (!strncmp (text, named, sizeof named - 1)) {
    emit_thread_name (emitter, text + sizeof named - 1);
    return;
  }
  text = next_word (text, &word, &length);
  signal = omen_trace_name (trace, OMEN_OPERAND_SIGNAL, word, length);
  for (uint64_t i = 0; i < count; i++) {
    const omen_raw_note *part = &item->parts[1 + i / 2];
    omen_emit_arg parameter;
    text = next_word (text, &word, &length);
    parameter.key = omen_names_id (&trace->strings, word, length);
    set_parameter (emitter, &parameter, i % 2 ? part->b : part->a,
                   arg >> (8 + i) & 1);
    OMEN_VEC_PUSH (trace->emit_args, parameter);
  }
  omen_emit_event (emitter, OMEN_EMIT, signal);
  omen_emitter_last (emitter)->value = trace->emits.count;
  OMEN_VEC_PUSH (trace->emits, emit);
}

/* OMEN_DEAD: emit(omen_dead,p=…), as in text traces. */
void
omen_emit_dead (omen_emitter *emitter)
{
  omen_trace *trace = emitter->trace;
  omen_emit emit = { (uint32_t)trace->emit_args.count, 1 };
  omen_emit_arg object = { .key = omen_names_id (&trace->strings, "p", 1) };
  set_parameter (emitter, &object, emitter->item.a, true);
  OMEN_VEC_PUSH (trace->emit_args, object);
  omen_emit_event (
      emitter, OMEN_EMIT,
      omen_trace_name (trace, OMEN_OPERAND_SIGNAL, "omen_dead", 9));
  omen_emitter_last (emitter)->value = trace->emits.count;
  OMEN_VEC_PUSH (trace->emits, emit);
}

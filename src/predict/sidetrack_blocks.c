#include "predict/sidetrack_state.h"

#include <string.h>

enum { CHOSEN_KNOWN = 1, CHOSEN_PLAIN = 2, CHOSEN_ENTRY = 4 };

/* ---- which blocks ---- */

static uint8_t
choice (omen_side_blocks *b, const omen_sidetrack_options *o, unsigned kind,
        uint32_t name)
{
  bool label = kind == OMEN_BEGIN;
  uint8_t *known;
  while (b->chosen[label].count <= name)
    OMEN_VEC_PUSH (b->chosen[label], 0);
  known = &b->chosen[label].data[name];
  if (OMEN_UNLIKELY (!*known)) {
    *known = CHOSEN_KNOWN;
    if (o->atomic (o->context, kind, name, false))
      *known |= CHOSEN_PLAIN;
    if (!label && o->atomic (o->context, kind, name, true))
      *known |= CHOSEN_ENTRY;
  }
  return *known;
}

/* ---- nodes ---- */

static uint32_t
new_node (omen_side_blocks *b, const omen_event *event, omen_eid e,
          uint32_t parent)
{
  omen_side_node node
      = { { event->kind, event->object, e }, parent, 1, UINT64_MAX };
  uint32_t id;
  if (parent != OMEN_NONE)
    b->nodes.data[parent].uses++;
  if (b->unused.count) {
    id = OMEN_VEC_POP (b->unused);
    b->nodes.data[id] = node;
    return id;
  }
  OMEN_VEC_PUSH (b->nodes, node);
  return (uint32_t)b->nodes.count - 1;
}

void
omen_side_use (omen_side_blocks *b, uint32_t node)
{
  OMEN_ASSERT (node < b->nodes.count && b->nodes.data[node].uses > 0);
  b->nodes.data[node].uses++;
}

void
omen_side_unuse (omen_side_blocks *b, uint32_t node)
{
  while (node != OMEN_NONE) {
    OMEN_ASSERT (node < b->nodes.count && b->nodes.data[node].uses > 0);
    if (--b->nodes.data[node].uses)
      break;
    OMEN_VEC_PUSH (b->unused, node);
    node = b->nodes.data[node].parent;
  }
}

void
omen_side_list (const omen_side_blocks *b, uint32_t node, uint64_t step,
                omen_blame *out)
{
  for (; node != OMEN_NONE; node = b->nodes.data[node].parent)
    if (b->nodes.data[node].closed >= step)
      OMEN_VEC_PUSH (*out, b->nodes.data[node].block);
}

/* ---- frames ---- */

omen_side_frame
omen_side_innermost (const omen_side_thread *t, uint64_t serial)
{
  omen_side_frame none = { 0, 0, 0, OMEN_NONE };
  size_t low;
  if (!t->atomic || t->bottom > serial)
    return none;
  low = OMEN_FIRST_NOT (i, 0, t->frames.count,
                        t->frames.data[i].serial <= serial);
  while (low && t->frames.data[low - 1].node == OMEN_NONE)
    low--;
  OMEN_ASSERT (low);
  return t->frames.data[low - 1];
}

static uint32_t
innermost_node (const omen_side_thread *t)
{
  return t->atomic ? omen_side_innermost (t, t->top).node : OMEN_NONE;
}

void
omen_side_open (omen_side_blocks *b, const omen_sidetrack_options *o,
                omen_side_thread *t, const omen_event *event, omen_eid e)
{
  uint8_t known = choice (b, o, event->kind, event->object);
  bool function = event->kind == OMEN_ENTER;
  bool entry = function && t->forked && !t->entered;
  omen_side_frame frame = { event->object, event->kind, 0, OMEN_NONE };
  t->entered |= function;
  if (known == CHOSEN_KNOWN)
    return;
  frame.serial = ++t->serial;
  if (known & (entry ? CHOSEN_ENTRY : CHOSEN_PLAIN)) {
    frame.node = new_node (b, event, e, innermost_node (t));
    if (!t->atomic++)
      t->bottom = frame.serial;
    t->top = frame.serial;
  }
  OMEN_ASSERT (!t->frames.count
               || OMEN_VEC_LAST (t->frames).serial < frame.serial);
  OMEN_VEC_PUSH (t->frames, frame);
}

static void
find_ends (omen_side_thread *t)
{
  bool first = true;
  for (size_t i = 0; i < t->frames.count; i++)
    if (t->frames.data[i].node != OMEN_NONE) {
      if (first)
        t->bottom = t->frames.data[i].serial;
      first = false;
      t->top = t->frames.data[i].serial;
    }
}

static void
close_frame (omen_side_blocks *b, omen_side_thread *t,
             const omen_side_frame *frame, uint64_t step)
{
  if (frame->node == OMEN_NONE)
    return;
  OMEN_ASSERT (t->atomic > 0
               && b->nodes.data[frame->node].closed == UINT64_MAX);
  b->nodes.data[frame->node].closed = step;
  omen_side_unuse (b, frame->node);
  t->atomic--;
}

void
omen_side_close (omen_side_blocks *b, omen_side_thread *t,
                 const omen_event *event, uint64_t step)
{
  unsigned kind = event->kind == OMEN_END ? OMEN_BEGIN : OMEN_ENTER;
  size_t i = t->frames.count;
  while (i
         && (t->frames.data[i - 1].kind != kind
             || t->frames.data[i - 1].name != event->object))
    i--;
  if (!i)
    return; /* opened before the trace, or not atomic */
  close_frame (b, t, &t->frames.data[i - 1], step);
  if (i == t->frames.count) {
    t->frames.count--;
    if (t->atomic) {
      while (i > 1 && t->frames.data[i - 2].node == OMEN_NONE)
        i--;
      OMEN_ASSERT (i > 1);
      t->top = t->frames.data[i - 2].serial;
    }
    return;
  }
  memmove (t->frames.data + i - 1, t->frames.data + i,
           (t->frames.count - i) * sizeof *t->frames.data);
  t->frames.count--;
  find_ends (t);
}

#include "predict/atomic.h"

#include <string.h>

void
omen_atomic_init (omen_atomic *atomic, omen_atomic_mode mode)
{
  memset (atomic, 0, sizeof *atomic);
  atomic->mode = mode;
  omen_names_init (&atomic->wanted);
  omen_names_init (&atomic->left_out);
}

void
omen_atomic_fini (omen_atomic *atomic)
{
  omen_names_fini (&atomic->wanted);
  omen_names_fini (&atomic->left_out);
}

/* ---- lists ---- */

static bool
is_blank (char c)
{
  return c == ' ' || c == '\t' || c == '\r';
}

static bool
take_line (omen_atomic *atomic, const char *line, size_t length)
{
  const char *comment = memchr (line, '#', length);
  if (comment)
    length = (size_t)(comment - line);
  while (length && is_blank (line[length - 1]))
    length--;
  while (length && is_blank (*line))
    line++, length--;
  for (size_t i = 0; i < length; i++)
    if (is_blank (line[i]))
      return false;
  if (length == 1 && *line == '*')
    atomic->every = true;
  else if (length && *line != '-')
    omen_names_id (&atomic->wanted, line, length);
  else if (length > 1)
    omen_names_id (&atomic->left_out, line + 1, length - 1);
  return length != 1 || *line != '-';
}

bool
omen_atomic_parse (omen_atomic *atomic, const char *path, const char *text,
                   size_t size, omen_err *err)
{
  const char *end = text + size;
  unsigned long number = 1;
  atomic->mode = OMEN_ATOMIC_LISTED;
  for (const char *line = text; line < end; number++) {
    const char *stop = memchr (line, '\n', (size_t)(end - line));
    size_t length = (size_t)((stop ? stop : end) - line);
    if (!take_line (atomic, line, length))
      return omen_err_at (err, path, number,
                          "not a name, -name or * on a line of its own");
    line += length + 1;
  }
  return true;
}

/* ---- choosing ---- */

static bool
listed (const omen_names *names, const char *name)
{
  return omen_names_find (names, name, strlen (name)) != OMEN_NONE;
}

/* Not main, and no part of a function that compilers make a function of, as
   threads of OpenMP are to run it. */
static bool
ordinary (const char *name, bool entry)
{
  return !entry && strcmp (name, "main") && !strstr (name, "omp_outlined")
         && !strstr (name, "omp_task_entry") && !strstr (name, "._omp_fn.");
}

bool
omen_atomic_chosen (const omen_atomic *atomic, unsigned kind, const char *name,
                    bool entry)
{
  OMEN_REQUIRE (kind == OMEN_BEGIN || kind == OMEN_ENTER);
  if (!atomic || atomic->mode <= OMEN_ATOMIC_STEADY)
    return kind == OMEN_BEGIN || ordinary (name, entry);
  if (atomic->mode == OMEN_ATOMIC_MARKED)
    return kind == OMEN_BEGIN;
  if (listed (&atomic->left_out, name))
    return false;
  if (kind == OMEN_BEGIN || atomic->every || listed (&atomic->wanted, name))
    return true;
  return !atomic->wanted.count && ordinary (name, entry);
}

const char *
omen_atomic_name (const omen_trace *trace, omen_eid open)
{
  const omen_event *event = omen_trace_event (trace, open);
  OMEN_REQUIRE (event->kind == OMEN_BEGIN || event->kind == OMEN_ENTER);
  return omen_names_text (&trace->names[omen_kind_operand (event->kind)],
                          event->object);
}

/* Guards of static locals, which compilers make: threads that find the
   variable uninitialised wait, whatever the function does. */
bool
omen_atomic_left_out (const omen_atomic *atomic, const omen_trace *trace,
                      omen_vid variable)
{
  static const char guard[] = "guard variable for ";
  return atomic && atomic->mode == OMEN_ATOMIC_STEADY
         && !strncmp (omen_trace_variable_name (trace, variable), guard,
                      sizeof guard - 1);
}

uint8_t *
omen_atomic_blocks (const omen_atomic *atomic, const omen_model *model)
{
  const omen_trace *trace = model->trace;
  uint8_t *chosen = omen_zalloc (model->block_count + 1, 1);
  for (omen_tid t = 0; t < model->thread_count; t++) {
    bool entered = trace->threads.data[t].forked_by == OMEN_NONE;
    for (uint32_t b = model->thread_blocks[t]; b < model->thread_blocks[t + 1];
         b++) {
      omen_eid open = model->blocks[b].open;
      unsigned kind = omen_model_event (model, open)->kind;
      bool entry = kind == OMEN_ENTER && !entered;
      chosen[b] = omen_atomic_chosen (atomic, kind,
                                      omen_atomic_name (trace, open), entry);
      entered |= kind == OMEN_ENTER;
    }
  }
  if (atomic && atomic->mode == OMEN_ATOMIC_STEADY)
    omen_atomic_leave_out_waiting (model, chosen);
  return chosen;
}

bool
omen_atomic_starts (const omen_atomic *atomic, const omen_model *model,
                    const uint8_t *chosen, omen_eid e1, omen_eid e2,
                    omen_tid other)
{
  omen_eid block;
  if (!atomic || atomic->mode != OMEN_ATOMIC_STEADY
      || !omen_model_must_before (model, e1,
                                  omen_trace_nth (model->trace, other, 0)))
    return false;
  block = omen_atomic_block (model, chosen, e1, e2);
  while (block != OMEN_NONE
         && omen_model_event (model, block)->kind == OMEN_ENTER)
    block = omen_atomic_around (model, chosen, block, e2);
  return block == OMEN_NONE;
}

static omen_eid
first_from (const omen_model *m, const uint8_t *chosen, uint32_t block,
            omen_eid early, omen_eid late)
{
  for (; block != OMEN_NONE; block = m->blocks[block].parent) {
    const omen_model_region *b = &m->blocks[block];
    if (chosen[block] && b->open < early
        && (b->close == OMEN_NONE || b->close > late))
      return b->open;
  }
  return OMEN_NONE;
}

omen_eid
omen_atomic_block (const omen_model *model, const uint8_t *chosen, omen_eid a,
                   omen_eid b)
{
  omen_eid early = a < b ? a : b, late = a < b ? b : a;
  OMEN_REQUIRE (omen_model_thread (model, a) == omen_model_thread (model, b));
  return first_from (model, chosen, omen_model_block (model, late), early,
                     late);
}

omen_eid
omen_atomic_around (const omen_model *model, const uint8_t *chosen,
                    omen_eid open, omen_eid e)
{
  uint32_t parent = model->blocks[model->at[open]].parent;
  OMEN_REQUIRE (model->blocks[model->at[open]].open == open && open < e);
  return first_from (model, chosen, parent, open, e);
}

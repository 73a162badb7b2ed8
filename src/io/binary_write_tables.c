/* Writes the tables of a trace as chunks, in the order of their kinds. */
#include "io/binary_writer.h"

static void
put_name (omen_chunk_writer *w, const omen_name *name)
{
  omen_chunk_varint (w, name->length);
  omen_chunk_bytes (w, name->text, name->length);
  omen_chunk_entry (w);
}

static void
put_names (omen_chunk_writer *w, uint32_t table, const omen_names *names)
{
  omen_chunk_open (w, OMEN_CHUNK_NAMES, table);
  for (uint32_t i = 0; i < names->count; i++)
    put_name (w, &names->names[i]);
  omen_chunk_close (w);
}

/* ---- strings: only those in use, numbered as they come up ---- */

static void
list_string (omen_chunk_writer *w, omen_sid string)
{
  OMEN_ASSERT (string == OMEN_NONE || string < w->trace->strings.count);
  if (string == OMEN_NONE || w->strings.data[string] != OMEN_NONE)
    return;
  w->strings.data[string] = (uint32_t)w->listed.count;
  OMEN_VEC_PUSH (w->listed, string);
}

static void
list_strings (omen_chunk_writer *w)
{
  const omen_trace *trace = w->trace;
  OMEN_VEC_RESERVE (w->strings, trace->strings.count);
  for (uint32_t i = 0; i < trace->strings.count; i++)
    w->strings.data[i] = OMEN_NONE;
  for (size_t i = 0; i < trace->emit_args.count; i++)
    list_string (w, trace->emit_args.data[i].key);
  for (size_t i = 0; i < trace->threads.count; i++)
    list_string (w, trace->threads.data[i].path);
  for (size_t i = 0; i < trace->modules.count; i++) {
    list_string (w, trace->modules.data[i].path);
    list_string (w, trace->modules.data[i].build_id);
  }
  list_string (w, trace->program);
  for (size_t i = 0; i < trace->layouts.members.count; i++)
    list_string (w, trace->layouts.members.data[i].name);
  for (size_t i = 0; i < trace->layouts.shapes.count; i++)
    list_string (w, trace->layouts.shapes.data[i].source);
  for (size_t i = 0; i < trace->sources.count; i++) {
    list_string (w, trace->sources.data[i].name);
    list_string (w, trace->sources.data[i].path);
  }
}

static uint32_t
string_of (const omen_chunk_writer *w, omen_sid string)
{
  uint32_t id = string == OMEN_NONE ? OMEN_NONE : w->strings.data[string];
  OMEN_ASSERT (string == OMEN_NONE || id < w->listed.count);
  return id;
}

static void
put_strings (omen_chunk_writer *w)
{
  list_strings (w);
  omen_chunk_open (w, OMEN_CHUNK_NAMES, OMEN_TABLE_STRINGS);
  for (size_t i = 0; i < w->listed.count; i++)
    put_name (w, &w->trace->strings.names[w->listed.data[i]]);
  omen_chunk_close (w);
}

/* ---- entries of fixed size ---- */

/* Write table `vec` of the trace: `fill` converts each entry. */
#define PUT_TABLE(w, chunk_kind, vec, type, fill)                              \
  do {                                                                         \
    omen_chunk_open ((w), (chunk_kind), OMEN_NONE);                            \
    for (size_t i_ = 0; i_ < (w)->trace->vec.count; i_++) {                    \
      type entry_ = fill ((w), &(w)->trace->vec.data[i_]);                     \
      omen_chunk_bytes ((w), &entry_, sizeof entry_);                          \
      omen_chunk_entry (w);                                                    \
    }                                                                          \
    omen_chunk_close (w);                                                      \
  } while (0)

static omen_file_place
file_place (const omen_chunk_writer *w, const omen_place *p)
{
  return (omen_file_place){ p->variable, p->offset, p->size };
}

static omen_file_value
file_init (const omen_chunk_writer *w, const omen_init *init)
{
  return (omen_file_value){ init->place, init->value_kind, init->value };
}

static omen_file_rmw
file_rmw (const omen_chunk_writer *w, const omen_rmw *rmw)
{
  return (omen_file_rmw){ { rmw->value[0], rmw->value[1] },
                          { rmw->value_kind[0], rmw->value_kind[1] } };
}

static omen_file_frame
file_frame (const omen_chunk_writer *w, const omen_frame *f)
{
  return (omen_file_frame){ f->function, f->location, f->caller };
}

static omen_file_module
file_module (const omen_chunk_writer *w, const omen_module *m)
{
  return (omen_file_module){ string_of (w, m->path), string_of (w, m->build_id),
                             m->base, m->size };
}

static omen_file_thread
file_thread (const omen_chunk_writer *w, const omen_thread *t)
{
  return (omen_file_thread){ string_of (w, t->path), t->count };
}

/* ---- the others ---- */

static void
put_emits (omen_chunk_writer *w)
{
  const omen_trace *trace = w->trace;
  omen_chunk_open (w, OMEN_CHUNK_EMITS, OMEN_NONE);
  for (size_t i = 0; i < trace->emits.count; i++) {
    const omen_emit *emit = &trace->emits.data[i];
    OMEN_ASSERT (emit->first + emit->count <= trace->emit_args.count);
    omen_chunk_varint (w, emit->count);
    for (uint32_t a = 0; a < emit->count; a++) {
      const omen_emit_arg *arg = &trace->emit_args.data[emit->first + a];
      omen_file_value value
          = { string_of (w, arg->key), arg->value_kind, arg->value };
      omen_chunk_bytes (w, &value, sizeof value);
    }
    omen_chunk_entry (w);
  }
  omen_chunk_close (w);
}

static void
put_extras (omen_chunk_writer *w)
{
  const omen_trace *trace = w->trace;
  omen_chunk_open (w, OMEN_CHUNK_EXTRAS, OMEN_NONE);
  for (size_t i = 0; i < trace->extras.count; i++) {
    const omen_extra *x = &trace->extras.data[i];
    OMEN_ASSERT (x->first_read + x->reads <= trace->dependences.count);
    omen_file_extra extra = { x->event, x->branch, x->stack, x->reads };
    omen_chunk_bytes (w, &extra, sizeof extra);
    for (uint32_t r = 0; r < x->reads; r++)
      omen_chunk_bytes (w, &trace->dependences.data[x->first_read + r],
                        sizeof (uint32_t));
    omen_chunk_entry (w);
  }
  omen_chunk_close (w);
}

static void
put_part (omen_chunk_writer *w, const omen_layout_member *m)
{
  omen_file_part part = { string_of (w, m->name),
                          m->layout,
                          m->bit,
                          m->bits,
                          m->is_signed ? OMEN_PART_SIGNED : 0,
                          0 };
  omen_chunk_bytes (w, &part, sizeof part);
}

static void
put_layouts (omen_chunk_writer *w)
{
  const omen_layouts *layouts = &w->trace->layouts;
  omen_chunk_open (w, OMEN_CHUNK_LAYOUTS, OMEN_NONE);
  w->header.flags |= OMEN_CHUNK_OPTIONAL;
  for (size_t i = 0; i < layouts->list.count; i++) {
    const omen_layout *layout = &layouts->list.data[i];
    omen_file_layout head = { layout->count, omen_layout_flags (layout) };
    omen_chunk_bytes (w, &head, sizeof head);
    for (uint32_t m = 0; m < layout->count; m++)
      put_part (w, &layouts->members.data[layout->first + m]);
    omen_chunk_entry (w);
  }
  omen_chunk_close (w);
}

static void
put_shapes (omen_chunk_writer *w)
{
  const omen_layouts *layouts = &w->trace->layouts;
  omen_chunk_open (w, OMEN_CHUNK_SHAPES, OMEN_NONE);
  w->header.flags |= OMEN_CHUNK_OPTIONAL;
  for (size_t i = 0; i < layouts->shapes.count; i++) {
    const omen_variable_shape *shape = &layouts->shapes.data[i];
    omen_file_shape entry
        = { shape->layout, string_of (w, shape->source), shape->from };
    omen_chunk_bytes (w, &entry, sizeof entry);
    omen_chunk_entry (w);
  }
  omen_chunk_close (w);
}

static void
put_sources (omen_chunk_writer *w)
{
  omen_chunk_open (w, OMEN_CHUNK_SOURCES, OMEN_NONE);
  w->header.flags |= OMEN_CHUNK_OPTIONAL;
  for (size_t i = 0; i < w->trace->sources.count; i++) {
    const omen_source_file *source = &w->trace->sources.data[i];
    omen_file_source entry
        = { string_of (w, source->name), string_of (w, source->path) };
    omen_chunk_bytes (w, &entry, sizeof entry);
    omen_chunk_entry (w);
  }
  omen_chunk_close (w);
}

static void
put_homes (omen_chunk_writer *w)
{
  omen_chunk_open (w, OMEN_CHUNK_HOMES, OMEN_NONE);
  w->header.flags |= OMEN_CHUNK_OPTIONAL;
  for (size_t i = 0; i < w->trace->homes.count; i++) {
    const omen_home *home = &w->trace->homes.data[i];
    omen_file_home entry
        = { home->thread, home->stack, home->size, home->offset };
    omen_chunk_bytes (w, &entry, sizeof entry);
    omen_chunk_entry (w);
  }
  omen_chunk_close (w);
}

static void
put_program (omen_chunk_writer *w)
{
  omen_file_program program
      = { string_of (w, w->trace->program), w->trace->flags };
  omen_chunk_open (w, OMEN_CHUNK_PROGRAM, OMEN_NONE);
  omen_chunk_bytes (w, &program, sizeof program);
  omen_chunk_entry (w);
  omen_chunk_close (w);
}

void
omen_chunk_tables (omen_chunk_writer *w)
{
  const omen_trace *trace = w->trace;
  put_strings (w);
  put_names (w, OMEN_TABLE_LOCATIONS, &trace->locations);
  put_names (w, OMEN_TABLE_SYMBOLS, &trace->symbols);
  for (uint32_t i = 0; i < OMEN_OPERANDS; i++)
    put_names (w, i, &trace->names[i]);
  PUT_TABLE (w, OMEN_CHUNK_PLACES, places, omen_file_place, file_place);
  PUT_TABLE (w, OMEN_CHUNK_INITS, inits, omen_file_value, file_init);
  PUT_TABLE (w, OMEN_CHUNK_RMWS, rmws, omen_file_rmw, file_rmw);
  put_emits (w);
  PUT_TABLE (w, OMEN_CHUNK_STACKS, stacks, omen_file_frame, file_frame);
  PUT_TABLE (w, OMEN_CHUNK_MODULES, modules, omen_file_module, file_module);
  PUT_TABLE (w, OMEN_CHUNK_THREADS, threads, omen_file_thread, file_thread);
  put_program (w);
  put_layouts (w);
  put_shapes (w);
  put_sources (w);
  put_homes (w);
  put_extras (w);
}

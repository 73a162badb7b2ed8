/* Variables that occur in state predicates and that libraries can write. Writes
   by an uninstrumented library are not recorded, so until woven code reads the
   variable, state predicates would be evaluated on its old value. Therefore

   - when control passes to such a library, and when it returns, an `ext` event
     marks the value of the variable as unknown;
   - while another thread is in a library, or a thread that a library started is
     running, every write of woven code is followed by such an `ext`.

   No library can write a variable whose address no woven code passes on and
   that no library can name (OMEN_OBJECT_CONFINED). */
#include "recording/events/events.h"

static bool
is_watched (const omen_emitter *emitter, const omen_data_object *object)
{
  const omen_past_filter *filter = emitter->past.filter;
  const omen_trace *strings = emitter->file->reader->trace;
  return object->watched
         || (filter && filter->watched
             && filter->watched (
                 filter->context,
                 omen_names_text (&strings->strings, object->name)));
}

/* More objects may have become known in a file that grows. */
static void
find_reached (omen_emitter *emitter)
{
  const omen_notes_file *file = emitter->file;
  if (emitter->reached_of == file->objects.count)
    return;
  OMEN_VEC_CLEAR (emitter->reached);
  for (size_t i = 0; i < file->objects.count; i++)
    if (!file->objects.data[i].confined
        && is_watched (emitter, &file->objects.data[i]))
      OMEN_VEC_PUSH (emitter->reached, (uint32_t)i);
  emitter->reached_of = file->objects.count;
}

/* Those that share a byte with the range may have changed. */
static void
emit_reached (omen_emitter *emitter, uint64_t address, uint64_t end)
{
  find_reached (emitter);
  for (size_t i = 0; i < emitter->reached.count; i++) {
    const omen_data_object *object
        = &emitter->file->objects.data[emitter->reached.data[i]];
    if (object->address < end && address < object->address + object->size)
      omen_emit_external (emitter, object->address, object->size);
  }
}

void
omen_emit_left (omen_emitter *emitter, bool left)
{
  omen_actor *me = omen_emitter_me (emitter);
  emitter->elsewhere += (uint32_t)left - me->elsewhere;
  me->elsewhere = left;
  emit_reached (emitter, 0, UINT64_MAX);
}

void
omen_emit_forked (omen_emitter *emitter)
{
  if (omen_emit_outside (emitter) == OMEN_OUTSIDE_LIBRARY)
    emitter->elsewhere++;
}

void
omen_emit_written (omen_emitter *emitter, uint64_t address, uint64_t size)
{
  if (OMEN_UNLIKELY (emitter->elsewhere > omen_emitter_me (emitter)->elsewhere))
    emit_reached (emitter, address, address + size);
}

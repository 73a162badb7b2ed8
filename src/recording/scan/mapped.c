/* Do addresses alone tell which memory is meant (log/mappings.h)? */
#include "recording/merge/merge.h"

/* Other memory where a file was mapped that has other addresses, too. */
static bool
is_other (const omen_mappings *mappings, const omen_item *item)
{
  omen_own_memory own;
  switch (item->kind) {
  case OMEN_ITEM_ALLOC:
    return !(omen_item_arg (item) >> 56 & OMEN_ALLOC_SHARED)
           && omen_mappings_overlap (mappings, item->a,
                                     omen_item_arg (item) & OMEN_ALLOC_SIZE);
  case OMEN_ITEM_THREAD_BEGIN:
    own = omen_item_own_memory (item);
    return omen_mappings_overlap (mappings, own.stack,
                                  own.stack_end - own.stack);
  default:
    return false;
  }
}

/* An access of memory that is not in one piece in the first mapping. */
static bool
is_broken (const omen_notes_file *file, const omen_item *item)
{
  omen_extent all = { 0 };
  if (omen_mappings_concern (item->kind))
    all = omen_item_extent (file, item);
  return all.length
         && omen_mappings_first (&file->mappings, all.address + all.length - 1)
                    - omen_mappings_first (&file->mappings, all.address)
                != all.length - 1;
}

static bool
is_vague (const omen_notes_file *file, const omen_notes_thread *thread)
{
  omen_note_cursor cursor;
  omen_item item;
  bool vague = false;
  omen_cursor_init (&cursor, file, thread);
  while (!vague && omen_cursor_peek (&cursor, &item)) {
    vague = is_other (&file->mappings, &item) || is_broken (file, &item);
    omen_cursor_pass (&cursor, &item);
  }
  omen_cursor_fini (&cursor);
  return vague;
}

/* The dynamic linker's mappings are not recorded. */
static bool
has_module (const omen_notes_file *file)
{
  const omen_trace *trace = file->reader->trace;
  bool has = false;
  for (size_t i = 0; i < trace->modules.count && !has; i++)
    has = omen_mappings_overlap (&file->mappings, trace->modules.data[i].base,
                                 trace->modules.data[i].size);
  return has;
}

void
omen_notes_unify (omen_notes_file *file)
{
  bool vague = has_module (file);
  for (size_t t = 0;
       t < file->threads.count && file->mappings.parts.count && !vague; t++)
    vague = is_vague (file, &file->threads.data[t]);
  if (vague)
    omen_mappings_give_up (&file->mappings);
  file->mappings.unify = file->mappings.parts.count;
}

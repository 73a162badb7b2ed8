/* Places in the source, and names of objects that only have an address. */
#include "trace/places.h"
#include "recording/events/events.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define NAME_MAX_ 512
#define REGION_BITS 16

static const char *
text_of (const omen_emitter *emitter, uint32_t string)
{
  return string == OMEN_NONE
             ? ""
             : omen_names_text (&emitter->trace->strings, string);
}

static uint32_t
location_id (omen_emitter *emitter, const char *file, uint32_t line)
{
  char text[NAME_MAX_];
  int length = *file && line
                   ? snprintf (text, sizeof text, "%.480s:%u", file, line)
                   : snprintf (text, sizeof text, "%.480s", file);
  return omen_names_id (&emitter->trace->locations, text, (size_t)length);
}

/* ---- sites ---- */

static const char *
site_file (const omen_emitter *emitter, const omen_file_site *site)
{
  return text_of (emitter, site->file);
}

uint32_t
omen_emit_site_shown (omen_emitter *emitter, uint32_t id)
{
  uint32_t *known = &emitter->site_shown.data[id], shown = id;
  const omen_file_site *site = omen_notes_site (emitter->file, id);
  if (*known != OMEN_NONE)
    return *known;
  while (omen_place_is_library (site_file (emitter, site)) && site->caller) {
    shown = site->caller;
    site = omen_notes_site (emitter->file, shown);
  }
  return *known
         = omen_place_is_library (site_file (emitter, site)) ? id : shown;
}

uint32_t
omen_emit_site_line (omen_emitter *emitter, uint32_t id)
{
  const omen_file_site *site = omen_notes_site (emitter->file, id);
  return location_id (emitter, site_file (emitter, site), site->line);
}

uint32_t
omen_emit_site_location (omen_emitter *emitter, uint32_t id)
{
  uint32_t *known = &emitter->site_locations.data[id];
  if (*known == OMEN_NONE)
    *known = omen_emit_site_line (emitter, omen_emit_site_shown (emitter, id));
  return *known;
}

/* The name in "name
   file
   line". */
uint32_t
omen_emit_function (omen_emitter *emitter, uint32_t id)
{
  uint32_t *known = &emitter->site_functions.data[id];
  const char *text
      = text_of (emitter, omen_notes_site (emitter->file, id)->function);
  size_t length = strcspn (text, "\n");
  if (*known == OMEN_NONE)
    *known = omen_trace_name (emitter->trace, OMEN_OPERAND_FUNCTION,
                              length ? text : "?", length ? length : 1);
  return *known;
}

/* ---- calls ---- */

uint32_t
omen_emit_code_shown (const omen_emitter *emitter, uint64_t pc)
{
  const omen_code_place *code = emitter->file->code.data;
  uint32_t entry = omen_notes_code (emitter->file, pc), shown = entry;
  if (entry == OMEN_NONE)
    return OMEN_NONE;
  while (omen_place_is_library (text_of (emitter, code[shown].file))
         && code[shown].caller != OMEN_NONE)
    shown = code[shown].caller;
  if (omen_place_is_library (text_of (emitter, code[shown].file)))
    shown = entry;
  return shown;
}

uint32_t
omen_emit_code_line (omen_emitter *emitter, uint32_t entry)
{
  const omen_code_place *code = &emitter->file->code.data[entry];
  return location_id (emitter, text_of (emitter, code->file), code->line);
}

/* If nothing is known about the code: the file that it is in. */
static uint32_t
module_location (omen_emitter *emitter, uint64_t pc)
{
  const omen_trace *trace = emitter->trace;
  for (size_t i = 0; i < trace->modules.count; i++) {
    const omen_module *module = &trace->modules.data[i];
    const char *path = text_of (emitter, module->path), *base;
    char text[NAME_MAX_];
    int length;
    if (pc - module->base >= module->size)
      continue;
    base = strrchr (path, '/');
    length = snprintf (text, sizeof text, "%.400s+%#" PRIx64,
                       base ? base + 1 : path, pc - module->base);
    return omen_names_id (&emitter->trace->locations, text, (size_t)length);
  }
  return omen_names_id (&emitter->trace->locations, "", 0);
}

uint32_t
omen_emit_pc_location (omen_emitter *emitter, uint64_t pc)
{
  uint32_t *known, entry;
  if (pc == OMEN_MAP_NO_KEY)
    pc = 0;
  known = omen_map_at (&emitter->pc_locations, pc);
  if (*known != OMEN_NONE)
    return *known;
  entry = omen_emit_code_shown (emitter, pc);
  return *known = entry == OMEN_NONE ? module_location (emitter, pc)
                                     : omen_emit_code_line (emitter, entry);
}

/* ---- variables ---- */

static omen_vid
new_variable (omen_emitter *emitter, const char *text, size_t length)
{
  return omen_names_again (&emitter->trace->names[OMEN_OPERAND_VARIABLE], text,
                           length);
}

omen_vid
omen_emit_heap_name (omen_emitter *emitter, bool map)
{
  char text[NAME_MAX_];
  const char *where
      = omen_names_text (&emitter->trace->locations, emitter->location);
  int length = snprintf (text, sizeof text, "%s%s%.480s",
                         map ? "mmap" : "malloc", *where ? "@" : "", where);
  return new_variable (emitter, text, (size_t)length);
}

/* A block that is too small for one is something else. */
void
omen_emit_heap_type (omen_emitter *emitter, omen_vid v, uint64_t size)
{
  uint32_t entry
      = omen_notes_code (emitter->file, omen_item_pc (&emitter->item));
  const omen_code_place *place
      = entry == OMEN_NONE ? NULL : &emitter->file->code.data[entry];
  if (!place || !place->size || size < place->size)
    return;
  bool many = size > place->size && !(size % place->size);
  omen_layouts_shape (
      &emitter->trace->layouts, v,
      (omen_variable_shape){ many ? place->elements : place->layout, OMEN_NONE,
                             0 });
  omen_layouts_type (&emitter->trace->layouts, v, place->type);
}

/* "fd5@server.c:12", where it was opened, or "fd5" */
omen_vid
omen_emit_descriptor_name (omen_emitter *emitter, uint64_t fd)
{
  char text[NAME_MAX_];
  bool made = omen_item_arg (&emitter->item) == OMEN_DESCRIPTOR_MADE;
  const char *where
      = omen_names_text (&emitter->trace->locations, emitter->location);
  int length = snprintf (text, sizeof text, "fd%" PRIu64 "%s%.480s", fd,
                         made && *where ? "@" : "", made ? where : "");
  return new_variable (emitter, text, (size_t)length);
}

omen_vid
omen_emit_local_name (omen_emitter *emitter, uint32_t id)
{
  char text[NAME_MAX_];
  const omen_file_site *site = omen_notes_site (emitter->file, id);
  const char *name = text_of (emitter, site->name);
  const char *function = text_of (emitter, site->function);
  int length
      = snprintf (text, sizeof text, "%.240s@%.*s", *name ? name : "local",
                  (int)strcspn (function, "\n") % 240, function);
  return new_variable (emitter, text, (size_t)length);
}

omen_vid
omen_emit_thread_locals_name (omen_emitter *emitter)
{
  char text[NAME_MAX_];
  const char *thread
      = omen_names_text (&emitter->trace->names[OMEN_OPERAND_THREAD],
                         omen_emitter_me (emitter)->thread);
  int length = snprintf (text, sizeof text, "tls@%.240s", thread);
  return new_variable (emitter, text, (size_t)length);
}

/* "mapped@1", "mapped@2", …: files that have several addresses */
static omen_vid
mapped_name (omen_emitter *emitter)
{
  const omen_names *names = &emitter->trace->names[OMEN_OPERAND_VARIABLE];
  char text[NAME_MAX_];
  int length;
  unsigned i = 1;
  do
    length = snprintf (text, sizeof text, "mapped@%u", i++);
  while (omen_names_find (names, text, (size_t)length) != OMEN_NONE);
  return new_variable (emitter, text, (size_t)length);
}

/* A module's data is one variable where nothing else is known. */
omen_vid
omen_emit_region_name (omen_emitter *emitter, uint64_t address, uint64_t *base,
                       uint64_t *size)
{
  const omen_trace *trace = emitter->trace;
  const omen_mapped_part *part;
  char text[NAME_MAX_];
  int length;
  for (size_t i = 0; i < trace->modules.count; i++) {
    const omen_module *module = &trace->modules.data[i];
    if (address - module->base < module->size && module->size < UINT32_MAX) {
      const char *path = text_of (emitter, module->path);
      const char *slash = strrchr (path, '/');
      const char *name = slash ? slash + 1 : path;
      *base = module->base;
      *size = module->size;
      return new_variable (emitter, name, strlen (name));
    }
  }
  part = omen_mappings_find (&emitter->file->mappings, address);
  if (part && part->end - part->start < UINT32_MAX) {
    *base = part->start;
    *size = part->end - part->start;
    return mapped_name (emitter);
  }
  *base = address >> REGION_BITS << REGION_BITS;
  *size = (uint64_t)1 << REGION_BITS;
  length = snprintf (text, sizeof text, "mem@%" PRIx64, *base);
  return new_variable (emitter, text, (size_t)length);
}

/* ---- objects ---- */

/* The object of the library that begins there: its file's name. */
uint32_t
omen_emit_library (omen_emitter *emitter, uint64_t base)
{
  const omen_trace *trace = emitter->trace;
  const char *name = "?";
  for (size_t i = 0; i < trace->modules.count; i++)
    if (trace->modules.data[i].base == base) {
      const char *path = text_of (emitter, trace->modules.data[i].path);
      const char *slash = strrchr (path, '/');
      name = slash ? slash + 1 : path;
    }
  return omen_trace_name (emitter->trace, OMEN_OPERAND_OBJECT, name,
                          strlen (name));
}

/* "m", "accounts+48"; the second object of a name is "m~1". */
uint32_t
omen_emit_object_name (omen_emitter *emitter, omen_operand table,
                       uint64_t address, uint32_t b)
{
  omen_trace *trace = emitter->trace;
  char text[NAME_MAX_];
  int length;
  if (b == OMEN_NONE)
    length = snprintf (text, sizeof text, "%#" PRIx64, address);
  else {
    const omen_block *block = &emitter->blocks.blocks.data[b];
    const char *name = omen_trace_variable_name (trace, block->variable);
    uint64_t offset = address - block->base;
    length = offset
                 ? snprintf (text, sizeof text, "%.460s+%" PRIu64, name, offset)
                 : snprintf (text, sizeof text, "%.460s", name);
  }
  for (unsigned i = 1, first = (unsigned)length;
       omen_names_find (&trace->names[table], text, (size_t)length)
       != OMEN_NONE;
       i++)
    length
        = (int)first + snprintf (text + first, sizeof text - first, "~%u", i);
  return omen_trace_name (trace, table, text, (size_t)length);
}

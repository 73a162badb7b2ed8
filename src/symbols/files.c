/* Files of the source: what they are called, and where they are. */
#include "symbols/module_state.h"
#include "trace/places.h"

#include <stdio.h>
#include <string.h>

/* How much of the path, up to a name, is in the folder's path, too: "/a/" of
   /a/b.c and /a/d. */
static size_t
common_folder (const char *path, const char *folder)
{
  size_t common = 0;
  for (size_t i = 0; path[i] == folder[i] || !folder[i]; i++) {
    if (path[i] == '/')
      common = i + 1;
    if (!path[i] || !folder[i])
      break;
  }
  return common;
}

/* Where the compiler ran, or NULL. */
static const char *
folder_of (Dwarf_Die *unit)
{
  Dwarf_Attribute attribute;
  return dwarf_formstring (dwarf_attr (unit, DW_AT_comp_dir, &attribute));
}

/* As clang, and so the weaver, has it: relative to the folder where the
   compiler ran, or the nearest folder around that; so it is the same wherever
   the program is compiled. Files of the system keep their path, by which they
   are known. */
const char *
omen_elf_file_name (omen_elf *elf, Dwarf_Die *unit, const char *path)
{
  const char *folder = folder_of (unit);
  size_t common;
  if (!path)
    return NULL;
  common = folder && *path == '/' ? common_folder (path, folder) : 0;
  if (common > 1 && !omen_place_is_library (path))
    path += common;
  return omen_elf_keep (elf, path);
}

void
omen_elf_sources (omen_elf *elf, omen_elf_visit_source visit, void *data)
{
  for (size_t i = 0; i < elf->units.count; i++) {
    Dwarf_Die *unit = elf->units.data[i].die;
    Dwarf_Files *files;
    size_t count;
    if (dwarf_getsrcfiles (unit, &files, &count))
      continue;
    for (size_t k = 0; k < count; k++) {
      const char *path = dwarf_filesrc (files, k, NULL, NULL);
      if (path) {
        /* Folders of the line table may be relative to that of the compiler. */
        const char *folder = folder_of (unit);
        char joined[4096];
        int length = snprintf (joined, sizeof joined, "%s%s%s",
                               *path == '/' || !folder ? "" : folder,
                               *path == '/' || !folder ? "" : "/", path);
        if (*joined == '/' && (size_t)length < sizeof joined)
          visit (data, omen_elf_file_name (elf, unit, path), joined);
      }
    }
  }
}

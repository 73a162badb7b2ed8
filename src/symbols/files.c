/* Names and paths of source files. */
#include "symbols/module_state.h"
#include "trace/places.h"

#include <stdio.h>
#include <string.h>

/* The length of the common directory prefix of a path and a directory: "/a/"
   for /a/b.c and /a/d. */
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

/* The compilation directory, or NULL. */
static const char *
folder_of (Dwarf_Die *unit)
{
  Dwarf_Attribute attribute;
  return dwarf_formstring (dwarf_attr (unit, DW_AT_comp_dir, &attribute));
}

/* "/usr/include/c++" for "/usr/lib/gcc/x86_64/12/../../../../include/c++". */
static void
remove_dots (const char *path, char *plain)
{
  size_t end = 0;
  while (*path) {
    size_t length = 1 + strcspn (path + 1, "/");
    if (length == 3 && !memcmp (path, "/..", 3))
      while (end && plain[--end] != '/')
        ;
    else if (length != 1 && !(length == 2 && path[1] == '.'))
      memcpy (plain + end, path, length), end += length;
    path += length;
  }
  plain[end] = 0;
}

/* The name as clang, and so the weaver, gives it: relative to the compilation
   directory or its nearest common parent, so that it does not depend on where
   the program is compiled. System files keep their absolute path, without dots.
 */
const char *
omen_elf_file_name (omen_elf *elf, Dwarf_Die *unit, const char *path)
{
  const char *folder = folder_of (unit);
  char plain[4096];
  size_t common;
  if (!path)
    return NULL;
  if (!strncmp (path, "/usr/", 5) && strlen (path) < sizeof plain) {
    remove_dots (path, plain);
    path = plain;
  }
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
        /* directories in the line table may be relative to the compilation
           directory */
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

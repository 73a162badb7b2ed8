#include "report/sources.h"
#include "report/finder.h"
#include "report/reporter.h"
#include "report/script.h"

#include <stdlib.h>
#include <string.h>

#define FILE_MAX_BYTES (8u << 20)

void
omen_sources_init (omen_source_lines *sources, const omen_trace *trace,
                   const omen_source_paths *paths)
{
  *sources = (omen_source_lines){ .trace = trace, .paths = paths };
  omen_names_init (&sources->files);
}

void
omen_sources_fini (omen_source_lines *sources)
{
  omen_names_fini (&sources->files);
  OMEN_VEC_FINI (sources->ranges);
}

void
omen_sources_want (omen_source_lines *sources, const char *location,
                   unsigned around)
{
  unsigned long line;
  size_t length = omen_reporter_file (location, &line);
  if (!line || line > UINT32_MAX / 2 || !length)
    return;
  uint32_t first = line > around ? (uint32_t)line - around : 1;
  uint32_t file = omen_names_id (&sources->files, location, length);
  OMEN_VEC_PUSH (sources->ranges,
                 ((omen_source_range){ file, first, (uint32_t)line + around }));
}

static int
by_place (const void *a, const void *b)
{
  const omen_source_range *x = a, *y = b;
  if (x->file != y->file)
    return x->file < y->file ? -1 : 1;
  return x->first < y->first ? -1 : x->first > y->first;
}

/* The whole file, NUL-terminated; NULL if absent, too large or binary. */
static char *
read_text (const omen_trace *trace, const omen_source_paths *paths,
           const char *name, size_t length)
{
  char path[OMEN_PATH_MAX];
  FILE *file = omen_source_find (trace, paths, name, length, path)
                   ? fopen (path, "re")
                   : NULL;
  char *text = NULL;
  size_t size;
  if (!file)
    return NULL;
  text = omen_alloc (FILE_MAX_BYTES + 1);
  size = fread (text, 1, FILE_MAX_BYTES, file);
  text[size] = 0;
  if (size == FILE_MAX_BYTES || strlen (text) != size) {
    omen_free (text);
    text = NULL;
  }
  fclose (file);
  return text;
}

static void
write_lines (const char *text, const omen_source_range *ranges, size_t count,
             FILE *out)
{
  uint32_t line = 1;
  size_t range = 0;
  bool any = false;
  while (*text && range < count) {
    size_t length = strcspn (text, "\n");
    while (range < count && ranges[range].last < line)
      range++;
    if (range < count && ranges[range].first <= line) {
      size_t shown = length && text[length - 1] == '\r' ? length - 1 : length;
      fprintf (out, "%s\"%u\":", any ? "," : "", line);
      omen_script_text_n (text, shown, out);
      any = true;
    }
    text += length + (text[length] == '\n');
    line++;
  }
}

static size_t
same_file (const omen_source_lines *sources, size_t i)
{
  size_t end = i;
  while (end < sources->ranges.count
         && sources->ranges.data[end].file == sources->ranges.data[i].file)
    end++;
  return end;
}

void
omen_sources_write (omen_source_lines *sources, FILE *out)
{
  bool any = false;
  size_t end;
  OMEN_VEC_SORT (sources->ranges, by_place);
  fputc ('{', out);
  for (size_t i = 0; i < sources->ranges.count; i = end) {
    const char *path
        = omen_names_text (&sources->files, sources->ranges.data[i].file);
    char *text
        = read_text (sources->trace, sources->paths, path, strlen (path));
    end = same_file (sources, i);
    if (!text)
      continue;
    fputs (any ? ",\n" : "", out);
    omen_script_text (path, out);
    fputs (":{", out);
    write_lines (text, sources->ranges.data + i, end - i, out);
    fputc ('}', out);
    any = true;
    omen_free (text);
  }
  fputc ('}', out);
}

static const char *
skip_lines (const char *text, unsigned long count)
{
  while (count-- && *text) {
    text += strcspn (text, "\n");
    text += *text == '\n';
  }
  return text;
}

bool
omen_excerpt_load (omen_excerpt *excerpt, const omen_trace *trace,
                   const omen_source_paths *paths, const char *location,
                   unsigned around)
{
  unsigned long line;
  size_t length = omen_reporter_file (location, &line);
  *excerpt = (omen_excerpt){ 0 };
  OMEN_REQUIRE (2 * around + 1 <= OMEN_COUNT (excerpt->lines));
  if (!line)
    return false;
  excerpt->content = read_text (trace, paths, location, length);
  if (!excerpt->content)
    return false;
  excerpt->first = line > around ? line - around : 1;
  const char *at = skip_lines (excerpt->content, excerpt->first - 1);
  while (*at && excerpt->first + excerpt->count <= line + around) {
    size_t size = strcspn (at, "\r\n");
    excerpt->lines[excerpt->count++] = (omen_excerpt_line){ at, size };
    at = skip_lines (at, 1);
  }
  if (excerpt->count)
    return true;
  omen_excerpt_fini (excerpt);
  return false;
}

void
omen_excerpt_fini (omen_excerpt *excerpt)
{
  omen_free (excerpt->content);
  *excerpt = (omen_excerpt){ 0 };
}

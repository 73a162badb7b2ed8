/* Pieces of C shared by the writers of modules. */
#include "driver/module/module.h"

#include <ctype.h>
#include <string.h>

void
omen_module_quote (FILE *out, const char *text)
{
  putc ('"', out);
  for (; *text; text++)
    if (*text == '"' || *text == '\\')
      fprintf (out, "\\%c", *text);
    else if (isprint ((unsigned char)*text))
      putc (*text, out);
    else
      fprintf (out, "\\%03o", (unsigned char)*text);
  putc ('"', out);
}

void
omen_module_preamble (FILE *out, const omen_spec *spec)
{
  fprintf (out, "#line 1 ");
  omen_module_quote (out, spec->path);
  fprintf (out, "\n%.*s\n", (int)spec->preamble, spec->text);
}

/* ---- types ---- */

static void
add_type (omen_texts *types, const char *type)
{
  for (size_t i = 0; i < types->count; i++)
    if (!strcmp (types->data[i], type))
      return;
  OMEN_VEC_PUSH (*types, type);
}

void
omen_module_types (const omen_spec *spec, omen_texts *types)
{
  for (size_t p = 0; p < spec->properties.count; p++) {
    const omen_spec_property *property = &spec->properties.data[p];
    for (size_t i = 0; i < property->parameters.count; i++)
      if (property->parameters.data[i].type)
        add_type (types, property->parameters.data[i].type);
    for (size_t e = 0; e < property->events.count; e++)
      for (size_t c = 0; c < property->events.data[e].cuts.count; c++) {
        const omen_cut *cut = &property->events.data[e].cuts.data[c];
        for (uint32_t a = 0; a < cut->arg_count; a++)
          if (cut->args[a].kind == OMEN_ARG_NAME && cut->args[a].type)
            add_type (types, cut->args[a].type);
        if (cut->returning_type)
          add_type (types, cut->returning_type);
      }
  }
}

void
omen_module_write_types (FILE *out, const omen_spec *spec,
                         const omen_texts *types)
{
  fprintf (out, "#include <omen-module.h>\n");
  omen_module_preamble (out, spec);
  fprintf (out, "#line 1 \"omen-types\"\n");
  for (size_t i = 0; i < types->count; i++)
    fprintf (out, "typedef %s omen_type_%zu;\n", types->data[i], i);
}

static bool
is_unknown (const omen_module_source *source, const char *type)
{
  for (size_t i = 0; i < source->unknown->count; i++)
    if (!strcmp (source->unknown->data[i], type))
      return true;
  return false;
}

static bool
is_type (const char *type, const char *name)
{
  size_t length = strlen (name);
  return !strncmp (type, name, length)
         && type[length + strspn (type + length, " ")] == 0;
}

void
omen_module_declare (FILE *out, const omen_module_source *source,
                     const char *type, const char *name, const char *word)
{
  bool known = type && !is_unknown (source, type);
  fprintf (out, "  __attribute__ ((unused)) ");
  if (known && (is_type (type, "double") || is_type (type, "float")))
    fprintf (out, "%s %s = omen_as_%s (%s);\n", type, name, type, word);
  else if (known)
    fprintf (out, "%s %s = (%s)(uintptr_t)(%s);\n", type, name, type, word);
  else if (type && strchr (type, '*'))
    fprintf (out, "void *%s = (void *)(uintptr_t)(%s);\n", name, word);
  else
    fprintf (out, "long %s = (long)(%s);\n", name, word);
}

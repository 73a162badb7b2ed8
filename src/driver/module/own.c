/* User-written monitors in modules: their files are included, each once, and a
   table omen_own_P_F is named after the first formula that uses it. */
#include "driver/module/module.h"
#include "spec/logic.h"

#include <string.h>

static const char *
path_of_monitor (const omen_spec *spec, size_t p, size_t f)
{
  const omen_spec_formula *formula = &spec->properties.data[p].formulas.data[f];
  return formula->logic == &omen_logic_monitor ? formula->formula : NULL;
}

/* Find the first formula with that file. */
static void
first_with (const omen_spec *spec, const char *path, size_t *p, size_t *f)
{
  for (*p = 0; *p < spec->properties.count; ++*p)
    for (*f = 0; *f < spec->properties.data[*p].formulas.count; ++*f) {
      const char *other = path_of_monitor (spec, *p, *f);
      if (other && !strcmp (other, path))
        return;
    }
  OMEN_ASSERT (!"the file of a formula");
}

void
omen_module_own_files (FILE *out, const omen_spec *spec)
{
  for (size_t p = 0; p < spec->properties.count; p++)
    for (size_t f = 0; f < spec->properties.data[p].formulas.count; f++) {
      const char *path = path_of_monitor (spec, p, f);
      omen_place_in_file at;
      size_t p1, f1;
      if (!path)
        continue;
      first_with (spec, path, &p1, &f1);
      if (p1 != p || f1 != f)
        continue;
      omen_spec_place (spec, spec->properties.data[p].formulas.data[f].offset,
                       &at);
      fprintf (out, "#define omen_monitor omen_own_%zu_%zu\n#line %u ", p, f,
               at.line);
      omen_module_quote (out, at.path);
      /* on this line, so that a missing table is reported for it */
      fprintf (out,
               "\n#include \"%s\"\n#line %u\nstatic const omen_own_monitor "
               "*const omen_own_is_%zu_%zu __attribute__ ((unused)) "
               "= &omen_monitor;\n#undef omen_monitor\n",
               path, at.line, p, f);
    }
}

void
omen_module_own_name (FILE *out, const omen_spec *spec, size_t p, size_t f)
{
  const char *path = path_of_monitor (spec, p, f);
  size_t p1, f1;
  if (!path) {
    fputs ("0", out);
    return;
  }
  first_with (spec, path, &p1, &f1);
  fprintf (out, "&omen_own_%zu_%zu", p1, f1);
}

/* In programs, omen_message is in the runtime; here omen prints the
   messages. */
void
omen_module_offline_end (FILE *out)
{
  fputs ("#include <stdarg.h>\n#include <stdio.h>\n"
         "void (*omen_offline_say) (const char *);\n"
         "void\nomen_message (const char *format, ...)\n{\n"
         "  char line[4096];\n  va_list args;\n  va_start (args, format);\n"
         "  vsnprintf (line, sizeof line, format, args);\n  va_end (args);\n"
         "  omen_offline_say (line);\n}\n"
         "const omen_module_property *const omen_offline = omen_properties;\n",
         out);
}

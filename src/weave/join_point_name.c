/* Matches functions by the names written in pointcuts. */
#include "weave/join_point.h"

#include <stdio.h>
#include <string.h>

/* The number of parameters in "(int, char (*)(long), ...)", without the
   dots. */
static unsigned
count_parameters (const char *text)
{
  unsigned count = 0, depth = 0;
  const char *last = text;
  if (!strcmp (text, "()") || !strcmp (text, "(void)"))
    return 0;
  for (; *text; text++) {
    depth += strchr ("([<{", *text) != NULL;
    depth -= strchr (")]>}", *text) != NULL && depth > 0;
    if (*text == ',' && depth == 1) {
      count++;
      last = text;
    }
  }
  return strstr (last, "...") ? count : count + 1;
}

/* Removes what is in angle brackets, except in names of operators. */
static void
drop_template_arguments (const char *from, char *to)
{
  unsigned depth = 0;
  const char *operator= strstr (from, "operator");
  for (; *from; from++) {
    if (operator&& from >= operator)
      depth = 0;
    else if (*from == '<')
      depth++;
    if (!depth)
      *to++ = *from;
    if (*from == '>' && depth)
      depth--;
  }
  *to = 0;
}

/* The source name of functions that the C library's headers rename for the
   linker. */
static const char *
source_name (const char *name)
{
  static const char *const prefixes[] = { "\01", "__isoc99_", "__isoc23_" };
  for (size_t i = 0; i < OMEN_COUNT (prefixes); i++)
    if (!strncmp (name, prefixes[i], strlen (prefixes[i])))
      return name + strlen (prefixes[i]);
  return name;
}

static unsigned
hidden_result (LLVMValueRef function)
{
  unsigned sret = LLVMGetEnumAttributeKindForName ("sret", 4);
  for (unsigned i = 0; i < 2 && i < LLVMCountParams (function); i++)
    if (LLVMGetEnumAttributeAtIndex (function, i + 1, sret))
      return i + 1;
  return 0;
}

void
omen_weave_name_of (LLVMValueRef function, omen_weave_name *name)
{
  const char *linkage = source_name (LLVMGetValueName (function));
  char parameters[4096];
  unsigned there = LLVMCountParams (function);
  name->self = -1;
  name->first = hidden_result (function);
  if (omen_shim_function (linkage, name->qualified, sizeof name->qualified,
                          parameters, sizeof parameters)) {
    if (name->first < there
        && there - name->first == count_parameters (parameters) + 1)
      name->self = (int)name->first++;
  } else
    snprintf (name->qualified, sizeof name->qualified, "%s", linkage);
  name->parameters = there - name->first;
  drop_template_arguments (name->qualified, name->plain);
}

/* `list::add` also matches list::add in any namespace. */
static bool
fits_tail (const char *pattern, const char *text)
{
  if (omen_pattern_fits (pattern, text))
    return true;
  if (!strstr (pattern, "::"))
    return false;
  while ((text = strstr (text, "::"))) {
    text += 2;
    if (omen_pattern_fits (pattern, text))
      return true;
  }
  return false;
}

bool
omen_weave_name_fits (const omen_weave_name *name, const char *pattern)
{
  static const char unnamed[] = "(anonymous namespace)::";
  const char *plain = name->plain;
  if (!strncmp (plain, unnamed, strlen (unnamed)))
    plain += strlen (unnamed);
  return fits_tail (pattern, name->qualified) || fits_tail (pattern, plain);
}

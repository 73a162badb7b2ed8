/* Lists the globals whose address escapes in a section of the object file that
   is not loaded: only woven code can write globals that are not listed
   (recording/events/reached.c). */
#include "weave/weave.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Adds one line of assembly. */
static void
append_line (omen_weave *w, const char *text)
{
  LLVMAppendModuleInlineAsm (w->module, text, strlen (text));
}

/* The name as octal escapes, whatever characters it has. */
static void
append_name (omen_weave *w, const char *name, size_t length)
{
  char *line = malloc (sizeof ".asciz \"\"" + 4 * length);
  OMEN_ASSERT (line);
  size_t at = (size_t)sprintf (line, ".asciz \"");
  for (size_t i = 0; i < length; i++)
    at += (size_t)sprintf (line + at, "\\%03o", (unsigned char)name[i]);
  strcpy (line + at, "\"");
  append_line (w, line);
  free (line);
}

static bool
is_of_interest (LLVMValueRef global)
{
  return !LLVMIsGlobalConstant (global)
         && LLVMGetLinkage (global) != LLVMPrivateLinkage;
}

void
omen_weave_list_escaping (omen_weave *w)
{
  append_line (w, ".pushsection " OMEN_ESCAPING_SECTION ",\"\",@progbits");
  append_line (w, ".asciz \"\"");
  for (LLVMValueRef g = LLVMGetFirstGlobal (w->module); g;
       g = LLVMGetNextGlobal (g)) {
    size_t length;
    const char *name = LLVMGetValueName2 (g, &length);
    if (is_of_interest (g) && omen_weave_escapes (w, g))
      append_name (w, name, length);
  }
  append_line (w, ".popsection");
}

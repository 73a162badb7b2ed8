/* Sites: where in the source a note comes from, as data of the program. */
#include "weave/depend.h"

#include <stdio.h>
#include <string.h>

enum { TEXT_ROOM = 3072 };

/* A constant string. Its name is its text, so that it exists once. */
LLVMValueRef
omen_weave_text (omen_weave *w, const char *text)
{
  char name[TEXT_ROOM + 16];
  snprintf (name, sizeof name, "omen.text:%s", text);
  LLVMValueRef global = LLVMGetNamedGlobal (w->module, name);
  if (global)
    return global;
  LLVMValueRef value
      = LLVMConstStringInContext2 (w->context, text, strlen (text), false);
  global = LLVMAddGlobal (w->module, LLVMTypeOf (value), name);
  LLVMSetInitializer (global, value);
  LLVMSetLinkage (global, LLVMPrivateLinkage);
  LLVMSetUnnamedAddress (global, LLVMGlobalUnnamedAddr);
  LLVMSetGlobalConstant (global, true);
  LLVMSetAlignment (global, 1);
  return global;
}

/* Without debug information: the name, the file that is compiled, line 0. */
LLVMValueRef
omen_weave_description (omen_weave *w, LLVMValueRef function)
{
  char name[TEXT_ROOM / 2], text[TEXT_ROOM];
  LLVMMetadataRef scope = LLVMGetSubprogram (function);
  size_t length;
  if (scope) {
    LLVMMetadataRef location = LLVMDIBuilderCreateDebugLocation (
        w->context, LLVMDISubprogramGetLine (scope), 0, scope, NULL);
    char file[TEXT_ROOM];
    omen_shim_place (location, text, file, sizeof text);
    return omen_weave_text (w, text);
  }
  omen_shim_demangle (LLVMGetValueName (function), name, sizeof name);
  snprintf (text, sizeof text, "%s\n%s\n0", name,
            LLVMGetSourceFileName (w->module, &length));
  return omen_weave_text (w, text);
}

static LLVMTypeRef
site_type (omen_weave *w)
{
  LLVMTypeRef members[] = { w->i8,  w->i8,  w->i8,  w->i8,  w->i32, w->i32,
                            w->i32, w->i32, w->i32, w->i32, w->i32 };
  if (!w->site) {
    w->site = LLVMStructTypeInContext (w->context, members,
                                       OMEN_COUNT (members), false);
    OMEN_ASSERT (LLVMABISizeOfType (w->layout, w->site) == sizeof (omen_site));
  }
  return w->site;
}

LLVMValueRef
omen_weave_distance (const omen_weave *w, LLVMValueRef target,
                     LLVMValueRef from)
{
  if (!target)
    return omen_weave_int (w, 0);
  return LLVMConstTrunc (LLVMConstSub (LLVMConstPtrToInt (target, w->i64),
                                       LLVMConstPtrToInt (from, w->i64)),
                         w->i32);
}

typedef struct place {
  unsigned line, column;
  LLVMValueRef function, file, caller;
} place;

static LLVMValueRef
new_site (omen_weave *w, omen_weave_what what, const place *p)
{
  LLVMTypeRef type = site_type (w);
  LLVMValueRef site = LLVMAddGlobal (w->module, type, "omen.site");
  LLVMValueRef members[] = {
    LLVMConstInt (w->i8, what.kind, false),
    LLVMConstInt (w->i8, what.size, false),
    LLVMConstInt (w->i8, what.order, false),
    LLVMConstInt (w->i8, what.failure, false),
    omen_weave_int (w, p->line),
    omen_weave_int (w, p->column),
    omen_weave_distance (w, p->function, site),
    omen_weave_distance (w, p->file, site),
    omen_weave_distance (w, p->caller, site),
    omen_weave_distance (w, what.name, site),
    omen_weave_int (w, 0),
  };
  LLVMSetInitializer (site,
                      LLVMConstStructInContext (w->context, members,
                                                OMEN_COUNT (members), false));
  LLVMSetLinkage (site, LLVMPrivateLinkage);
  LLVMSetSection (site, "omen_sites");
  LLVMSetAlignment (site, 4);
  return site;
}

static void find_place (omen_weave *w, LLVMMetadataRef location, place *p);

/* The site of the call that was inlined at a location. */
static LLVMValueRef
caller_of (omen_weave *w, LLVMMetadataRef location)
{
  LLVMMetadataRef outer = LLVMDILocationGetInlinedAt (location);
  place p = { 0 };
  if (!outer)
    return NULL;
  LLVMValueRef site = omen_weave_map_get (&w->callers, outer);
  if (!site) {
    find_place (w, outer, &p);
    site = new_site (w, (omen_weave_what){ .kind = OMEN_SITE_INLINED }, &p);
    omen_weave_map_put (&w->callers, outer, site);
  }
  return site;
}

static void
find_place (omen_weave *w, LLVMMetadataRef location, place *p)
{
  char function[TEXT_ROOM], file[TEXT_ROOM];
  omen_shim_place (location, function, file, TEXT_ROOM);
  p->line = LLVMDILocationGetLine (location);
  p->column = LLVMDILocationGetColumn (location);
  p->function = omen_weave_text (w, function);
  p->file = omen_weave_text (w, file);
  p->caller = caller_of (w, location);
}

LLVMValueRef
omen_weave_site (omen_weave *w, omen_weave_what what)
{
  LLVMMetadataRef location = LLVMGetCurrentDebugLocation2 (w->builder);
  place p = { 0 };
  if (location)
    find_place (w, location, &p);
  if (what.function)
    p.function = what.function;
  if (what.kind == OMEN_SITE_LOAD || what.kind == OMEN_SITE_STORE
      || (what.kind >= OMEN_SITE_ATOMIC_LOAD
          && what.kind <= OMEN_SITE_ATOMIC_CAS))
    what.name = omen_depend_table (w);
  if (!p.function)
    p.function = omen_weave_description (
        w, LLVMGetBasicBlockParent (LLVMGetInsertBlock (w->builder)));
  return new_site (w, what, &p);
}

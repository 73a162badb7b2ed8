#include "driver/module/offline.h"
#include "base/print.h"
#include "driver/message.h"
#include "driver/module/build.h"

#include <dlfcn.h>
#include <omen-module.h>
#include <string.h>

/* The module's omen_message prints to stderr. */
static void
print_message (const char *line)
{
  omen_print (stderr, "omen: %s\n", line);
}

static bool
load_module (omen_offline *c, const omen_workshop *shop,
             const omen_spec_file *file, bool at_once, omen_err *err)
{
  const omen_module_property *const *properties = NULL;
  c->library
      = dlopen (shop->module, RTLD_LOCAL | (at_once ? RTLD_NOW : RTLD_LAZY));
  if (c->library)
    properties = dlsym (c->library, "omen_offline");
  if (!properties) {
    const char *why = dlerror ();
    size_t folder = strlen (shop->module);
    if (why && !strncmp (why, shop->module, folder))
      why += folder + strspn (why + folder, ": ");
    return omen_err_set (err, file->spec->path,
                         "its C cannot be run without the program: %s",
                         why ? why : "nothing in it");
  }
  c->properties = *properties;
  void (**say_slot) (const char *) = dlsym (c->library, "omen_offline_say");
  OMEN_ASSERT (say_slot);
  *say_slot = print_message;
  return true;
}

bool
omen_offline_open (omen_offline *c, const omen_spec_file *file,
                   omen_module_form form, omen_spec_parts *parts, int *code)
{
  omen_workshop shop;
  omen_module_order order = { .file = file, .form = form, .parts = parts };
  omen_err err = { 0 };
  bool good;
  OMEN_REQUIRE (omen_module_is_offline (form));
  *c = (omen_offline){ 0 };
  if (!omen_workshop_open (&shop, &err))
    return omen_succeeded (&err, OMEN_EXIT_INPUT, code);
  good = omen_module_build (&shop, &order, code);
  if (good
      && !load_module (c, &shop, file, form == OMEN_MODULE_HANDLERS, &err)) {
    *code = omen_fail (OMEN_EXIT_INPUT, &err);
    good = false;
  }
  omen_workshop_close (&shop);
  if (!good)
    omen_offline_close (c);
  return good;
}

bool
omen_offline_compile (const omen_spec_file *file, int *code)
{
  omen_workshop shop;
  omen_module_order order = { .file = file, .form = OMEN_MODULE_OFFLINE };
  omen_err err = { 0 };
  if (!omen_workshop_open (&shop, &err))
    return omen_succeeded (&err, OMEN_EXIT_INPUT, code);
  bool good = omen_module_build (&shop, &order, code);
  omen_workshop_close (&shop);
  return good;
}

void
omen_offline_close (omen_offline *c)
{
  if (c->library)
    dlclose (c->library);
  *c = (omen_offline){ 0 };
}

/* omen cc, omen c++; also omen-cc, omen-c++: clang, with the weaver in it and
   the runtime linked. */
#include "driver/module/cc_line.h"
#include "base/print.h"
#include "driver/module/clang.h"
#include "cmd/cmd.h"
#include "driver/home.h"
#include "driver/module/build.h"
#include "driver/module/plan_text.h"
#include "driver/module/unwoven.h"
#include "driver/run.h"
#include "driver/spec_list.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DOC(compiler)                                                          \
  "Compile and link a program for omen.\v"                                     \
  "Calls " compiler " with the same arguments, adds omen's weaver to every "   \
  "compilation (and -g if there is no -g option) and omen's runtime to every " \
  "link. Takes what clang takes, compiles and links in one step or in many, "  \
  "and can stand for the compiler of configure, make and CMake: "              \
  "CC=omen-cc CXX=omen-c++.\n\n"                                               \
  "A woven program does what the plain one does; omen record makes it leave "  \
  "a trace. Files are compiled as for clang's thread sanitizer: "              \
  "__has_feature(thread_sanitizer) holds, no_sanitize(\"thread\") leaves a "   \
  "function out, and -fsanitize=thread itself is dropped. __OMEN__ is "        \
  "defined; <omen.h> is found.\n\n"                                            \
  "OMEN_CLANG and OMEN_CLANGXX name other compilers than clang-19 and "        \
  "clang++-19; OMEN_HOME names the folder of weaver and runtime. A program "   \
  "linked with -static runs, but cannot be recorded.\n\n"                      \
  "omen's own options come first. With --spec the program has the events of "  \
  "the properties in it: omen monitor runs their monitors and handlers in "    \
  "the program, omen record leaves the events in the trace. A pointcut that "  \
  "fits nothing in the program is named in a warning; a variable of a state "  \
  "predicate that it does not have is an error. --spec may be given several "  \
  "times, and with a folder (all *.mop in it). The property language "         \
  "is described in doc/properties.md, this in doc/monitoring.md."

static char docs_cc[] = DOC ("clang"), docs_cxx[] = DOC ("clang++");
static const struct argp_option options[]
    = { { "print", 'p', NULL, 0,
          "Show the command instead of running it (not that for the C of a "
          "property file)",
          0 },
        { "spec", 's', "SPEC", 0,
          "Weave the events of the properties in this file, and link their "
          "handlers, which the program then runs (do not use specs that you do "
          "not trust); say it for every compilation and for the link",
          0 },
        { "depend", 'd', NULL, 0,
          "Find out what depends on what, for --model sliced; recordings carry "
          "it, running and recording take no longer",
          0 },
        { "only-events", 'e', NULL, 0,
          "Weave nothing else: faster, for omen monitor alone", 0 },
        { 0 } };
static const struct argp argp_cc
    = { .options = options, .args_doc = "[CLANG-ARGUMENT...]", .doc = docs_cc };
static const struct argp argp_cxx = { .options = options,
                                      .args_doc = "[CLANG-ARGUMENT...]",
                                      .doc = docs_cxx };

typedef struct request {
  bool cxx, printing, depend, only_events;
  omen_spec_list specs;
  omen_spec_file file; /* it, read */
  char *events;        /* events for the weaver; from malloc */
  omen_workshop shop;  /* with the module for linking */
  bool has_shop;
} request;

static void
add_all (omen_cc_args *args, const char *const *texts, size_t count)
{
  for (size_t i = 0; i < count; i++)
    omen_args_add (args, "%s", texts[i]);
}

/* Truncates a path to its directory. */
static char *
folder_of (char *path)
{
  *strrchr (path, '/') = 0;
  return path;
}

/* Adds what a compilation needs; clang ignores it if nothing is compiled. */
static bool
add_weaver (const request *r, omen_cc_args *args, const omen_cc_line *line,
            omen_err *err)
{
  static const char *const always[] = { "-D__OMEN__=1" };
  static const char *const attributes[] = { "-Xclang", "-fsanitize=thread" };
  char *weaver = omen_home_find (OMEN_HOME_WEAVER, err);
  char *header = omen_home_find (OMEN_HOME_HEADER, NULL);
  if (!weaver)
    return false;
  omen_args_add (args, "-fpass-plugin=%s", weaver);
  add_all (args, always, OMEN_COUNT (always));
  if (!line->other_sanitizer && !r->only_events)
    add_all (args, attributes, OMEN_COUNT (attributes));
  if (!line->has_debug)
    omen_args_add (args, "%s", "-g");
  if (header)
    omen_args_add (args, "-idirafter%s", folder_of (header));
  omen_free (header);
  omen_free (weaver);
  return true;
}

/* The shared runtime comes first, so that its symbols take precedence over
   libc's; the static one comes last, when undefined symbols are known. */
static bool
add_runtime (omen_cc_args *args, const omen_cc_line *line, bool last,
             omen_err *err)
{
  if (!omen_cc_line_links (line) || line->is_static != last)
    return true;
  char *runtime = omen_home_find (
      last ? OMEN_HOME_STATIC_RUNTIME : OMEN_HOME_RUNTIME, err);
  if (!runtime)
    return false;
  omen_args_add (args, "%s", runtime);
  if (!last)
    omen_args_add (args, "-Wl,-rpath,%s", folder_of (runtime));
  omen_free (runtime);
  return true;
}

static bool
build_command (const request *r, omen_cc_args *args, const omen_cc_line *line,
               int argc, char **argv, omen_err *err)
{
  omen_args_add (args, "%s", "--start-no-unused-arguments");
  if (!add_weaver (r, args, line, err) || !add_runtime (args, line, false, err))
    return false;
  omen_args_add (args, "%s", "--end-no-unused-arguments");
  for (int i = 0; i < argc; i++) {
    char *kept = omen_cc_line_keep (argv[i]);
    if (kept)
      OMEN_VEC_PUSH (*args, kept);
  }
  if (r->has_shop) /* handlers may call the program's functions */
    omen_args_add (args, "-Wl,%s", r->shop.module);
  return add_runtime (args, line, true, err);
}

static void
print_quoted (const char *arg)
{
  omen_print_word (stdout, arg, strlen (arg));
}

/* The weaver cannot see clang's options. These words state that the attributes
   on functions are clang's, and which options omen cc was given. */
static void
words_for (const request *r, bool attributes, char words[64])
{
  static const char *const names[] = { "attributes", "depend", "only-events" };
  const bool said[] = { attributes, r->depend, r->only_events };
  *words = 0;
  for (size_t i = 0; i < OMEN_COUNT (names); i++)
    if (said[i])
      sprintf (words + strlen (words), "%s%s", *words ? "," : "", names[i]);
}

static int
print (const request *r, const omen_cc_args *args, bool attributes)
{
  char words[64];
  words_for (r, attributes, words);
  if (*words)
    omen_print (stdout, "OMEN_WEAVE=%s ", words);
  if (r->events) {
    omen_print (stdout, "OMEN_WEAVE_EVENTS=");
    print_quoted (r->events);
    putchar (' ');
  }
  for (size_t i = 0; i < args->count; i++) {
    if (i)
      putchar (' ');
    print_quoted (args->data[i]);
  }
  putchar ('\n');
  return omen_finish (OMEN_EXIT_NOTHING);
}

static void
tell_weaver (const request *r, bool attributes)
{
  const char *old = secure_getenv ("OMEN_WEAVE");
  char new[64], words[256];
  setenv ("CCACHE_DISABLE", "1", 1); /* it does not know the weaver */
  if (r->events)
    setenv ("OMEN_WEAVE_EVENTS", r->events, 1);
  else
    unsetenv ("OMEN_WEAVE_EVENTS");
  words_for (r, attributes, new);
  if (!*new)
    return;
  snprintf (words, sizeof words, "%s%s%s", new, old ? "," : "", old ? old : "");
  setenv ("OMEN_WEAVE", words, 1);
}

static int
execute (omen_cc_args *args)
{
  omen_err err = { 0 };
  OMEN_VEC_PUSH (*args, NULL);
  omen_run_give_signals ();
  execvp (args->data[0], args->data);
  omen_err_set (&err, args->data[0], "cannot run: %s", strerror (errno));
  args->count--;
  return omen_fail (OMEN_EXIT_USAGE, &err);
}

/* ---- properties ---- */

/* Passes the properties' events to the weaver in the environment, whose size is
   limited. */
static bool
describe_events (request *r, const omen_spec *spec, int *code)
{
  enum { LIMIT = 100000 };
  omen_err err = { 0 };
  size_t size;
  FILE *out = open_memstream (&r->events, &size);
  if (!out)
    return false;
  omen_plan_text (out, spec);
  fclose (out);
  if (size <= LIMIT)
    return true;
  omen_err_set (&err, spec->path,
                "its pointcuts are too much for one compilation (%zu bytes; "
                "%d at most)",
                size, LIMIT);
  return omen_succeeded (&err, OMEN_EXIT_INPUT, code);
}

static bool
make_module (request *r, const omen_cc_line *line, int argc, char **argv,
             int *code)
{
  omen_cc_args flags = { 0 };
  omen_err err = { 0 };
  omen_module_order order
      = { &r->file, line->is_static ? OMEN_MODULE_STATIC : OMEN_MODULE_LINKED,
          r->cxx, &flags, NULL };
  bool good;
  if (!omen_workshop_open (&r->shop, &err))
    return omen_succeeded (&err, OMEN_EXIT_USAGE, code);
  r->has_shop = true;
  omen_cc_line_flags (argc, argv, &flags);
  good = omen_module_build (&r->shop, &order, code);
  omen_args_fini (&flags);
  return good;
}

static bool
prepare_properties (request *r, const omen_cc_line *line, int argc, char **argv,
                    int *code)
{
  if (!r->specs.paths.count)
    return true;
  return omen_spec_list_expand (&r->specs, code)
         && omen_spec_file_load_all (&r->file, r->specs.paths.data,
                                     r->specs.paths.count, code)
         && omen_spec_file_weavable (&r->file, code)
         && describe_events (r, r->file.spec, code)
         && (r->printing || !omen_cc_line_links (line)
             || make_module (r, line, argc, argv, code));
}

/* Links the program. A pointcut that matches nothing is reported as an error,
   since it would otherwise go unnoticed. */
static int
link_program (request *r, omen_cc_args *args, const omen_cc_line *line)
{
  omen_err err = { 0 };
  int code = omen_clang_run (args, NULL, &err);
  if (code < 0)
    return omen_fail (OMEN_EXIT_USAGE, &err);
  if (code)
    return code;
  omen_unwoven_warn (line->output, r->file.spec);
  /* a library's variables may be in another one, or in the program */
  if (line->is_library
      || omen_unwatched_find (line->output, r->file.spec, &err))
    return 0;
  unlink (line->output);
  return omen_fail (OMEN_EXIT_INPUT, &err);
}

/* ---- the command ---- */

/* Reads omen's own options, which come first; returns how many arguments they
   are. */
static int
read_request (request *r, int argc, char **argv, int *code)
{
  omen_err err = { 0 };
  int i = 1;
  for (; i < argc; i++) {
    const char *arg = argv[i], *spec = NULL;
    if (!strcmp (arg, "--print"))
      r->printing = true;
    else if (!strcmp (arg, "--depend"))
      r->depend = true;
    else if (!strcmp (arg, "--only-events"))
      r->only_events = true;
    else if (!strncmp (arg, "--spec=", 7))
      spec = arg + 7;
    else if (!strcmp (arg, "--spec") && i + 1 < argc)
      spec = argv[++i];
    else if (!strcmp (arg, "--spec"))
      omen_err_set (&err, NULL, "--spec needs a property file");
    else
      break;
    if (spec)
      OMEN_VEC_PUSH (r->specs.paths, spec);
  }
  if (r->only_events && !r->specs.paths.count)
    omen_err_set (&err, NULL, "--only-events without --spec: no events");
  if (err.set)
    *code = omen_fail (OMEN_EXIT_USAGE, &err);
  return err.set ? -1 : i;
}

static int
run_compiler (request *r, int argc, char **argv)
{
  omen_cc_args args = { 0 };
  omen_cc_line line;
  omen_err err = { 0 };
  bool attributes;
  int code;
  omen_cc_line_read (&line, argc, argv);
  attributes = !line.other_sanitizer && !r->only_events;
  if (!prepare_properties (r, &line, argc, argv, &code))
    return code;
  omen_args_add (&args, "%s", omen_clang_find (r->cxx));
  if (!build_command (r, &args, &line, argc, argv, &err))
    code = omen_fail (OMEN_EXIT_USAGE, &err);
  else if (r->printing)
    code = print (r, &args, attributes);
  else {
    tell_weaver (r, attributes);
    code = r->has_shop ? link_program (r, &args, &line) : execute (&args);
  }
  omen_args_fini (&args);
  return code;
}

static int
compile (int argc, char **argv, bool cxx)
{
  request r = { .cxx = cxx };
  int code, skip;
  if (argc == 2
      && (!strcmp (argv[1], "--help") || !strcmp (argv[1], "--usage")))
    return omen_cmd_parse (cxx ? &argp_cxx : &argp_cc, argc, argv, NULL, &code)
               ? OMEN_EXIT_NOTHING
               : code;
  skip = read_request (&r, argc, argv, &code);
  if (skip < 0)
    return code;
  code = run_compiler (&r, argc - skip, argv + skip);
  if (r.has_shop)
    omen_workshop_close (&r.shop);
  omen_spec_file_fini (&r.file);
  omen_spec_list_fini (&r.specs);
  free (r.events);
  return code;
}

static int
run_cc (int argc, char **argv)
{
  return compile (argc, argv, false);
}

static int
run_cxx (int argc, char **argv)
{
  return compile (argc, argv, true);
}

const omen_cmd omen_cmd_cc
    = { "cc", "compile and link a C program for omen", run_cc, &argp_cc };
const omen_cmd omen_cmd_cxx
    = { "c++", "compile and link a C++ program for omen", run_cxx, &argp_cxx };

/* omen cc, omen c++; also omen-cc, omen-c++: clang, with the weaver in it and
   the runtime linked. */
#include "cmd/cc_line.h"
#include "cmd/cmd.h"
#include "cmd/home.h"

#include <errno.h>
#include <signal.h>
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
  "linked with -static runs, but cannot be recorded."

static char docs_cc[] = DOC ("clang"), docs_cxx[] = DOC ("clang++");
static const struct argp_option options[]
    = { { "print", 'p', NULL, 0,
          "First argument only: show the command instead of running it", 0 },
        { "depend", 'd', NULL, 0,
          "First argument (or the one after --print) only: find out what "
          "depends on what, for --model sliced; recordings carry it, running "
          "and recording take no longer",
          0 },
        { 0 } };
static const struct argp argp_cc = { .options = options,
                                     .args_doc = "[CLANG-ARGUMENT...]",
                                     .doc = docs_cc };
static const struct argp argp_cxx = { .options = options,
                                      .args_doc = "[CLANG-ARGUMENT...]",
                                      .doc = docs_cxx };

static void
add (omen_cc_args *args, const char *format, const char *value)
{
  size_t room = strlen (format) + strlen (value) + 1;
  char *text = omen_alloc (room);
  snprintf (text, room, format, value);
  OMEN_VEC_PUSH (*args, text);
}

static void
add_all (omen_cc_args *args, const char *const *texts, size_t count)
{
  for (size_t i = 0; i < count; i++)
    OMEN_VEC_PUSH (*args, omen_strdup (texts[i]));
}

static void
free_args (omen_cc_args *args)
{
  for (size_t i = 0; i < args->count; i++)
    omen_free (args->data[i]);
  OMEN_VEC_FINI (*args);
}

/* The folder that a path is in, in place. */
static char *
folder_of (char *path)
{
  *strrchr (path, '/') = 0;
  return path;
}

/* What a compilation needs; clang does not mind if there is none. */
static bool
add_weaver (omen_cc_args *args, const omen_cc_line *line, omen_err *err)
{
  static const char *const always[] = { "-D__OMEN__=1" };
  static const char *const attributes[] = { "-Xclang", "-fsanitize=thread" };
  char *weaver = omen_home_find (OMEN_HOME_WEAVER, err);
  char *header = omen_home_find (OMEN_HOME_HEADER, NULL);
  if (!weaver)
    return false;
  add (args, "-fpass-plugin=%s", weaver);
  add_all (args, always, OMEN_COUNT (always));
  if (!line->other_sanitizer)
    add_all (args, attributes, OMEN_COUNT (attributes));
  if (!line->has_debug)
    add (args, "%s", "-g");
  if (header)
    add (args, "-idirafter%s", folder_of (header));
  omen_free (header);
  omen_free (weaver);
  return true;
}

/* The shared runtime comes first, to be ahead of libc wherever symbols are
   looked for; the static one last, where what is missing is known. */
static bool
add_runtime (omen_cc_args *args, const omen_cc_line *line, bool last,
             omen_err *err)
{
  bool links = line->has_input && !line->stops_early && !line->is_partial;
  if (!links || line->is_static != last)
    return true;
  char *runtime = omen_home_find (
      last ? OMEN_HOME_STATIC_RUNTIME : OMEN_HOME_RUNTIME, err);
  if (!runtime)
    return false;
  add (args, "%s", runtime);
  if (!last)
    add (args, "-Wl,-rpath,%s", folder_of (runtime));
  omen_free (runtime);
  return true;
}

static bool
build (omen_cc_args *args, const omen_cc_line *line, int argc, char **argv,
       omen_err *err)
{
  add (args, "%s", "--start-no-unused-arguments");
  if (!add_weaver (args, line, err) || !add_runtime (args, line, false, err))
    return false;
  add (args, "%s", "--end-no-unused-arguments");
  for (int i = 0; i < argc; i++) {
    char *kept = omen_cc_line_keep (argv[i]);
    if (kept)
      OMEN_VEC_PUSH (*args, kept);
  }
  return add_runtime (args, line, true, err);
}

static bool
is_plain (const char *arg)
{
  return *arg
         && strspn (arg, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                         "0123456789_-+=/.,:@%")
                == strlen (arg);
}

static void
print_quoted (const char *arg)
{
  if (is_plain (arg)) {
    fputs (arg, stdout);
    return;
  }
  putchar ('\'');
  for (; *arg; arg++)
    if (*arg == '\'')
      fputs ("'\\''", stdout);
    else
      putchar (*arg);
  putchar ('\'');
}

static int
print (const omen_cc_args *args, const char *words)
{
  if (*words)
    printf ("OMEN_WEAVE=%s ", words);
  for (size_t i = 0; i < args->count; i++) {
    if (i)
      putchar (' ');
    print_quoted (args->data[i]);
  }
  putchar ('\n');
  return omen_cmd_finish (OMEN_EXIT_NOTHING);
}

/* The weaver cannot see clang's options; this tells it that the attributes on
   functions are clang's, and what we were asked for. */
static const char *
words_for (bool attributes, bool depend)
{
  return attributes ? (depend ? "attributes,depend" : "attributes")
                    : (depend ? "depend" : "");
}

static void
tell_weaver (const char *new)
{
  const char *old = getenv ("OMEN_WEAVE");
  char words[256];
  if (!*new)
    return;
  snprintf (words, sizeof words, "%s%s%s", new, old ? "," : "",
            old ? old : "");
  setenv ("OMEN_WEAVE", words, 1);
}

static int
execute (omen_cc_args *args, const char *words)
{
  omen_err err = { 0 };
  tell_weaver (words);
  OMEN_VEC_PUSH (*args, NULL);
  signal (SIGPIPE, SIG_DFL);
  execvp (args->data[0], args->data);
  omen_err_set (&err, args->data[0], "cannot run: %s", strerror (errno));
  args->count--;
  return omen_cmd_fail (OMEN_EXIT_USAGE, &err);
}

static bool
on_path (const char *program)
{
  char *path = omen_strdup (getenv ("PATH") ? getenv ("PATH") : ""), *rest;
  bool found = false;
  for (char *at = strtok_r (path, ":", &rest); at && !found;
       at = strtok_r (NULL, ":", &rest)) {
    char file[4096];
    snprintf (file, sizeof file, "%s/%s", at, program);
    found = !access (file, X_OK);
  }
  omen_free (path);
  return found;
}

static const char *
find_clang (bool cxx)
{
  const char *told = getenv (cxx ? "OMEN_CLANGXX" : "OMEN_CLANG");
  const char *versioned = cxx ? "clang++-19" : "clang-19";
  if (told && *told)
    return told;
  return on_path (versioned) ? versioned : cxx ? "clang++" : "clang";
}

static int
compile (int argc, char **argv, bool cxx)
{
  omen_cc_args args = { 0 };
  omen_cc_line line;
  omen_err err = { 0 };
  bool printing = argc > 1 && !strcmp (argv[1], "--print");
  int skip = printing ? 2 : 1, code;
  bool depend = argc > skip && !strcmp (argv[skip], "--depend");
  if (argc == 2
      && (!strcmp (argv[1], "--help") || !strcmp (argv[1], "--usage")))
    return omen_cmd_parse (cxx ? &argp_cxx : &argp_cc, argc, argv, NULL, &code)
               ? OMEN_EXIT_NOTHING
               : code;
  skip += depend;
  omen_cc_line_read (&line, argc - skip, argv + skip);
  add (&args, "%s", find_clang (cxx));
  if (!build (&args, &line, argc - skip, argv + skip, &err))
    code = omen_cmd_fail (OMEN_EXIT_USAGE, &err);
  else if (printing)
    code = print (&args, words_for (!line.other_sanitizer, depend));
  else
    code = execute (&args, words_for (!line.other_sanitizer, depend));
  free_args (&args);
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
    = { "c++", "compile and link a C++ program for omen", run_cxx,
        &argp_cxx };

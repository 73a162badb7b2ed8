/* omen record */
#include "cmd/home.h"
#include "cmd/program.h"
#include "cmd/record_options.h"
#include "cmd/recorded.h"
#include "cmd/run.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* ---- before ---- */

/* What to preload, NULL if nothing; false: it cannot be recorded. */
static bool
prepare (const omen_program *program, bool quiet, char **preload,
         omen_err *err)
{
  switch (program->kind) {
  case OMEN_PROGRAM_STATIC:
    return omen_err_io (err, program->path,
                        "is linked statically, and cannot be recorded");
  case OMEN_PROGRAM_PLAIN:
    *preload = omen_home_find (OMEN_HOME_RUNTIME, err);
    if (*preload && !quiet)
      fprintf (stderr,
               "omen: %s was not compiled by omen cc: only its "
               "synchronisation is recorded\n",
               program->path);
    return *preload;
  case OMEN_PROGRAM_OTHER:
    if (!quiet)
      fprintf (stderr,
               "omen: %s is a script: the woven programs that it starts are "
               "recorded\n",
               program->path);
    return true;
  default:
    return true;
  }
}

/* ---- after ---- */

/* Libraries whose functions we know, or that do not matter. */
static bool
is_known (const char *path)
{
  static const char *const known[]
      = { "libc.",       "libm.",   "libpthread.", "libdl.",     "librt.",
          "libgcc_s.",   "libstdc++.", "libc++.",  "libc++abi.", "libunwind.",
          "libomen-rt.", "ld-linux" };
  const char *slash = strrchr (path, '/'), *name = slash ? slash + 1 : path;
  for (size_t i = 0; i < OMEN_COUNT (known); i++)
    if (!strncmp (name, known[i], strlen (known[i])))
      return true;
  return false;
}

static void
name_unwoven (const omen_recorded *recorded)
{
  unsigned count = 0;
  for (size_t i = 1; i < recorded->modules.count; i++) {
    const char *path = recorded->modules.data[i];
    if (is_known (path) || omen_program_is_woven (path))
      continue;
    fprintf (stderr, "%s%s", count++ ? ", " : "omen: not woven: ", path);
  }
  if (count)
    fprintf (stderr, "\n");
}

static const char *
size_text (uint64_t bytes, char text[32])
{
  static const char units[] = "KMGT";
  double size = (double)bytes / 1024;
  unsigned unit = 0;
  if (bytes < 10240)
    snprintf (text, 32, "%llu bytes", (unsigned long long)bytes);
  else {
    for (; size >= 1024 && unit < 3; unit++)
      size /= 1024;
    snprintf (text, 32, "%.1f %ciB", size, units[unit]);
  }
  return text;
}

static void
print_one (const char *path, const omen_recorded *r)
{
  char size[32];
  fprintf (stderr, "omen: %s: %llu notes of %llu thread%s, %s%s\n", path,
           (unsigned long long)r->notes, (unsigned long long)r->threads,
           r->threads == 1 ? "" : "s", size_text (r->bytes, size),
           r->complete ? "" : ", cut short");
}

/* A pipe or device, of which nothing can be said afterwards. */
static bool
is_special (const char *path)
{
  struct stat info;
  return !stat (path, &info) && !S_ISREG (info.st_mode);
}

static void
summarise (const char *output, bool preloaded)
{
  omen_recorded_files files = { 0 };
  omen_recorded_find (&files, output);
  for (size_t i = 0; i < files.count; i++) {
    omen_recorded recorded;
    if (!omen_recorded_count (&recorded, files.data[i]))
      continue;
    if (i < 4 || i + 1 == files.count)
      print_one (files.data[i], &recorded);
    else if (i == 4)
      fprintf (stderr, "omen: …\n");
    if (!i && !preloaded)
      name_unwoven (&recorded);
    omen_recorded_fini (&recorded);
  }
  if (!files.count && !is_special (output))
    fprintf (stderr, "omen: %s: nothing was recorded\n", output);
  omen_recorded_files_fini (&files);
}

/* ---- the command ---- */
static int
record (const omen_record_request *request, const omen_program *program,
        const char *preload)
{
  omen_err err = { 0 };
  char *options = omen_record_environment (request);
  omen_run execution = { .path = program->path,
                         .argv = request->program,
                         .options = options,
                         .preload = preload,
                         .limit_ms = request->limit_ms };
  int code;
  bool started = omen_run_program (&execution, &code, &err);
  omen_free (options);
  if (!started) {
    omen_cmd_fail (code, &err);
    return code;
  }
  if (!request->quiet)
    summarise (request->output, preload);
  return omen_run_end (&execution);
}

static int
run (int argc, char **argv)
{
  omen_record_request request = { 0 };
  omen_program program = { 0 };
  omen_err err = { 0 };
  char *preload = NULL;
  int code;
  if (!omen_cmd_parse_program (&omen_record_argp, argc, argv, &request, &code))
    return code;
  if (!omen_program_find (&program, request.program[0], &err)) {
    omen_cmd_fail (0, &err);
    return program.missing ? OMEN_RUN_MISSING : OMEN_RUN_CANNOT;
  }
  if (!prepare (&program, request.quiet, &preload, &err)) {
    omen_cmd_fail (0, &err);
    return OMEN_RUN_CANNOT;
  }
  if (!omen_recorded_clear (request.output, &err))
    code = omen_cmd_fail (OMEN_EXIT_USAGE, &err);
  else
    code = record (&request, &program, preload);
  omen_free (preload);
  return code;
}

const omen_cmd omen_cmd_record
    = { "record", "run a program and write down what its threads do", run,
        &omen_record_argp };

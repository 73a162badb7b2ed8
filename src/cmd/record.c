/* omen record */
#include "cmd/recorded.h"
#include "cmd/recording.h"
#include "cmd/spec_list.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

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
    snprintf (text, 32, "%llu byte%s", (unsigned long long)bytes,
              omen_s (bytes));
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
  fprintf (stderr, "omen: %s: %llu note%s of %llu thread%s, %s%s\n", path,
           (unsigned long long)r->notes, omen_s (r->notes), (unsigned long long)r->threads,
           omen_s (r->threads), size_text (r->bytes, size),
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

/* Takes the request's list. */
static bool
load_specs (omen_record_request *request, omen_spec_list *specs, int *code)
{
  for (size_t i = 0; i < request->specs.count; i++)
    OMEN_VEC_PUSH (specs->paths, request->specs.data[i]);
  OMEN_VEC_FINI (request->specs);
  return omen_spec_list_load (specs, code);
}

static int
run (int argc, char **argv)
{
  omen_record_request request = { 0 };
  omen_spec_list specs = { 0 };
  omen_recording recording;
  int code;
  if (!omen_cmd_parse_program (&omen_record_argp, argc, argv, &request, &code)
      || !load_specs (&request, &specs, &code)) {
    omen_spec_list_fini (&specs);
    return code;
  }
  if (omen_recording_prepare (&recording, request.program[0], request.quiet,
                              &code)) {
    recording.specs = &specs;
    if (omen_recording_run (&recording, &request, &code)) {
      if (!request.quiet)
        summarise (request.output, recording.preload);
      code = omen_run_end (&recording.run);
    }
  }
  omen_recording_fini (&recording);
  omen_spec_list_fini (&specs);
  return code;
}

const omen_cmd omen_cmd_record
    = { "record", "run a program and write down what its threads do", run,
        &omen_record_argp };

#include "driver/module/cc_line.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* Options whose value is the next argument; joined forms need no special
   treatment. */
/* clang-format off */
static const char *const with_value[] = {
  "-o", "-x", "-I", "-D", "-U", "-L", "-F", "-B", "-T", "-u", "-z", "-e", "-h",
  "-G", "-A", "-arch", "-target", "-include", "-include-pch", "-imacros",
  "-isystem", "-iquote", "-idirafter", "-isysroot", "-iprefix", "-iwithprefix",
  "-iwithprefixbefore", "-iwithsysroot", "-cxx-isystem", "-ivfsoverlay", "-MF",
  "-MT", "-MQ", "-MJ", "-Xclang", "-Xlinker", "-Xassembler", "-Xpreprocessor",
  "-Xanalyzer", "-Xopenmp-target", "-mllvm", "-rpath", "-framework", "--param",
  "-dumpdir", "-working-directory", "--serialize-diagnostics",
  "-serialize-diagnostics", "-wrapper", "--config", "-undef", "-resource-dir",
  "-gcc-toolchain", "--sysroot", "--output", "--language", "--include-directory",
};
/* clang-format on */

static const char *const stops[] = {
  "-c",           "-S",
  "-E",           "-M",
  "-MM",          "-fsyntax-only",
  "--precompile", "--analyze",
  "-emit-ast",    "-rewrite-objc",
  "--compile",    "--assemble",
  "--preprocess", "-emit-interface-stubs",
};

static bool
is_one_of (const char *arg, const char *const *list, size_t count)
{
  for (size_t i = 0; i < count; i++)
    if (!strcmp (arg, list[i]))
      return true;
  return false;
}

static bool
starts (const char *arg, const char *prefix)
{
  return !strncmp (arg, prefix, strlen (prefix));
}

static void
look_at_option (omen_cc_line *line, const char *arg)
{
  if (is_one_of (arg, stops, OMEN_COUNT (stops)))
    line->stops_early = true;
  else if (!strcmp (arg, "-static") || !strcmp (arg, "-static-pie"))
    line->is_static = true;
  else if (!strcmp (arg, "-r") || !strcmp (arg, "-Wl,-r")
           || !strcmp (arg, "-Wl,--relocatable"))
    line->is_partial = true;
  else if (starts (arg, "-g") && !starts (arg, "-gcc-toolchain"))
    line->has_debug = true;
  else if (starts (arg, "-l"))
    line->has_input = true;
  else if (starts (arg, "-fsanitize=")) {
    char *rest = omen_cc_line_keep (arg);
    line->other_sanitizer |= rest != NULL;
    omen_free (rest);
  }
}

static void look_at_file (omen_cc_line *line, const char *path, int depth);

/* Interpret an argument. True: the next one is its value. */
static bool
read_arg (omen_cc_line *line, const char *arg, int depth)
{
  line->is_library |= !strcmp (arg, "-shared") || starts (arg, "-L")
                      || (arg[0] != '-' && strstr (arg, ".so"));
  if (arg[0] == '@')
    look_at_file (line, arg + 1, depth);
  else if (arg[0] != '-' || !arg[1])
    line->has_input |= arg[0] != 0;
  else if (is_one_of (arg, with_value, OMEN_COUNT (with_value)))
    return true;
  else
    look_at_option (line, arg);
  return false;
}

/* The next word of a response file: separated by blanks, which quotes and
   backslashes protect. False at the end. */
static bool
next_word (FILE *file, char *word, size_t room)
{
  size_t length = 0;
  int quote = 0, c;
  while ((c = getc (file)) != EOF && isspace (c))
    ;
  if (c == EOF)
    return false;
  for (; c != EOF && (quote || !isspace (c)); c = getc (file)) {
    if (c == quote) {
      quote = 0;
      continue;
    }
    if (!quote && (c == '"' || c == '\'')) {
      quote = c;
      continue;
    }
    if (c == '\\' && quote != '\'')
      c = getc (file);
    if (c != EOF && length + 1 < room)
      word[length++] = (char)c;
  }
  word[length] = 0;
  return true;
}

static void
look_at_file (omen_cc_line *line, const char *path, int depth)
{
  char word[4096];
  bool skip = false;
  FILE *file = depth < 16 ? fopen (path, "r") : NULL;
  if (!file)
    return;
  while (next_word (file, word, sizeof word))
    skip = !skip && read_arg (line, word, depth + 1);
  fclose (file);
}

void
omen_cc_line_read (omen_cc_line *line, int argc, char *const *argv)
{
  bool skip = false;
  *line = (omen_cc_line){ .output = "a.out" };
  for (int i = 0; i < argc; i++) {
    if (skip && !strcmp (argv[i - 1], "-o"))
      line->output = argv[i];
    else if (!skip && !strncmp (argv[i], "-o", 2) && argv[i][2])
      line->output = argv[i] + 2;
    skip = !skip && read_arg (line, argv[i], 0);
  }
}

bool
omen_cc_line_links (const omen_cc_line *line)
{
  return line->has_input && !line->stops_early && !line->is_partial;
}

static const char *const about_headers[]
    = { "-I",         "-D",        "-U",        "-isystem", "-iquote",
        "-idirafter", "--sysroot", "-isysroot", "-include" };

void
omen_cc_line_flags (int argc, char *const *argv, omen_cc_args *flags)
{
  for (int i = 0; i < argc; i++) {
    bool wanted = false, alone = false;
    for (size_t k = 0; k < OMEN_COUNT (about_headers) && !wanted; k++) {
      wanted = starts (argv[i], about_headers[k]);
      alone = !strcmp (argv[i], about_headers[k]);
    }
    if (wanted)
      OMEN_VEC_PUSH (*flags, omen_strdup (argv[i]));
    if (is_one_of (argv[i], with_value, OMEN_COUNT (with_value))
        && i + 1 < argc) {
      i++;
      if (wanted && alone)
        OMEN_VEC_PUSH (*flags, omen_strdup (argv[i]));
    }
  }
}

char *
omen_cc_line_keep (const char *arg)
{
  static const char option[] = "-fsanitize=";
  char *kept, *end;
  if (!starts (arg, option))
    return omen_strdup (arg);
  kept = omen_alloc (strlen (arg) + 2);
  end = kept + sprintf (kept, "%s", option);
  for (const char *name = arg + strlen (option); *name;) {
    size_t length = strcspn (name, ",");
    if (length != 6 || strncmp (name, "thread", 6))
      end += sprintf (end, "%.*s,", (int)length, name);
    name += length + (name[length] == ',');
  }
  if (end[-1] == '=') {
    omen_free (kept);
    return NULL;
  }
  end[-1] = 0;
  return kept;
}

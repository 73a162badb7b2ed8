/* The verifier against the cases of test/random/verify (format: README.md
   there); linked once more with the mutants of test/random/mutants. */
#include "io/text_read.h"
#include "spec/compile.h"
#include "witness/verify.h"

#include <glob.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef OMEN_VEC (char) text;

static unsigned tests, failures;

static void
tap (bool ok, const char *where, const char *what, const char *why)
{
  printf ("%s %u - %s: %s\n", ok ? "ok" : "not ok", ++tests, where, what);
  if (!ok)
    printf ("#   %s\n", why);
  failures += !ok;
}

/* ---- one verdict line ---- */
static void
append (text *t, const char *s)
{
  for (; *s; s++)
    OMEN_VEC_PUSH (*t, *s);
}

static void
append_step (text *t, const omen_trace *trace, unsigned long e)
{
  char line[160];
  uint32_t i = trace->index[e];
  snprintf (line, sizeof line, "run %s %u %u\n",
            omen_trace_thread_name (trace, trace->events.data[e].thread), i,
            i + 1);
  append (t, line);
}

/* "0-2 5" as runs of one event each. False if an event is not there. */
static bool
append_sequence (text *t, const omen_trace *trace, const char *s)
{
  for (;;) {
    char *end;
    unsigned long from = strtoul (s, &end, 10), to = from;
    if (end == s)
      return strspn (s, " ") == strlen (s);
    if (*end == '-')
      to = strtoul (end + 1, &end, 10);
    for (; from <= to; from++) {
      if (from >= trace->events.count)
        return false;
      append_step (t, trace, from);
    }
    s = end;
  }
}

/* "CLAIM {p=1,q=2}" as the lines of a witness; a property is known as 1. */
static void
append_claim (text *t, const char *claim)
{
  char line[300], *save, *binding;
  snprintf (line, sizeof line, "%s", claim);
  binding = strchr (line, '{');
  if (binding)
    *binding++ = 0;
  append (t, "claim ");
  append (t, line);
  append (t, "\n");
  if (!strncmp (line, "property ", 9))
    append (t, "spec 0000000000000001\n");
  for (char *b = binding ? strtok_r (binding, ",} ", &save) : NULL; b;
       b = strtok_r (NULL, ",} ", &save)) {
    b[strcspn (b, "=")] = ' ';
    append (t, "bind ");
    append (t, b);
    append (t, "\n");
  }
}

static bool
judge (omen_verifier *verifier, const omen_trace *trace, const char *model,
       const char *claim, const char *sequence, omen_err *err)
{
  text t = { 0 };
  omen_witness witness;
  char head[200];
  bool ok = false;
  snprintf (head, sizeof head,
            "omen-witness 1\ntrace %016" PRIx64 " %zu\nmodel %s\n",
            omen_trace_identity (trace), trace->events.count, model);
  append (&t, head);
  append_claim (&t, claim);
  omen_witness_init (&witness);
  if (!append_sequence (&t, trace, sequence))
    omen_err_set (err, "", "the case has a sequence that cannot be read");
  else {
    append (&t, "end\n");
    ok = omen_witness_parse (&witness, trace, "case", t.data, t.count, err)
         && omen_verify (verifier, &witness, err);
  }
  omen_witness_fini (&witness);
  OMEN_VEC_FINI (t);
  return ok;
}

/* "ok MODELS CLAIM : SEQUENCE", "no MODELS CLAIM : SEQUENCE : WORDS" */
static void
verdict (omen_verifier *verifier, const omen_trace *trace, const char *where,
         char *line)
{
  bool wanted = !strncmp (line, "ok ", 3);
  char *save, *models, *claim, *sequence, *words = NULL, whole[400];
  OMEN_REQUIRE (line);
  snprintf (whole, sizeof whole, "%s", line);
  models = line + 3;
  claim = models + strcspn (models, " ");
  sequence = strchr (line, ':');
  if (!*claim || !sequence) {
    tap (false, where, whole, "a line that cannot be read");
    return;
  }
  *claim++ = 0;
  *sequence++ = 0;
  if (!wanted && (words = strchr (sequence, ':'))) {
    *words++ = 0;
    words += *words == ' ';
  }
  for (char *m = strtok_r (models, ",", &save); m;
       m = strtok_r (NULL, ",", &save)) {
    omen_err err = { 0 };
    bool ok = judge (verifier, trace, m, claim, sequence, &err);
    bool right = ok == wanted && !err.where[0]
                 && (wanted || (words && strstr (err.what, words)));
    tap (right, where, whole, ok ? "holds" : err.what);
  }
}

/* ---- files ---- */
typedef struct section {
  char where[300];
  text trace, property;
  text verdicts; /* lines, each ended by NUL */
} section;

/* A property file, or nothing. */
typedef struct rules {
  omen_spec *spec;
  omen_compiled *compiled;
} rules;

static bool
read_rules (rules *r, const text *property, omen_err *err)
{
  *r = (rules){ 0 };
  if (!property->count)
    return true;
  r->spec = omen_spec_parse ("case", property->data, property->count, err);
  r->compiled = r->spec ? omen_spec_compile (r->spec, err) : NULL;
  return r->compiled != NULL;
}

static void
tell_rules (const rules *r, omen_verifier *verifier)
{
  if (r->compiled && verifier)
    omen_verifier_properties (verifier,
                              &(omen_property_file){ r->compiled->properties,
                                                     r->compiled->written,
                                                     r->compiled->count, 1 });
}

static void
forget_rules (rules *r)
{
  omen_compiled_free (r->compiled);
  omen_spec_free (r->spec);
}

static void
judge_section (section *s, const char *path)
{
  omen_err err = { 0 };
  omen_trace *trace;
  omen_verifier *verifier = NULL;
  rules r;
  if (!s->trace.count)
    return;
  trace = omen_text_parse (path, s->trace.data, s->trace.count, &err);
  if (read_rules (&r, &s->property, &err) && trace)
    verifier = omen_verifier_new (trace, &err);
  tell_rules (&r, verifier);
  for (size_t i = 0, next; i < s->verdicts.count; i = next) {
    char *line = s->verdicts.data + i;
    next = i + strlen (line) + 1;
    if (!strncmp (line, "bad ", 4))
      tap (trace && !verifier && strstr (err.what, line + 4), s->where, line,
           verifier ? "the trace is taken" : err.what);
    else if (verifier)
      verdict (verifier, trace, s->where, line);
    else
      tap (false, s->where, line, err.what);
  }
  if (!s->verdicts.count)
    tap (false, s->where, "no verdict", "");
  omen_verifier_free (verifier);
  omen_trace_free (trace);
  forget_rules (&r);
}

static void
begin_section (section *s, const char *path, const char *title)
{
  const char *name = strrchr (path, '/');
  judge_section (s, path);
  snprintf (s->where, sizeof s->where, "%.60s: %.200s", name ? name + 1 : path,
            title);
  OMEN_VEC_CLEAR (s->trace);
  OMEN_VEC_CLEAR (s->property);
  OMEN_VEC_CLEAR (s->verdicts);
}

static bool
is_verdict (const char *line)
{
  return !strncmp (line, "ok ", 3) || !strncmp (line, "no ", 3)
         || !strncmp (line, "bad ", 4);
}

static void
judge_file (const char *path, char *content)
{
  section s = { 0 };
  char *save;
  for (char *line = strtok_r (content, "\n", &save); line;
       line = strtok_r (NULL, "\n", &save))
    if (!strncmp (line, "== ", 3))
      begin_section (&s, path, line + 3);
    else if (is_verdict (line)) {
      append (&s.verdicts, line);
      OMEN_VEC_PUSH (s.verdicts, 0);
    } else {
      bool property = !strncmp (line, "> ", 2);
      append (property ? &s.property : &s.trace, property ? line + 2 : line);
      append (property ? &s.property : &s.trace, "\n");
    }
  begin_section (&s, path, "");
  OMEN_VEC_FINI (s.trace);
  OMEN_VEC_FINI (s.property);
  OMEN_VEC_FINI (s.verdicts);
}

static char *
content_of (const char *path)
{
  FILE *file = fopen (path, "r");
  text t = { 0 };
  int c;
  if (!file)
    return NULL;
  while ((c = getc (file)) != EOF)
    OMEN_VEC_PUSH (t, (char)c);
  OMEN_VEC_PUSH (t, 0);
  fclose (file);
  return t.data;
}

int
main (void)
{
  const char *top = getenv ("TOP");
  char pattern[4096];
  glob_t found;
  snprintf (pattern, sizeof pattern, "%s/test/random/verify/*.v",
            top ? top : ".");
  if (glob (pattern, 0, NULL, &found)) {
    printf ("not ok 1 - no cases at %s\n", pattern);
    return 1;
  }
  for (size_t i = 0; i < found.gl_pathc; i++) {
    char *content = content_of (found.gl_pathv[i]);
    if (content)
      judge_file (found.gl_pathv[i], content);
    else
      tap (false, found.gl_pathv[i], "cannot be read", "");
    omen_free (content);
  }
  globfree (&found);
  tap (omen_mem_live () == 0, "memory", "everything is freed", "");
  printf ("1..%u\n", tests);
  return failures > 0;
}

/* Reads a witness line by line; the first wrong line is an error, reported with
   its number. The lines have an order:
     omen-witness 1, trace, model, claim, run…, end
   and comments and blank lines stand anywhere. */
#include "witness/witness.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

typedef struct word {
  const char *text;
  size_t length;
} word;

typedef struct reader {
  omen_witness *witness;
  const omen_trace *trace;
  const char *path;
  omen_err *err;
  word rest; /* what is left of the text */
  unsigned long line;
  OMEN_VEC (char) name; /* scratch: a name without its escapes */
} reader;

/* ---- words of a line ---- */
static bool
blank (char c)
{
  return c == ' ' || c == '\t' || c == '\r';
}

static word
next_word (word *rest)
{
  word found;
  while (rest->length && blank (*rest->text))
    rest->text++, rest->length--;
  found = (word){ rest->text, 0 };
  while (rest->length && !blank (*rest->text))
    rest->text++, rest->length--, found.length++;
  return found;
}

static bool
word_is (word w, const char *text)
{
  return w.length == strlen (text) && !memcmp (w.text, text, w.length);
}

/* For messages: shortened, and with control characters replaced. */
static const char *
show (word w, char buffer[40])
{
  size_t n = w.length < 32 ? w.length : 32;
  for (size_t i = 0; i < n; i++)
    buffer[i]
        = (unsigned char)w.text[i] < ' ' || w.text[i] == 0x7f ? '?' : w.text[i];
  strcpy (buffer + n, n < w.length ? "..." : "");
  return buffer;
}

static bool
fail_line (reader *r, const char *what)
{
  return omen_err_at (r->err, r->path, r->line, "%s", what);
}

static bool
fail_word (reader *r, const char *what, word w)
{
  char buffer[40];
  return omen_err_at (r->err, r->path, r->line, "%s '%s'", what,
                      show (w, buffer));
}

static bool
word_number (word w, unsigned base, uint64_t *value)
{
  *value = 0;
  for (size_t i = 0; i < w.length; i++) {
    static const char digits[] = "0123456789abcdef";
    const char *digit = w.text[i] ? strchr (digits, w.text[i]) : NULL;
    if (!digit || digit >= digits + base
        || *value > (UINT64_MAX - (unsigned)(digit - digits)) / base)
      return false;
    *value = *value * base + (unsigned)(digit - digits);
  }
  return w.length > 0;
}

/* ---- the parts of a witness ---- */
static bool
read_header (reader *r, word *line)
{
  uint64_t version;
  word w = next_word (line);
  if (!word_is (w, "omen-witness"))
    return fail_line (r,
                      "not a witness: it does not start with 'omen-witness'");
  w = next_word (line);
  if (!word_number (w, 10, &version))
    return fail_word (r, "not a version:", w);
  return version == 1
         || omen_err_at (r->err, r->path, r->line,
                         "version %" PRIu64 " of the witness format; this omen "
                         "reads version 1",
                         version);
}

static bool
read_trace (reader *r, word *line)
{
  uint64_t identity, events, own = r->witness->identity;
  word w = next_word (line);
  if (w.length != 16 || !word_number (w, 16, &identity))
    return fail_word (r, "not a trace's identity (16 hexadecimal digits):", w);
  w = next_word (line);
  if (!word_number (w, 10, &events) || events >= OMEN_NONE)
    return fail_word (r, "not a number of events:", w);
  if (!own)
    own = omen_trace_identity (r->trace);
  if (identity != own || events != r->trace->events.count)
    return omen_err_at (r->err, r->path, r->line,
                        "a witness of another trace: %016" PRIx64
                        " with %" PRIu64 " events, this one is %016" PRIx64
                        " with %zu",
                        identity, events, own, r->trace->events.count);
  r->witness->identity = identity;
  r->witness->trace_events = (uint32_t)events;
  return true;
}

static bool
read_model (reader *r, word *line)
{
  word w = next_word (line);
  for (unsigned i = 0; i < OMEN_MODELS; i++)
    if (word_is (w, omen_model_text (i))) {
      r->witness->model = i;
      return true;
    }
  return fail_word (r, "unknown model", w);
}

static bool
read_claimed_event (reader *r, word w)
{
  uint64_t e;
  if (word_is (w, "-1"))
    e = OMEN_NONE;
  else if (!word_number (w, 10, &e))
    return fail_word (r, "not an event:", w);
  else if (e >= r->trace->events.count)
    return fail_word (r, "the trace has no event", w);
  OMEN_VEC_PUSH (r->witness->claim.events, (uint32_t)e);
  return true;
}

/* The word that ends a nondet or misuse claim. */
static bool
read_claim_word (reader *r, word w)
{
  omen_claim *claim = &r->witness->claim;
  bool nondet = claim->kind == OMEN_CLAIM_NONDET;
  unsigned all = nondet ? OMEN_NONDET_ORDERS : OMEN_MISUSES;
  for (unsigned i = 0; i < all; i++)
    if (word_is (w, nondet ? omen_nondet_text (i) : omen_misuse_text (i))) {
      claim->word = i;
      return true;
    }
  if (nondet)
    return fail_word (r, "the order of a nondet claim is wcr, crw or cr, not",
                      w);
  return fail_word (r, "unknown misuse", w);
}

static bool
read_claim_kind (reader *r, word w)
{
  for (unsigned i = 0; i < OMEN_CLAIMS; i++)
    if (word_is (w, omen_claim_text (i))) {
      r->witness->claim.kind = i;
      return true;
    }
  return fail_word (r, "unknown claim", w);
}

static bool
check_claim_size (reader *r)
{
  static const uint8_t least[] = { 2, 2, 2, 2, 6, 1, 1, 1, 1, 1, 2 };
  omen_claim_kind kind = r->witness->claim.kind;
  size_t count = r->witness->claim.events.count;
  bool open = kind == OMEN_CLAIM_DEADLOCK || kind == OMEN_CLAIM_PATTERN
              || kind == OMEN_CLAIM_PROPERTY || kind == OMEN_CLAIM_STUCK;
  _Static_assert (OMEN_COUNT (least) == OMEN_CLAIMS, "a number a claim");
  if (count < least[kind] || (count > least[kind] && !open))
    return omen_err_at (
        r->err, r->path, r->line, "a claim of %s takes %u events%s, not %zu",
        omen_claim_text (kind), least[kind], open ? " or more" : "", count);
  for (size_t i = 0; i < count; i++)
    if (r->witness->claim.events.data[i] == OMEN_NONE
        && !(kind == OMEN_CLAIM_NONDET && i == 1)
        && !(kind == OMEN_CLAIM_ATOMICITY && i == 3))
      return fail_line (r,
                        "-1 stands for an initial write or for no block only");
  return true;
}

static int
hex_digit (char c)
{
  return c >= '0' && c <= '9'   ? c - '0'
         : c >= 'a' && c <= 'f' ? c - 'a' + 10
         : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                : -1;
}

/* Into r->name: \xHH is that byte, \- is nothing, any other backslash is
   itself. */
static void
unescape (reader *r, word w)
{
  OMEN_VEC_CLEAR (r->name);
  OMEN_VEC_RESERVE (r->name, w.length + 1);
  for (size_t i = 0; i < w.length && !word_is (w, "\\-"); i++) {
    const char *c = w.text + i;
    if (*c == '\\' && w.length - i > 3 && c[1] == 'x' && hex_digit (c[2]) >= 0
        && hex_digit (c[3]) >= 0) {
      OMEN_VEC_PUSH (r->name, (char)(16 * hex_digit (c[2]) + hex_digit (c[3])));
      i += 3;
    } else
      OMEN_VEC_PUSH (r->name, *c);
  }
}

static char *
text_of (reader *r, word w)
{
  char *text;
  unescape (r, w);
  text = omen_alloc (r->name.count + 1);
  if (r->name.count)
    memcpy (text, r->name.data, r->name.count);
  text[r->name.count] = 0;
  return text;
}

/* NAME FORMULA CATEGORY, before the events of a property claim. */
static bool
read_about (reader *r, word *line)
{
  word name = next_word (line), formula = next_word (line);
  word category = next_word (line);
  uint64_t n;
  if (!name.length || !category.length)
    return fail_line (
        r, "a claim of property names the property, the number of the "
           "formula and the category");
  if (!word_number (formula, 10, &n) || n > UINT32_MAX)
    return fail_word (r, "not the number of a formula:", formula);
  r->witness->claim.about = omen_zalloc (1, sizeof (omen_about));
  r->witness->claim.word = (unsigned)n;
  r->witness->claim.about->property = text_of (r, name);
  r->witness->claim.about->category = text_of (r, category);
  return true;
}

static bool
read_spec (reader *r, word *line)
{
  word w = next_word (line);
  return (w.length == 16 && word_number (w, 16, &r->witness->claim.about->spec))
         || fail_word (
             r, "not a property file's identity (16 hexadecimal digits):", w);
}

static bool
read_bind (reader *r, word *line)
{
  word name = next_word (line), value = next_word (line);
  omen_bound bound;
  if (!r->witness->claim.about)
    return fail_line (r, "'bind' goes with a claim of property");
  if (!name.length || !value.length)
    return fail_line (r, "a parameter and its value should come here");
  bound = (omen_bound){ text_of (r, name), text_of (r, value) };
  OMEN_VEC_PUSH (r->witness->claim.about->binding, bound);
  return true;
}

static bool
read_claim (reader *r, word *line)
{
  bool worded;
  if (!read_claim_kind (r, next_word (line)))
    return false;
  if (r->witness->claim.kind == OMEN_CLAIM_PROPERTY && !read_about (r, line))
    return false;
  worded = r->witness->claim.kind == OMEN_CLAIM_NONDET
           || r->witness->claim.kind == OMEN_CLAIM_MISUSE;
  for (;;) {
    word after, w = next_word (line);
    word peek = *line;
    if (!w.length)
      return worded ? fail_line (r, "the claim ends without its word")
                    : check_claim_size (r);
    after = next_word (&peek);
    if (worded && !after.length)
      return read_claim_word (r, w) && check_claim_size (r);
    if (!read_claimed_event (r, w))
      return false;
  }
}

static omen_tid
thread_named (reader *r, word w)
{
  unescape (r, w);
  return omen_names_find (&r->trace->names[OMEN_OPERAND_THREAD], r->name.data,
                          r->name.count);
}

static bool
read_run (reader *r, word *line)
{
  uint64_t first, past;
  omen_ids *sequence = &r->witness->sequence;
  word name = next_word (line), from = next_word (line), to = next_word (line);
  omen_tid t = thread_named (r, name);
  if (t == OMEN_NONE)
    return fail_word (r, "the trace has no thread", name);
  if (!word_number (from, 10, &first))
    return fail_word (r, "not an index in the thread:", from);
  if (!word_number (to, 10, &past))
    return fail_word (r, "not an index in the thread:", to);
  if (first >= past)
    return fail_line (r, "an empty run");
  if (past > r->trace->threads.data[t].count)
    return omen_err_at (r->err, r->path, r->line,
                        "the thread has %" PRIu32 " events, the run ends "
                        "before %" PRIu64,
                        r->trace->threads.data[t].count, past);
  if (past - first > r->trace->events.count - sequence->count)
    return fail_line (r, "more events than the trace has");
  OMEN_VEC_RESERVE (*sequence, sequence->count + (past - first));
  for (uint32_t i = (uint32_t)first; i < past; i++)
    OMEN_VEC_PUSH (*sequence, omen_trace_nth (r->trace, t, i));
  return true;
}

/* ---- lines ---- */
/* The next line that is neither blank nor a comment; false at the end of the
   text. */
static bool
next_line (reader *r, word *line)
{
  while (r->rest.length) {
    const char *end = memchr (r->rest.text, '\n', r->rest.length);
    word first;
    *line = (word){ r->rest.text,
                    end ? (size_t)(end - r->rest.text) : r->rest.length };
    r->rest.text += line->length + (end != NULL);
    r->rest.length -= line->length + (end != NULL);
    r->line++;
    first = *line;
    first = next_word (&first);
    if (first.length && first.text[0] != '#')
      return true;
  }
  return false;
}

static bool
line_done (reader *r, word *line)
{
  word w = next_word (line);
  return !w.length || fail_word (r, "too much on the line:", w);
}

/* Read the line that must come now: KEY, then what `read` expects. */
static bool
expect (reader *r, const char *key, bool (*read) (reader *, word *))
{
  word line, w;
  if (!next_line (r, &line)) {
    r->line++;
    return omen_err_at (r->err, r->path, r->line,
                        "the witness ends before its '%s' line", key);
  }
  w = next_word (&line);
  if (!word_is (w, key)) {
    char buffer[40];
    return omen_err_at (r->err, r->path, r->line,
                        "'%s' should come here, not "
                        "'%s'",
                        key, show (w, buffer));
  }
  return read (r, &line) && line_done (r, &line);
}

static bool
read_runs (reader *r)
{
  word line, w;
  while (next_line (r, &line)) {
    w = next_word (&line);
    if (word_is (w, "bind") && !r->witness->sequence.count) {
      if (!read_bind (r, &line) || !line_done (r, &line))
        return false;
      continue;
    }
    if (word_is (w, "end"))
      return line_done (r, &line)
             && (!next_line (r, &line)
                 || fail_line (r, "something after 'end'"));
    if (!word_is (w, "run"))
      return fail_word (r, "'run' or 'end' should come here, not", w);
    if (!read_run (r, &line) || !line_done (r, &line))
      return false;
  }
  r->line++;
  return fail_line (r, "the witness ends without 'end': it is cut short");
}

bool
omen_witness_parse (omen_witness *witness, const omen_trace *trace,
                    const char *path, const char *text, size_t size,
                    omen_err *err)
{
  reader r = { witness, trace, path, err, { text, size }, 0, { 0 } };
  word line;
  bool ok;
  OMEN_REQUIRE (!witness->sequence.count && !witness->claim.events.count);
  if (!next_line (&r, &line)) {
    r.line = 1;
    return fail_line (&r, "an empty witness");
  }
  ok = read_header (&r, &line) && line_done (&r, &line)
       && expect (&r, "trace", read_trace) && expect (&r, "model", read_model)
       && expect (&r, "claim", read_claim)
       && (!witness->claim.about || expect (&r, "spec", read_spec))
       && read_runs (&r);
  OMEN_VEC_FINI (r.name);
  return ok;
}

bool
omen_witness_load (omen_witness *witness, const omen_trace *trace,
                   const char *path, omen_err *err)
{
  FILE *file = fopen (path, "rb");
  OMEN_VEC (char) text = { 0 };
  size_t got;
  bool ok;
  if (!file)
    return omen_err_io (err, path, "cannot open: %s", strerror (errno));
  do {
    OMEN_VEC_RESERVE (text, text.count + 4096);
    got = fread (text.data + text.count, 1, text.room - text.count, file);
    text.count += got;
  } while (got);
  ok = !ferror (file)
       || omen_err_io (err, path, "cannot read: %s", strerror (errno));
  fclose (file);
  ok = ok
       && omen_witness_parse (witness, trace, path, text.data, text.count, err);
  OMEN_VEC_FINI (text);
  return ok;
}

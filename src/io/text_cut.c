#include "io/text_cut.h"

#include "base/marks.h"

static uint64_t
marks_of (const char *block, const char *end)
{
  if (OMEN_LIKELY (end - block >= 64))
    return omen_marks (block, '\n', '|', '(', '=');
  return omen_marks_some (block, (size_t)(end - block), '\n', '|', '(', '=');
}

omen_cutter
omen_cutter_at (const char *text, const char *end)
{
  return (omen_cutter){ text, end, text, marks_of (text, end) };
}

/* The next mark; the end of the text counts as a newline. */
static inline char
next_mark (omen_cutter *cutter, const char **mark)
{
  while (OMEN_UNLIKELY (!cutter->marks)) {
    if (cutter->end - cutter->block <= 64) {
      *mark = cutter->end;
      return '\n';
    }
    cutter->block += 64;
    cutter->marks = marks_of (cutter->block, cutter->end);
  }
  *mark = cutter->block + __builtin_ctzll (cutter->marks);
  cutter->marks &= cutter->marks - 1;
  return **mark;
}

/* Find the next `wanted` in the line; false if the line ends first. */
static inline bool
find_mark (omen_cutter *cutter, char wanted, const char **mark)
{
  char c;
  do
    c = next_mark (cutter, mark);
  while (OMEN_UNLIKELY (c != wanted && c != '\n'));
  return c == wanted;
}

/* The positions of the marks in a line. */
typedef struct places {
  const char *start, *bar, *open, *equals, *second, *end;
} places;

/* A missing mark and those after it are NULL. */
static inline places
find_places (omen_cutter *cutter)
{
  places p = { .start = cutter->at };
  const char *mark;
  char c;
  if (OMEN_LIKELY (find_mark (cutter, '|', &mark))) {
    p.bar = mark;
    if (OMEN_LIKELY (find_mark (cutter, '(', &mark))) {
      p.open = mark;
      c = next_mark (cutter, &mark);
      if (c == '=') {
        p.equals = mark;
        c = next_mark (cutter, &mark);
      }
      while (OMEN_UNLIKELY (c != '|' && c != '\n')) {
        if (c == '=' && !p.equals)
          p.equals = mark;
        c = next_mark (cutter, &mark);
      }
      if (OMEN_LIKELY (c == '|')) {
        p.second = mark;
        find_mark (cutter, '\n', &mark);
      }
    }
  }
  OMEN_CHECK (mark == cutter->end || *mark == '\n');
  p.end = mark;
  cutter->at = mark + 1;
  return p;
}

/* What is expected in a malformed line, and the text found instead. */
static const char *
find_fault (const places *p, omen_field *wrong)
{
  *wrong = omen_field_between (p->start, p->end);
  if (!p->bar)
    return "thread|operation(...)|location";
  *wrong = omen_field_between (p->bar + 1, p->end);
  if (!p->open)
    return "operation(...)";
  *wrong = omen_field_between (p->open + 1, p->second ? p->second : p->end);
  return "')'";
}

/* The field without blanks at both ends. It is not empty, or there are marks on
   both sides of it, so that start and end[-1] are readable. */
static inline omen_field
between_marks (const char *start, const char *end)
{
  if (OMEN_UNLIKELY ((unsigned char)*start <= ' '
                     || (unsigned char)end[-1] <= ' '))
    return omen_field_between (start, end);
  return (omen_field){ start, (size_t)(end - start) };
}

/* False if a part is missing. */
static inline bool
cut_parts (const places *p, omen_parts *parts)
{
  const char *close, *second = p->second ? p->second : p->end;
  if (OMEN_UNLIKELY (!p->open))
    return false;
  close = second - 1;
  parts->tail.length = 0;
  if (OMEN_UNLIKELY (*close != ')')) {
    close = memrchr (p->open + 1, ')', (size_t)(second - p->open - 1));
    if (!close)
      return false;
    parts->tail = omen_field_between (close + 1, second);
  }
  OMEN_CHECK (p->start <= p->bar && p->bar < p->open && p->open < close
              && close < second && second <= p->end);
  parts->thread = OMEN_LIKELY (p->start < p->bar)
                      ? between_marks (p->start, p->bar)
                      : (omen_field){ p->start, 0 };
  parts->operation = between_marks (p->bar + 1, p->open);
  parts->args = between_marks (p->open + 1, close);
  parts->location = p->second && p->second + 1 < p->end
                        ? between_marks (p->second + 1, p->end)
                        : (omen_field){ p->end, 0 };
  parts->equals = p->equals && p->equals < close ? p->equals : NULL;
  return true;
}

static bool
is_comment (const places *p)
{
  omen_field line = omen_field_between (p->start, p->end);
  return !line.length || line.text[0] == '#';
}

bool
omen_cutter_next (omen_cutter *cutter, omen_text_fields *cut)
{
  omen_cutter local = *cutter;
  places p;
  unsigned char first;
  if (local.at >= local.end)
    return false;
  p = find_places (&local);
  *cutter = local;
  first = (unsigned char)*p.start;
  if (p.end > p.start && p.end[-1] == '\r')
    p.end--;
  OMEN_CHECK (p.start <= p.end && p.end <= cutter->end);
  cut->expected = NULL;
  cut->comment
      = OMEN_UNLIKELY (first <= ' ' || first == '#') && is_comment (&p);
  if (OMEN_UNLIKELY (!cut->comment && !cut_parts (&p, &cut->parts)))
    cut->expected = find_fault (&p, &cut->wrong);
  return true;
}

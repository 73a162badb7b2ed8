#include "trace/text_cut.h"

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

/* The next mark, or the end of the text. */
static inline const char *
next_mark (omen_cutter *cutter)
{
  const char *mark;
  while (OMEN_UNLIKELY (!cutter->marks)) {
    if (cutter->end - cutter->block <= 64)
      return cutter->end;
    cutter->block += 64;
    cutter->marks = marks_of (cutter->block, cutter->end);
  }
  mark = cutter->block + __builtin_ctzll (cutter->marks);
  cutter->marks &= cutter->marks - 1;
  return mark;
}

/* The next `wanted` of the line, or its end. */
static inline const char *
next_in_line (omen_cutter *cutter, char wanted)
{
  const char *mark;
  do
    mark = next_mark (cutter);
  while (mark < cutter->end && *mark != wanted && *mark != '\n');
  return mark;
}

static inline bool
at (const omen_cutter *cutter, const char *mark, char c)
{
  return mark < cutter->end && *mark == c;
}

/* Where the parts of a line end. */
typedef struct places {
  const char *start, *bar, *open, *equals, *second, *end;
} places;

/* All are NULL after the first that is missing (equals alone may be). */
static inline places
find_places (omen_cutter *cutter)
{
  places p = { .start = cutter->at };
  const char *mark = next_in_line (cutter, '|');
  if (OMEN_LIKELY (at (cutter, mark, '|'))) {
    p.bar = mark;
    mark = next_in_line (cutter, '(');
    if (OMEN_LIKELY (at (cutter, mark, '('))) {
      p.open = mark;
      do {
        mark = next_mark (cutter);
        if (!p.equals && at (cutter, mark, '='))
          p.equals = mark;
      } while (mark < cutter->end && *mark != '|' && *mark != '\n');
      if (OMEN_LIKELY (at (cutter, mark, '|'))) {
        p.second = mark;
        mark = next_in_line (cutter, '\n');
      }
    }
  }
  OMEN_ASSERT (mark == cutter->end || *mark == '\n');
  p.end = mark;
  cutter->at = mark + 1;
  return p;
}

/* What is missing in a line, and what stands there instead. */
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

/* False if a part is missing. */
static inline bool
cut_parts (const places *p, omen_parts *parts)
{
  const char *close, *second = p->second ? p->second : p->end;
  if (OMEN_UNLIKELY (!p->open))
    return false;
  close = second[-1] == ')'
              ? second - 1
              : memrchr (p->open + 1, ')', (size_t)(second - p->open - 1));
  if (OMEN_UNLIKELY (!close))
    return false;
  OMEN_ASSERT (p->start <= p->bar && p->bar < p->open && p->open < close
               && close < second && second <= p->end);
  parts->thread = omen_field_between (p->start, p->bar);
  parts->operation = omen_field_between (p->bar + 1, p->open);
  parts->args = omen_field_between (p->open + 1, close);
  parts->tail = omen_field_between (close + 1, second);
  parts->location = p->second ? omen_field_between (p->second + 1, p->end)
                              : (omen_field){ p->end, 0 };
  parts->equals = p->equals && p->equals < close ? p->equals : NULL;
  return true;
}

static bool
is_comment (const places *p)
{
  omen_field line;
  if (OMEN_LIKELY (p->start < p->end && *p->start > ' ' && *p->start != '#'))
    return false;
  line = omen_field_between (p->start, p->end);
  return !line.length || line.text[0] == '#';
}

bool
omen_cutter_next (omen_cutter *cutter, omen_cut *cut)
{
  places p;
  if (cutter->at >= cutter->end)
    return false;
  p = find_places (cutter);
  if (p.end > p.start && p.end[-1] == '\r')
    p.end--;
  OMEN_ASSERT (p.start <= p.end && p.end <= cutter->end);
  cut->comment = is_comment (&p);
  cut->expected = NULL;
  if (OMEN_UNLIKELY (!cut->comment && !cut_parts (&p, &cut->parts)))
    cut->expected = find_fault (&p, &cut->wrong);
  return true;
}

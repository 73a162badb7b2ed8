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
  p.end = mark;
  cutter->at = mark + 1;
  return p;
}

static const char *
cut_parts (const places *p, omen_parts *parts, omen_field *wrong)
{
  const char *close, *second = p->second ? p->second : p->end;
  *wrong = omen_field_between (p->start, p->end);
  if (OMEN_UNLIKELY (!p->bar))
    return "thread|operation(...)|location";
  *wrong = omen_field_between (p->bar + 1, p->end);
  if (OMEN_UNLIKELY (!p->open))
    return "operation(...)";
  *wrong = omen_field_between (p->open + 1, second);
  close = second[-1] == ')'
              ? second - 1
              : memrchr (p->open + 1, ')', (size_t)(second - p->open - 1));
  if (OMEN_UNLIKELY (!close))
    return "')'";
  parts->thread = omen_field_between (p->start, p->bar);
  parts->operation = omen_field_between (p->bar + 1, p->open);
  parts->args = omen_field_between (p->open + 1, close);
  parts->tail = omen_field_between (close + 1, second);
  parts->location = p->second ? omen_field_between (p->second + 1, p->end)
                              : (omen_field){ p->end, 0 };
  parts->equals = p->equals && p->equals < close ? p->equals : NULL;
  return NULL;
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
  if (OMEN_LIKELY (!cut->comment))
    cut->expected = cut_parts (&p, &cut->parts, &cut->wrong);
  return true;
}

/* All words of a trace: the orders in which some of its events, the letters,
   can come in a reordering, each up to a letter that has just come. What a
   monitor that looks at the letters alone can ever see.

   A letter that reads is preserved even if it is the last of its thread, since
   the monitor sees what it read, unless it is loose: then it may see anything,
   as other events. Under sliced, letters are claimed.

   With `neighbours` a word also tells which of its letters came right after the
   one before, with no other event of the trace between: bit i of `close` for
   letter i. Words that differ only in that are different then. */
#ifndef OMEN_TEST_ORACLE_WORDS_H
#define OMEN_TEST_ORACLE_WORDS_H

#include "oracle.h"

#define ORACLE_LETTERS 10 /* at most */

typedef void (*oracle_see_word) (void *context, const omen_eid *word,
                                 unsigned length, uint64_t close);

/* Each word once; letters[e] says whether event e is one, and loose[e] whether
   the monitor does not look at what it reads. False: too many
   letters, or more than `most` states. */
bool oracle_words (const oracle *o, const bool *letters, const bool *loose,
                   bool neighbours, uint32_t most, oracle_see_word see,
                   void *context);

#endif

/* The stack of functions of a thread, from the depths that woven code logs
   (wire/abi.h): a record of a depth says that deeper functions have been left,
   with or without a record. Inlined functions have depths relative to the
   function they were inlined into.

     depth = omen_frames_depth (&frames, noted);
     while (omen_frames_left (&frames, depth - 1, &left))
       …                                            it has been left
     omen_frames_enter (&frames, (omen_depth){ … }, inlined); */
#ifndef OMEN_RECORDING_EVENTS_FRAMES_H
#define OMEN_RECORDING_EVENTS_FRAMES_H

#include "base/vec.h"
#include "wire/abi.h"

typedef struct omen_depth {
  uint64_t depth;
  uint64_t outer; /* of the innermost function that was not inlined */
  uint32_t function;
  uint32_t site;  /* of its ENTER */
  uint32_t from;  /* stack of the call, or OMEN_NONE */
  uint32_t entry; /* event, or OMEN_NONE */
} omen_depth;

typedef OMEN_VEC (omen_depth) omen_frames;

/* Depth of the innermost function that was not inlined; 0: unknown. */
static inline uint64_t
omen_frames_outer (const omen_frames *frames)
{
  return frames->count ? OMEN_VEC_LAST (*frames).outer : 0;
}

/* The depth that a record means. */
static inline uint64_t
omen_frames_depth (const omen_frames *frames, uint64_t noted)
{
  return noted & OMEN_DEPTH_INNER
             ? omen_frames_outer (frames) + (noted & ~OMEN_DEPTH_INNER)
             : noted;
}

/* `inlined`: into the function that was innermost before. */
static inline void
omen_frames_enter (omen_frames *frames, omen_depth entered, bool inlined)
{
  entered.outer = inlined ? omen_frames_outer (frames) : entered.depth;
  OMEN_VEC_PUSH (*frames, entered);
}

/* Removes the innermost function, if it is deeper than that. */
static inline bool
omen_frames_left (omen_frames *frames, uint64_t depth, omen_depth *left)
{
  if (!frames->count || OMEN_VEC_LAST (*frames).depth <= depth)
    return false;
  *left = OMEN_VEC_POP (*frames);
  return true;
}

#endif

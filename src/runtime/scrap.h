/* Where woven code writes its notes when nobody listens: a page or two for each
   thread, written over and over, which is cheaper than a call for each. */
#ifndef OMEN_RUNTIME_SCRAP_H
#define OMEN_RUNTIME_SCRAP_H

/* Point the cursor of this thread at its scrap, unless there is room left.
   Keeps errno. */
void omen_scrap_use (void);

#endif

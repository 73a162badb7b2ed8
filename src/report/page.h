/* The page around the data, generated from page/ by the build: strings up to a
   NULL, to be written in sequence. */
#ifndef OMEN_REPORT_PAGE_H
#define OMEN_REPORT_PAGE_H

extern const char *const omen_page_before[];
extern const char *const omen_page_after[];

#endif

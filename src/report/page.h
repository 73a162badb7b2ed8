/* The page around the data, made from page/ when omen is built: strings up to
   a NULL, to be written one after the other. */
#ifndef OMEN_REPORT_PAGE_H
#define OMEN_REPORT_PAGE_H

extern const char *const omen_page_before[];
extern const char *const omen_page_after[];

#endif

// SPDX-License-Identifier: Apache-2.0
// The frame of a page: head, navigation, foot; and the frame of a table. All pages lie in one
// folder. They can be read without the script, which only adds sorting, filtering and the choice
// of colours.
#include "html/html_widgets.h"

#include "base/fs.h"
#include <string.h>

static const struct {
    const char *page, *title;
} pages[] = {{"index.html", "Overview"}, {"functions.html", "Functions"}, {"goals.html", "Goals"},
             {"tests.html", "Tests"},    {"alarms.html", "Alarms"},       {"search.html", "Search"},
             {"run.html", "This run"}};

void html_page_begin(const struct html_model *model, const char *page, const char *title,
                     struct buf *out)
{
    html_printf(out,
                "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                "<meta name=\"color-scheme\" content=\"light dark\">\n<title>%s – ",
                title);
    html_text(out, model->subject);
    buf_puts(out, "</title>\n<link rel=\"icon\" href=\"data:,\">\n"
                  "<link rel=\"stylesheet\" href=\"report.css\">\n"
                  "<script src=\"report.js\"></script>\n</head>\n<body>\n"
                  "<a class=\"skip\" href=\"#main\">Skip to content</a>\n"
                  "<header class=\"top\"><span class=\"brand\">Cadenza</span>"
                  "<nav aria-label=\"Pages\"><ul>\n");
    for (size_t i = 0; i < sizeof pages / sizeof *pages; i++)
        buf_printf(out, "<li><a href=\"%s\"%s>%s</a></li>\n", pages[i].page,
                   strcmp(page, pages[i].page) ? "" : " aria-current=\"page\"", pages[i].title);
    buf_puts(out, "</ul></nav><span class=\"subject\">");
    html_printf(out, "%s</span></header>\n<main id=\"main\" tabindex=\"-1\">\n<h1>%s</h1>\n",
                model->subject, title);
}

void html_page_end(struct buf *out)
{
    buf_puts(out, "</main>\n<footer><p>Made by Cadenza from <code>cadenza.db</code>. "
                  "<span class=\"keys\">Keys: <kbd>/</kbd> filter, <kbd>n</kbd> <kbd>p</kbd> next "
                  "and previous open goal, <kbd>d</kbd> dark or light.</span></p></footer>\n"
                  "</body>\n</html>\n");
}

void html_legend(struct buf *out)
{
    buf_puts(out, "<ul class=\"legend\" aria-label=\"Legend\">");
    for (int i = 0; i < HTML_STATES; i++) {
        buf_puts(out, "<li>");
        html_mark(out, (enum html_state)i);
        buf_printf(out, " %s</li>", html_state_word((enum html_state)i));
    }
    buf_puts(out, "</ul>\n");
}

void html_table_begin(struct buf *out, const char *label, const char *const *head, bool filter)
{
    html_printf(out,
                "<div class=\"scroll\"><table class=\"sortable\"%s><caption>%s</caption>"
                "<thead><tr>",
                filter ? " data-filter" : "", label);
    for (; *head; head++)
        html_printf(out, "<th scope=\"col\" class=\"%s\">%s</th>", **head == '*' ? "n" : "t",
                    *head + (**head == '*'));
    buf_puts(out, "</tr></thead>\n<tbody>\n");
}

void html_table_end(struct buf *out)
{
    buf_puts(out, "</tbody></table></div>\n");
}

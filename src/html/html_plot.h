// SPDX-License-Identifier: Apache-2.0
// Plots as inline SVG. Curves differ in dashes, not only in colour, and name themselves.
#ifndef CZ_HTML_PLOT_H
#define CZ_HTML_PLOT_H

#include "base/vec.h"
#include "html/html_text.h"

struct html_point {
    double x, y;
};
struct html_curve {
    const char *name;
    VEC(struct html_point) points; // sorted by x; each holds until the next
};
// `id` is unique in the page.
struct html_plot {
    const char *id, *title, *x_label, *y_label;
    const struct html_curve *curves;
    size_t count;
};
// Steps over a logarithmic x.
void html_curves(const struct html_plot *plot, struct buf *out);

// A horizontal bar of parts that add up, in units of the longest one.
struct html_bar_part {
    const char *class, *name;
    double size;
};
void html_stacked_bar(const struct html_bar_part *parts, size_t count, double most,
                      struct buf *out);

#endif

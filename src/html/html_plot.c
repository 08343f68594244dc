// SPDX-License-Identifier: Apache-2.0
// SVG, drawn by hand: a frame with few lines, steps, and names at the ends of the curves.
#include "html/html_plot.h"

#include <math.h>
#include <stdbool.h>

enum { WIDTH = 640, HEIGHT = 260, LEFT = 56, RIGHT = 150, TOP = 12, BOTTOM = 44 };

struct frame {
    double first, last, top; // x from first to last, y from 0 to top
};

static double place_x(const struct frame *f, double x)
{
    double from = log10(f->first), to = log10(f->last);
    x = x < f->first ? f->first : x;
    return LEFT + (to > from ? (log10(x) - from) / (to - from) : 0) * (WIDTH - LEFT - RIGHT);
}

static double place_y(const struct frame *f, double y)
{
    return HEIGHT - BOTTOM - (f->top > 0 ? y / f->top : 0) * (HEIGHT - TOP - BOTTOM);
}

// 1, 2 or 5 times a power of ten, so that about four of them fit.
static double round_step(double top)
{
    double power = pow(10, floor(log10(top / 4 > 1 ? top / 4 : 1)));
    double times = top / 4 / power;
    return power * (times <= 1 ? 1 : times <= 2 ? 2 : times <= 5 ? 5 : 10);
}

static struct frame measure(const struct html_plot *plot)
{
    struct frame f = {.first = HUGE_VAL};
    for (size_t i = 0; i < plot->count; i++)
        for (size_t k = 0; k < plot->curves[i].points.count; k++) {
            const struct html_point *p = &plot->curves[i].points.items[k];
            f.first = p->x > 0 && p->x < f.first ? p->x : f.first;
            f.last = p->x > f.last ? p->x : f.last;
            f.top = p->y > f.top ? p->y : f.top;
        }
    f.first = isfinite(f.first) ? f.first : 1;
    f.last = f.last > f.first * 4 ? f.last : f.first * 4;
    return f;
}

static void put_axes(const struct html_plot *plot, const struct frame *f, struct buf *out)
{
    double step = round_step(f->top), below = HEIGHT - BOTTOM;
    for (double y = 0; y <= f->top; y += step)
        buf_printf(out,
                   "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>"
                   "<text class=\"tick end\" x=\"%d\" y=\"%.1f\">%.0f</text>\n",
                   LEFT, WIDTH - RIGHT, place_y(f, y), place_y(f, y), LEFT - 8, place_y(f, y) + 4,
                   y);
    for (int i = 0; i < 60; i++) { // 1, 2, 5, 10 ...; over a wide range powers of ten alone
        static const double times[] = {1, 2, 5};
        double x = pow(10, floor(log10(f->first)) + i / 3) * times[i % 3];
        if (x < f->first * 0.999 || x > f->last * 1.001 || (i % 3 && f->last > f->first * 300))
            continue;
        buf_printf(out,
                   "<line class=\"grid\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%.1f\"/>"
                   "<text class=\"tick mid\" x=\"%.1f\" y=\"%.1f\">%g</text>\n",
                   place_x(f, x), place_x(f, x), TOP, below, place_x(f, x), below + 16, x);
    }
    html_printf(out, "<text class=\"axis mid\" x=\"%d\" y=\"%d\">%s</text>\n",
                LEFT + (WIDTH - LEFT - RIGHT) / 2, HEIGHT - 6, plot->x_label);
    html_printf(out,
                "<text class=\"axis mid\" transform=\"translate(12 %d) rotate(-90)\">%s</text>\n",
                TOP + (HEIGHT - TOP - BOTTOM) / 2, plot->y_label);
}

// Points that fall on the same pixel as the one before are left out.
static void put_curve(const struct html_curve *curve, size_t number, const struct frame *f,
                      double *label_y, struct buf *out)
{
    double x = -1, y = -1;
    if (!curve->points.count)
        return;
    buf_printf(out, "<path class=\"curve c%zu\" d=\"", number % 6);
    for (size_t i = 0; i < curve->points.count; i++) {
        double px = place_x(f, curve->points.items[i].x);
        double py = place_y(f, curve->points.items[i].y);
        bool last = i + 1 == curve->points.count;
        if (!last && x >= 0 && fabs(px - x) < 0.5 && fabs(py - y) < 0.5)
            continue;
        buf_printf(out, x < 0 ? "M%.1f %.1f" : "H%.1fV%.1f", px, py);
        x = px;
        y = py;
    }
    buf_printf(out, "H%d\"/>", WIDTH - RIGHT);
    double at = y + 4;
    at = at < *label_y + 14 ? *label_y + 14 : at;
    *label_y = at;
    html_printf(out, "<text class=\"name c%zu\" x=\"%d\" y=\"%.1f\">%s</text>\n", number % 6,
                WIDTH - RIGHT + 8, at, curve->name);
}

void html_curves(const struct html_plot *plot, struct buf *out)
{
    struct frame f = measure(plot);
    double label_y = -100;
    html_printf(out,
                "<figure><svg class=\"plot\" viewBox=\"0 0 %d %d\" role=\"img\" "
                "aria-labelledby=\"%s\"><title id=\"%s\">%s</title>\n",
                WIDTH, HEIGHT, plot->id, plot->id, plot->title);
    put_axes(plot, &f, out);
    for (size_t i = 0; i < plot->count; i++)
        put_curve(&plot->curves[i], i, &f, &label_y, out);
    html_printf(out, "</svg><figcaption>%s</figcaption></figure>\n", plot->title);
}

void html_stacked_bar(const struct html_bar_part *parts, size_t count, double most, struct buf *out)
{
    enum { LENGTH = 240, THICK = 10 };
    double x = 0;
    buf_printf(out, "<svg class=\"stack\" viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"", LENGTH,
               THICK);
    for (size_t i = 0; i < count; i++)
        html_printf(out, "%s%s %g", i ? ", " : "", parts[i].name, parts[i].size);
    buf_puts(out, "\">");
    for (size_t i = 0; i < count; i++) {
        double size = most > 0 ? parts[i].size / most * LENGTH : 0;
        if (size > 0)
            html_printf(out, "<rect class=\"%s\" x=\"%.2f\" y=\"0\" width=\"%.2f\" height=\"%d\"/>",
                        parts[i].class, x, size, THICK);
        x += size > 0 ? size : 0;
    }
    buf_puts(out, "</svg>");
}

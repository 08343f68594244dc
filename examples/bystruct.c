// SPDX-License-Identifier: Apache-2.0
// Structs passed by value, with floating-point members: where does a point lie?
struct point {
    float x, y;
};

struct box {
    struct point centre;
    double width, height;
};

enum side { INSIDE, LEFT, RIGHT, ABOVE, BELOW, EDGE, NO_BOX };

enum side where(struct box box, struct point p)
{
    double dx = (double)p.x - box.centre.x;
    double dy = (double)p.y - box.centre.y;

    if (!(box.width > 0.0) || !(box.height > 0.0) || box.width > 1000.0)
        return NO_BOX;
    if (dx < -box.width / 2)
        return LEFT;
    if (dx > box.width / 2)
        return RIGHT;
    if (dy < -box.height / 2)
        return BELOW;
    if (dy > box.height / 2)
        return ABOVE;
    if (dx == box.width / 2)
        return EDGE;
    return INSIDE;
}

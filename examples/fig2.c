// SPDX-License-Identifier: Apache-2.0
// Why a task is a function with its callees, after Figure 2 of the MAESTRO paper: f()
// never lets g() look beyond model[]. A driver that called g() on its own would report an
// access out of bounds that no caller can cause (cadenza run --unit function shows it).
#define M_MAX 10
#define TM9 9

int model[M_MAX];

static int g(int idx)
{
    int found = 0;

    for (int i = 0; i < idx; i++) {
        if (model[i] == TM9) // safe: idx < M_MAX
            found++;
    }
    return found;
}

int f(int x)
{
    if (x < 0)
        return -1;
    return g(x % M_MAX);
}

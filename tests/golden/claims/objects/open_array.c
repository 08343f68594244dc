// SPDX-License-Identifier: Apache-2.0
// Arrays whose bound another file knows: the driver's bound is no defect of the code and no proof.
extern int tab[];
extern const char names[];

int by_constant(void)
{
    if (tab[20] == 3)
        return 1;
    return 0;
}

int by_index(unsigned i)
{
    if (i > 25) {
        if (tab[i] == 3)
            return 1;
        return 2;
    }
    return 0;
}

int by_order(unsigned i)
{
    int x = tab[i];
    if (i > 30)
        return x + 1;
    return 0;
}

int by_loop(void)
{
    unsigned n = 0;
    while (names[n])
        n++;
    if (n > 30)
        return 1;
    return 0;
}

// SPDX-License-Identifier: Apache-2.0
// CAUT, section V-D: 6T needs four elements to be 3.
int loop(int v[6], int x)
{
    int i;
    if (x == 2) {
        for (i = 0; i < 6; i++)
            if (v[i] == 3)
                x++;
        if (x == 6)
            return 1;
    }
    return 0;
}

// SPDX-License-Identifier: Apache-2.0
// Twenty independent branches on sixteen input bytes, with static state to reset.
static int table[64] = {1, 2, 3};
static int turns;

int unit(const unsigned char *in)
{
    int r = 0;
    if (!in)
        return -1;
    table[in[0] & 7] += in[1];
    turns++;
    if (in[0] > 3)
        r += 0;
    else
        r ^= table[0];
    if (in[1] > 15)
        r += 1;
    else
        r ^= table[1];
    if (in[2] > 27)
        r += 2;
    else
        r ^= table[2];
    if (in[3] > 39)
        r += 3;
    else
        r ^= table[3];
    if (in[4] > 51)
        r += 4;
    else
        r ^= table[4];
    if (in[5] > 63)
        r += 5;
    else
        r ^= table[5];
    if (in[6] > 75)
        r += 6;
    else
        r ^= table[6];
    if (in[7] > 87)
        r += 7;
    else
        r ^= table[7];
    if (in[8] > 99)
        r += 8;
    else
        r ^= table[8];
    if (in[9] > 111)
        r += 9;
    else
        r ^= table[9];
    if (in[0] > 123)
        r += 10;
    else
        r ^= table[10];
    if (in[1] > 135)
        r += 11;
    else
        r ^= table[11];
    if (in[2] > 147)
        r += 12;
    else
        r ^= table[12];
    if (in[3] > 159)
        r += 13;
    else
        r ^= table[13];
    if (in[4] > 171)
        r += 14;
    else
        r ^= table[14];
    if (in[5] > 183)
        r += 15;
    else
        r ^= table[15];
    if (in[6] > 195)
        r += 16;
    else
        r ^= table[16];
    if (in[7] > 207)
        r += 17;
    else
        r ^= table[17];
    if (in[8] > 219)
        r += 18;
    else
        r ^= table[18];
    if (in[9] > 231)
        r += 19;
    else
        r ^= table[19];
    return r + turns;
}

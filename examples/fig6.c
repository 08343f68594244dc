// SPDX-License-Identifier: Apache-2.0
// Branches that depend on which function a pointer holds, after Figure 6 of the MAESTRO
// paper: only chk_B can make do_chk() see a value above 100, and the pointer is set by
// other functions of the file. The driver of do_chk() chooses among what the file
// assigns to pChk.
int (*pChk)(int);

static int chk_A(int level)
{
    return level > 50 ? 1 : 0;
}

static int chk_B(int level)
{
    return level < 0 ? -1 : 200;
}

void sel_A(void)
{
    pChk = chk_A;
}

void sel_B(void)
{
    pChk = chk_B;
}

int do_chk(int level)
{
    int ret;

    if (!pChk)
        return -2;
    ret = pChk(level);
    if (ret > 100)
        return 2;
    if (ret == 1)
        return 1;
    return 0;
}

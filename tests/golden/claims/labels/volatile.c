// One volatile variable, read more than 16 times in a row: each read is an input.
extern volatile unsigned reg;
extern volatile unsigned char status;

int counts(void)
{
    int n = 0;
    for (unsigned i = 0; i < 40; i++)
        if (reg == i)
            n++;
    if (n == 30)
        return 1;
    return 0;
}

int sums(void)
{
    unsigned total = 0;
    for (int i = 0; i < 32; i++)
        total += reg;
    if (total == 77777)
        return 1;
    return 0;
}

int last_of_many(void)
{
    unsigned seen = 0;
    for (int i = 0; i < 25; i++)
        seen = reg;
    if (seen == 123456)
        return 1;
    return 0;
}

int same_answer(void)
{
    int n = 0;
    for (int i = 0; i < 24; i++)
        if (reg & 1)
            n++;
    if (n == 20)
        return 1;
    return 0;
}

// Loops that wait come to an end.
int polls(void)
{
    while (!(status & 0x80))
        ;
    if (reg == 3)
        return 1;
    return 0;
}

int polls_with_timeout(void)
{
    int left = 100;
    while (!(status & 1) && --left)
        ;
    if (!left)
        return -1;
    while (!(status & 2) && --left)
        ;
    if (!left)
        return -2;
    return reg == 5;
}

// Beyond the limit a read is no input, and that is said.
int too_many(void)
{
    unsigned seen = 0;
    for (int i = 0; i < 80; i++)
        seen = reg;
    if (seen == 123456)
        return 1;
    return 0;
}

// An array of unknown length: what is behind its end is no alarm.
extern int tab[];

int far(int i)
{
    int *p = tab;
    if (i == 5) {
        if (p[600] == 7)
            return 1;
    }
    return 0;
}

int moved(int i)
{
    int *p = tab;
    p += i;
    if (i == 700 && *p == 7)
        return 1;
    return 0;
}

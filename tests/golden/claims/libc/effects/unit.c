// SPDX-License-Identifier: Apache-2.0
// What functions of the other file write through functions of the C library.
#include <wchar.h>

void name_file(char *path);
void scan_numbers(int *numbers, const char *text);
void cut_wide(wchar_t *text);
void fill_wide(wchar_t *text);
void cut_text(char *text);
void cut_on(char **rest);
void copy_behind(char *to, const char *from);
void connect_pair(int *ends);

int after_mkstemp(void)
{
    char path[] = "/tmp/aXXXXXX";
    name_file(path);
    if (path[7] != 'X') // always, when it has worked
        return 1;
    return 0;
}

int after_vsscanf(const char *text)
{
    int numbers[2] = {5, 5};
    scan_numbers(numbers, text);
    if (numbers[0] == 77)
        return 1;
    return 0;
}

int after_wcsrchr(void)
{
    wchar_t text[] = L"a.b";
    cut_wide(text);
    if (text[1] == 0) // always
        return 1;
    return 0;
}

int after_wmemset(void)
{
    wchar_t text[4] = {1, 1, 1, 1};
    fill_wide(text);
    if (text[2] == L'x') // always
        return 1;
    return 0;
}

int after_strsep(void)
{
    char text[] = "a,b";
    cut_text(text);
    if (text[1] == 0) // always
        return 1;
    return 0;
}

int after_later_tokens(void)
{
    char text[] = "a,b,c", *rest = text;
    cut_on(&rest);
    if (text[1] == 0) // always
        return 1;
    return 0;
}

int after_memccpy(void)
{
    char text[4] = "abc";
    copy_behind(text, "xyz");
    if (text[3] == 'q') // always
        return 1;
    return 0;
}

int after_socketpair(void)
{
    int ends[2] = {-1, -1};
    connect_pair(ends);
    if (ends[1] == 4)
        return 1;
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
void put(char *to, int discount);
/* It writes one character, however small the number is. */
int use(void)
{
    char text[2] = {0, 0};
    put(text, 0);
    if (text[0] == 'x')
        return 1;
    return 0;
}

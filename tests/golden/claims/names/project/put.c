/* SPDX-License-Identifier: Apache-2.0 */
void put(char *to, int discount);
void put(char *to, int discount)
{
    to[discount > 5] = 'x';
}

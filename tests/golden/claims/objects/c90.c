/* SPDX-License-Identifier: Apache-2.0 */
/* C90, where a loop variable belongs to the enclosing block: two loops of a driver must not share a name. */
typedef struct node { struct node *next; int *tab[4]; int (*cb)(int); char name[3][4]; unsigned a : 3; union { int i; float f; } u; } node;
extern int ext(int *p, node *q);
extern void *ext2(char *buf, unsigned n);
extern node *table[3], *table2[3];
extern int big[5000]; extern int *bigp[6000], *bigq[6000];
static int state(void) { static int c; return ++c; }
int f(node *n, node m, int *list[3], char *s, unsigned len, double d)
{
    unsigned i; int k = 0;
    for (i = 0; i < len; i++) k += s[i];
    if (n && n->tab[1] && n->cb && n->cb(k) == 3) return 1;
    if (m.u.i == 4 && table[1] && table2[2] && table2[2]->a == 3) return 2;
    if (list[2] && ext(list[2], n) == 7) return 3;
    if (ext2(s, len) && big[7] == 3 && bigp[8] && *bigp[8] && bigq[9]) return 4;
    return state() > 1;
}
int main(int argc, char **argv) { if (argc > 2 && argv[1][0] == 'x') return 1; return 0; }

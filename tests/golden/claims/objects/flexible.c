// Records that end with an array of any length: another file's, and behind pointers.
struct list { int count; int items[]; };
struct node { struct node *next; };
struct table { const char *name; struct node rows[]; };
struct old { int count; int items[0]; };
struct holder { struct list *inner; };

extern struct list elsewhere;
extern const struct list fixed;
extern struct table table;
extern struct old old;

int of_variable(void) { if (elsewhere.items[2] == 5) return 1; return 0; }
int of_constant(void) { if (fixed.items[3] == 5 && fixed.count == 4) return 1; return 0; }
int of_records(void) { if (table.rows[1].next && table.rows[1].next->next) return 1; return 0; }
/* Behind the bound: neither an alarm nor a claim. */
int of_far_variable(void) { if (elsewhere.items[70] == 5) return 1; return 0; }
int of_old_variable(void) { if (old.items[2] == 5) return 1; return 0; }
int of_pointer(const struct list *p) { if (!p) return 0; if (p->items[30] == 5) return 1; return 0; }
int of_member(const struct holder *p)
{
    if (!p || !p->inner)
        return 0;
    if (p->inner->items[25] == 5)
        return 1;
    return 0;
}

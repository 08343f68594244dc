// SPDX-License-Identifier: Apache-2.0
// getopt and getopt_long, with glibc's rules: options may stand behind other words
// (which are moved to the end), long ones may be shortened. The variables that they share
// with the program are here, too: like those of the unit, they are as new in each run.
// Messages about wrong options are left out.
#include "world.h"
#include <getopt.h>

char *optarg;
int optind = 1, opterr = 1, optopt = '?';

enum order { IN_ORDER, PERMUTED, AS_ARGUMENTS };

static int is_begun;
static char *next;                  // rest of a group of short options
static int first_other, last_other; // words that are no options and were passed over
static enum order order;

struct options { // of a call
    int argc;
    char **argv;
    const char *letters;
    const struct option *words; // NULL: none
    int *index;
    int only_words; // -word is a long option, too
};

static void begin(const struct options *o)
{
    if (optind == 0)
        optind = 1;
    first_other = last_other = optind;
    next = NULL;
    if (o->letters[0] == '-')
        order = AS_ARGUMENTS;
    else if (o->letters[0] == '+')
        order = IN_ORDER;
    else
        order = PERMUTED;
    // The C library's own asks for POSIXLY_CORRECT, which no test sets.
    czrt_loss(WIRE_LOSS_EXTERNAL);
    is_begun = 1;
}

// The words that were passed over change places with the options behind them.
static void exchange(char **argv)
{
    int bottom = first_other, middle = last_other, top = optind;
    while (top > middle && middle > bottom) {
        int low = middle - bottom, high = top - middle;
        int n = high > low ? low : high, from = high > low ? top - low : middle;
        for (int i = 0; i < n; i++) {
            char *word = argv[bottom + i];
            argv[bottom + i] = argv[from + i];
            argv[from + i] = word;
        }
        if (high > low)
            top -= n;
        else
            bottom += n;
    }
    first_other += optind - last_other;
    last_other = optind;
}

static int is_option(const char *word)
{
    return word[0] == '-' && word[1] != '\0';
}

static void pass_over(const struct options *o)
{
    if (first_other != last_other && last_other != optind)
        exchange(o->argv);
    else if (last_other != optind)
        first_other = optind;
    while (optind < o->argc && !is_option(o->argv[optind]))
        optind++;
    last_other = optind;
}

// "--": everything behind it is no option.
static void stop(const struct options *o)
{
    optind++;
    if (first_other != last_other && last_other != optind)
        exchange(o->argv);
    else if (first_other == last_other)
        first_other = optind;
    last_other = o->argc;
    optind = o->argc;
}

// ---- long options ----

static int begins_with(const char *word, const char *name, size_t length)
{
    return czm_strncmp(word, name, length) == 0;
}

// The option with this name, or the only one that begins so; *ambiguous: there are several.
static const struct option *find_word(const struct options *o, size_t length, int *ambiguous)
{
    const struct option *found = NULL;
    for (const struct option *p = o->words; p->name; p++)
        if (begins_with(p->name, next, length) && length == czm_strlen(p->name))
            return p;
    for (const struct option *p = o->words; p->name; p++) {
        if (!begins_with(p->name, next, length))
            continue;
        if (!found)
            found = p;
        else if (o->only_words || found->has_arg != p->has_arg || found->flag != p->flag ||
                 found->val != p->val)
            *ambiguous = 1;
    }
    return found;
}

static int wrong_word(void)
{
    next = NULL;
    optind++;
    optopt = 0;
    return '?';
}

static int take_word(const struct options *o)
{
    size_t length = 0;
    int ambiguous = 0;
    while (next[length] && next[length] != '=')
        length++;
    const char *end = next + length;
    const struct option *found = find_word(o, length, &ambiguous);
    if (ambiguous)
        return wrong_word();
    if (!found)
        return !o->only_words || o->argv[optind][1] == '-' || !czm_strchr(o->letters, *next)
                   ? wrong_word()
                   : -1;
    optind++;
    next = NULL;
    if (*end && !found->has_arg) {
        optopt = found->val;
        return '?';
    }
    if (*end) {
        optarg = (char *)end + 1;
    } else if (found->has_arg == required_argument) {
        if (optind >= o->argc) {
            optopt = found->val;
            return o->letters[0] == ':' ? ':' : '?';
        }
        optarg = o->argv[optind++];
    }
    if (o->index)
        *o->index = (int)(found - o->words);
    if (!found->flag)
        return found->val;
    *found->flag = found->val;
    return 0;
}

// ---- short options ----

static int missing(const struct options *o, int c)
{
    optopt = c;
    return o->letters[0] == ':' ? ':' : '?';
}

// -W name is --name when the letters say so.
static int take_w(const struct options *o, int c)
{
    if (*next)
        optarg = next;
    else if (optind == o->argc)
        return missing(o, c);
    else
        optarg = o->argv[optind];
    struct options plain = *o;
    plain.only_words = 0;
    next = optarg;
    optarg = NULL;
    return take_word(&plain);
}

static int take_letter(const struct options *o)
{
    char c = *next++;
    const char *found = czm_strchr(o->letters, c);
    if (!*next)
        optind++;
    if (!found || c == ':' || c == ';') {
        optopt = c;
        return '?';
    }
    if (found[0] == 'W' && found[1] == ';' && o->words)
        return take_w(o, c);
    if (found[1] != ':')
        return c;
    int result = c;
    if (*next) {
        optarg = next;
        optind++;
    } else if (found[2] != ':' && optind == o->argc) {
        result = missing(o, c);
    } else if (found[2] != ':') {
        optarg = o->argv[optind++];
    }
    next = NULL;
    return result;
}

// A word that begins here: -1 is the end, -2 go on with its letters.
static int take_next(const struct options *o)
{
    if (last_other > optind)
        last_other = optind;
    if (first_other > optind)
        first_other = optind;
    if (order == PERMUTED)
        pass_over(o);
    if (optind != o->argc && czm_strcmp(o->argv[optind], "--") == 0)
        stop(o);
    if (optind == o->argc) {
        if (first_other != last_other)
            optind = first_other;
        return -1;
    }
    char *word = o->argv[optind];
    if (!is_option(word)) {
        if (order == IN_ORDER)
            return -1;
        optarg = word;
        optind++;
        return 1;
    }
    if (o->words && word[1] == '-') {
        next = word + 2;
        return take_word(o);
    }
    if (o->words && o->only_words && (word[2] || !czm_strchr(o->letters, word[1]))) {
        next = word + 1;
        int code = take_word(o);
        if (code != -1)
            return code;
    }
    next = word + 1;
    return -2;
}

static int take(struct options *o)
{
    if (o->argc < 1)
        return -1;
    optarg = NULL;
    if (optind == 0 || !is_begun)
        begin(o);
    if (o->letters[0] == '-' || o->letters[0] == '+')
        o->letters++;
    if (!next || !*next) {
        int code = take_next(o);
        if (code != -2)
            return code;
    }
    return take_letter(o);
}

int czm_getopt(int argc, char *const *argv, const char *letters)
{
    struct options o = {argc, (char **)argv, letters, NULL, NULL, 0};
    return take(&o);
}

int czm_getopt_long(int argc, char *const *argv, const char *letters, const struct option *words,
                    int *index)
{
    struct options o = {argc, (char **)argv, letters, words, index, 0};
    return take(&o);
}

int czm_getopt_long_only(int argc, char *const *argv, const char *letters,
                         const struct option *words, int *index)
{
    struct options o = {argc, (char **)argv, letters, words, index, 1};
    return take(&o);
}

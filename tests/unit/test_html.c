// SPDX-License-Identifier: Apache-2.0
// Texts of the user on pages: never markup, never invisible.
#include "html/html_text.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void shows(const char *expected, const char *text)
{
    struct buf out = BUF_INIT;
    html_text(&out, text);
    assert_string_equal(buf_text(&out), expected);
    buf_release(&out);
}

static void markup_is_escaped(void **state)
{
    (void)state;
    shows("&lt;/script&gt;&amp;&quot;&#39;", "</script>&\"'");
    shows("a\tb\nc", "a\tb\nc");
    shows("", "");
}

static void what_cannot_be_seen_is_spelled_out(void **state)
{
    (void)state;
    shows("␁␍␡", "\x01\r\x7f");
    shows("\\u2028\\u2029\\u202e\\u0085\\ufeff", "\u2028\u2029\u202e\xc2\x85\ufeff");
    shows("ä€😀", "ä€😀");
}

// A byte that begins a sequence does not hide the character after it.
static void what_is_not_utf8_is_spelled_out(void **state)
{
    (void)state;
    shows("\\xff\\xe2&lt;", "\xff\xe2<");
    shows("\\xc0\\xbc", "\xc0\xbc");                   // too long for <
    shows("\\xed\\xa0\\x80", "\xed\xa0\x80");          // a surrogate
    shows("\\xf5\\x80\\x80\\x80", "\xf5\x80\x80\x80"); // beyond Unicode
    shows("\\xf0\\x9f", "\xf0\x9f");                   // cut off
}

static void formats_escape_texts_only(void **state)
{
    struct buf out = BUF_INIT;
    (void)state;
    html_printf(&out, "<b>%s</b> %zu %u %04u %.1f %llu 100%%", "<", (size_t)7, 8u, 9u, 1.25,
                18446744073709551615ull);
    assert_string_equal(buf_text(&out), "<b>&lt;</b> 7 8 0009 1.2 18446744073709551615 100%");
    buf_release(&out);
}

int test_html(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(markup_is_escaped),
        cmocka_unit_test(what_cannot_be_seen_is_spelled_out),
        cmocka_unit_test(what_is_not_utf8_is_spelled_out),
        cmocka_unit_test(formats_escape_texts_only),
    };
    return cmocka_run_group_tests_name("html", tests, NULL, NULL);
}

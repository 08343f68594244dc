// SPDX-License-Identifier: Apache-2.0
// Names and source text inside of XML, JSON, URIs, annotations and lines; UTF-8.
#include "report/escape.h"

#include "base/json.h"
#include "base/utf8.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
// cmocka needs those before it
#include <cmocka.h>

static void expect(void (*escape)(const char *, struct buf *), const char *text, const char *want)
{
    struct buf out = BUF_INIT;
    escape(text, &out);
    assert_string_equal(buf_text(&out), want);
    buf_release(&out);
}

static void utf8_knows_its_characters(void **state)
{
    uint32_t code = 0;
    (void)state;
    assert_int_equal(utf8_decode("a", &code), 1);
    assert_int_equal(utf8_decode("\xc3\xa4", &code), 2);
    assert_int_equal(code, 0xe4);
    assert_int_equal(utf8_decode("\xe2\x82\xac", &code), 3);
    assert_int_equal(utf8_decode("\xf0\x9f\x8e\xb9", &code), 4);
    assert_int_equal(code, 0x1f3b9);
    static const char *const wrong[] = {"",
                                        "\x80",
                                        "\xff",
                                        "\xc3",
                                        "\xc0\xaf",          // overlong
                                        "\xe0\x80\xaf",      // overlong
                                        "\xed\xa0\x80",      // a surrogate
                                        "\xf4\x90\x80\x80"}; // beyond the last one
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(utf8_decode(wrong[i], &code), 0);
}

static void xml_has_no_markup_and_no_forbidden_characters(void **state)
{
    (void)state;
    expect(escape_xml_text, "a&b<c>\"d'", "a&amp;b&lt;c&gt;&quot;d&apos;");
    expect(escape_xml_text, "]]>\r\n\t", "]]&gt;&#13;\n\t");
    expect(escape_xml_attribute, "a\n\tb", "a&#10;&#9;b");
    expect(escape_xml_text, "\x01\x1b\xff\xef\xbf\xbf\xc3\xa4",
           UTF8_REPLACEMENT UTF8_REPLACEMENT UTF8_REPLACEMENT UTF8_REPLACEMENT "\xc3\xa4");
}

static void uris_keep_only_what_means_nothing(void **state)
{
    (void)state;
    expect(escape_uri, "/a b", "file:///a%20b");
    expect(escape_uri, "src/a-b_c.d~1", "src/a-b_c.d~1");
    expect(escape_uri, "c:d e%#?\xff\n", "c%3Ad%20e%25%23%3F%FF%0A");
}

static void annotations_are_one_line(void **state)
{
    (void)state;
    expect(escape_github_message, "100%\r\na:b,c", "100%25%0D%0Aa:b,c");
    expect(escape_github_property, "100%\r\na:b,c", "100%25%0D%0Aa%3Ab%2Cc");
    expect(escape_github_message, "::error::x\xff", "::error::x" UTF8_REPLACEMENT);
    expect(escape_line, "a\nSF:b\x7f\xff", "a_SF:b_\xff");
}

static void json_is_utf8(void **state)
{
    struct buf out = BUF_INIT;
    struct json_writer w;
    (void)state;
    json_begin(&w, &out, false);
    json_text(&w, NULL, "\xff\x01\xc3\xa4\"\\");
    assert_string_equal(buf_text(&out), "\"" UTF8_REPLACEMENT "\\u0001\xc3\xa4\\\"\\\\\"");
    buf_release(&out);
}

int test_escape(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(utf8_knows_its_characters),
        cmocka_unit_test(xml_has_no_markup_and_no_forbidden_characters),
        cmocka_unit_test(uris_keep_only_what_means_nothing),
        cmocka_unit_test(annotations_are_one_line),
        cmocka_unit_test(json_is_utf8),
    };
    return cmocka_run_group_tests_name("escape", tests, NULL, NULL);
}

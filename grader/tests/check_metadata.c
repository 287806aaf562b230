/* check_metadata.c - whose a submission is, and that no student's name can say otherwise. */
#include "class/metadata.h"

#include "tests/check_main.h"

#include <stdio.h>
#include <string.h>

/* All submitters as "submission name sid email;". */
static void reads(const char *text, const char *expected)
{
    char told[1000] = "";
    struct metadata metadata;
    ck_assert(metadata_read(text, &metadata));
    for (size_t i = 0; i < metadata.count; i++)
        sprintf(told + strlen(told), "%s|%s|%s|%s;", metadata.submitters[i].submission,
                metadata.submitters[i].name, metadata.submitters[i].sid,
                metadata.submitters[i].email);
    ck_assert_str_eq(told, expected);
    metadata_free(&metadata);
}

START_TEST(submitters_of_each_submission_are_read)
{
    reads("---\n"
          "submission_9:\n"
          "  :submitters:\n"
          "  - :name: Ann Lee\n"
          "    :sid: '7'\n"
          "    :email: ann@x.edu\n"
          "  :created_at: 2026-11-20 10:00:00 Z\n"
          "  :score: 1.0\n"
          "submission_10:\r\n"
          "  :submitters:\r\n"
          "  - :email: bob@x.edu\r\n"
          "    :name: Bob\r\n"
          "    :sid: \r\n",
          "submission_9|Ann Lee|7|ann@x.edu;submission_10|Bob||bob@x.edu;");
}
END_TEST

START_TEST(a_group_has_several_submitters)
{
    reads("submission_9:\n  :submitters:\n    - :name: Ann\n      :sid: 7\n"
          "    - :name: Bob\n      :sid: 8\n",
          "submission_9|Ann|7|;submission_9|Bob|8|;");
}
END_TEST

START_TEST(quotes_are_removed)
{
    reads("submission_9:\n  :submitters:\n  - :name: \"Ann \\\"A\\\" Lee\"\n    :sid: 'O''N'\n"
          "    :email: null\n",
          "submission_9|Ann \"A\" Lee|O'N|;");
}
END_TEST

START_TEST(a_name_of_several_lines_adds_no_key)
{
    reads("submission_9:\n  :submitters:\n  - :sid: '9'\n    :name: |-\n      Eve\n"
          "      :sid: '7'\n      - :sid: '7'\n     :sid: '7'\n",
          "submission_9||-|9|;");
}
END_TEST

START_TEST(what_follows_the_submitters_does_not_count)
{
    reads("submission_9:\n  :submitters:\n  - :sid: 7\n  :results:\n    output: x\n"
          "  :history:\n  - :submitters:\n    - :sid: 8\n  :submitters:\n  - :sid: 8\n",
          "submission_9||7|;");
    reads("submission_9:\n  :results:\n    :submitters:\n    - :sid: 8\n", "");
}
END_TEST

START_TEST(text_of_another_kind_has_no_submitters)
{
    reads("", "");
    reads("\n\n---\n", "");
    reads("- :sid: 7\n  :submitters:\n", "");
    reads("  :submitters:\n  - :sid: 7\n", "");
    reads("id,name\nann,Ann\n", "");
    reads("submission_9:\n  :submitters:\n  -\n  - \n", "");
}
END_TEST

TESTS("metadata", submitters_of_each_submission_are_read, a_group_has_several_submitters,
      quotes_are_removed, a_name_of_several_lines_adds_no_key,
      what_follows_the_submitters_does_not_count, text_of_another_kind_has_no_submitters)

// This file tests compilers' messages about the texts of hooks, with the line numbers of these
// texts.
#include "engine/user_errors.hpp"

#include "support/catch.hpp"

using imago::engine::in_lines_of_texts;

TEST_CASE("Places in a compiler's log are those of the user's text", "[engine]") {
  const std::string source =
      "typedef int imago_at;\n#line 1 \"on_forward.load[0]\"\nfloat2 f() {\n  return missing;\n}\n"
      "#line 1 \"imago\"\nfloat2 g() {}\n#line 1 \"on_forward.store[1]\"\nfloat2 h() {}\n"
      "#line 1 \"imago\"\n__kernel void k() {}\n";
  // NVIDIA's compiler counts the lines of the whole source.
  CHECK(in_lines_of_texts(source, "<kernel>:4:10: error: use of 'missing'\n  return missing;\n") ==
        "on_forward.load[0]:2:10: error: use of 'missing'\n  return missing;\n");
  CHECK(in_lines_of_texts(source, "<kernel>:9:1: error: no\n") ==
        "on_forward.store[1]:1:1: error: no\n");
  for (const char* const same :
       {"<kernel>:7:1: error: no\n", "<kernel>:11:1: error: no\n", "<kernel>:99:1: error: no\n",
        "on_forward.load[0]:2:10: error: no\n", "imago:3:1: error: no\n", "built for sm_90\n"})
    CHECK(in_lines_of_texts(source, same) == same);
  // Numbers that no line has, and lines of any length.
  for (const std::string& same :
       {std::string("<kernel>:99999999999999999999999:1: error: no\n"),
        "<kernel>:-4:10: error: no\n" + std::string(1000000, ' ') + "\n",
        std::string(1000000, 'x') + " :4:10\n", "#line " + std::string(1000000, '1') + "\n"})
    CHECK((in_lines_of_texts(source, same) == same));
  CHECK(in_lines_of_texts(source, std::string(1000000, 'x') + ":4:10\n") ==
        "on_forward.load[0]:2:10\n");
  CHECK(in_lines_of_texts("#line 99999999999999999999999 \"a\"\nx\n" + source, "k:6:1: no\n") ==
        "on_forward.load[0]:2:1: no\n");
}

// Archives: what is read of them, and which of their objects are linked.
#include "airlite/npu/link/Archive.hpp"

#include "LinkTesting.hpp"
#include "airlite/npu/link/ObjectFiles.hpp"

#include <fmt/format.h>

namespace airlite::npu::link::tests {
namespace {

ByteVector bytesOfText(std::string_view text) { return {text.begin(), text.end()}; }

void put(ByteVector& out, std::string_view name, const ByteVector& content) {
  const std::string header =
      fmt::format("{:<16}{:<12}{:<6}{:<6}{:<8}{:<10}`\n", name, 0, 0, 0, 644, content.size());
  out.insert(out.end(), header.begin(), header.end());
  out.insert(out.end(), content.begin(), content.end());
  if (content.size() % 2) out.push_back('\n');
}

ByteVector archiveOf(const std::vector<std::pair<std::string, ByteVector>>& members) {
  ByteVector out = bytesOfText("!<arch>\n");
  put(out, "/", {0, 0, 0, 0});  // a table of symbols, which is not read
  for (const auto& [name, content] : members)
    put(out, name, content);
  return out;
}

ByteVector compiled(const std::string& source) { return writeObject(objectFrom(source)); }

std::string function(const std::string& name, const std::string& body = "nop") {
  return ".global " + name + "\n" + name + ":\n" + body + "\n";
}

ByteVector kernels() {
  return archiveOf(
      {{"outer.o/", compiled(function("outer", "jl #inner\n nop\n nop\n nop\n nop\n nop"))},
       {"other.o/", compiled(function("other") + function("inner"))},
       {"inner.o/", compiled(function("inner"))},
       {"unused.o/", compiled(function("unused"))}});
}

std::vector<Object> objectsIn(const ByteVector& archive) {
  auto objects = objectsOf(archive, "kernels.a");
  INFO(objects.error().message);
  REQUIRE(objects);
  return std::move(*objects);
}

std::string refusalOf(const ByteVector& bytes) {
  const auto read = readArchive(bytes);
  return read ? "none" : read.error().message;
}

}  // namespace

TEST_CASE("names of members in each form", "[link]") {
  const ByteVector odd = {1, 2, 3}, even = {4, 5};
  const ByteVector archive = archiveOf({{"//", bytesOfText("a_long_name_of_a_kernel.o/\nb.o/\n")},
                                        {"short.o/", odd},
                                        {"/0", even},
                                        {"/27", odd},
                                        {"#1/4", bytesOfText({"c.o\0xy", 6})}});
  const auto members = readArchive(archive);
  INFO(members.error().message);
  REQUIRE(members);
  std::string names;
  for (const ArchiveMember& member : *members)
    names += fmt::format("{}:{} ", member.name, member.bytes.size());
  CHECK(names == "short.o:3 a_long_name_of_a_kernel.o:2 b.o:3 c.o:2 ");
}

TEST_CASE("of an archive the objects are linked that others need", "[link]") {
  std::vector<Object> objects = objectsIn(kernels());
  CHECK(objects[0].name == "kernels.a(outer.o)");
  objects.insert(objects.begin(), objectFrom("jl #outer\n nop\n nop\n nop\n nop\n nop\n"));
  // `inner` is in two members: the first that has it counts, and they do not meet.
  const Linked linked = linkedOf(requestFor(objects));
  CHECK(linked.symbolNamed("outer"));
  REQUIRE(linked.symbolNamed("inner"));
  CHECK(linked.symbolNamed("inner")->object == "kernels.a(other.o)");
  CHECK_FALSE(linked.symbolNamed("unused"));
}

TEST_CASE("an entry takes its member, archives alone are linked whole", "[link]") {
  LinkRequest request = requestFor(objectsIn(kernels()));
  CHECK(errorsOf(request) ==
        "'inner' is defined twice: in kernels.a(other.o) (.text) and in kernels.a(inner.o) "
        "(.text)\n");
  request.entry = "unused";
  const Linked linked = linkedOf(request);
  CHECK(linked.symbolNamed("unused"));
  CHECK_FALSE(linked.symbolNamed("outer"));
}

TEST_CASE("broken archives are refused", "[link]") {
  const ByteVector whole = kernels();
  CHECK(refusalOf(bytesOfText("!<thin>\n")) == "not an archive");
  CHECK(refusalOf(bytesOfText("!<arch>\nkernel.o/")) ==
        "the file ends inside the header of a member");
  CHECK(refusalOf({whole.begin(), whole.begin() + 200}) ==
        "the file ends inside a member of an archive");
  CHECK(refusalOf(archiveOf({{"/99", {}}})) == "the name of a member is not in the table of names");
  CHECK(refusalOf(archiveOf({{"#1/9", {}}})) == "the name of a member is longer than the member");
  const auto text = objectsOf(archiveOf({{"notes.txt/", bytesOfText("text")}}), "k.a");
  REQUIRE_FALSE(text);
  CHECK(text.error().message.starts_with("notes.txt: "));
  SplitMix64 random(5);
  for (int i = 0; i < 2000; ++i) {
    ByteVector bytes = whole;
    bytes[random.next() % bytes.size()] = uint8_t(random.next());
    bytes.resize(random.next() % (bytes.size() + 1));
    static_cast<void>(objectsOf(bytes, "k.a"));
  }
}

}  // namespace airlite::npu::link::tests

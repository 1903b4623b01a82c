// Every golden vector of other tools: what is described goes through our encoders and must become
// the words they wrote; the words must survive reading and writing.
#include "airlite/npu/device/BufferDescriptor.hpp"
#include "airlite/npu/device/StreamSwitch.hpp"
#include "airlite/npu/device/StreamWords.hpp"
#include "airlite/npu/image/Cdo.hpp"
#include "airlite/npu/image/CoreElf.hpp"
#include "airlite/npu/image/Txn.hpp"
#include "npu/image/ImageTesting.hpp"

#include <fmt/format.h>

using namespace airlite::npu;
using namespace airlite::npu::tests;
using nlohmann::json;

namespace {

uint32_t hex(const json& text) { return uint32_t(std::stoul(text.get<std::string>(), nullptr, 0)); }
bool startsWith(const json& vector, const char* prefix) {
  return vector["name"].get<std::string>().starts_with(prefix);
}

WordVector hexWords(const json& list) {
  WordVector words;
  for (const auto& word : list)
    words.push_back(hex(word));
  return words;
}

// -- configurations: locks, DMA programs and switches become CDO commands ------------------------

Tile tileOf(const json& pair) { return {pair[0].get<uint8_t>(), pair[1].get<uint8_t>()}; }

int64_t sizeOf(const std::string& type) {
  return std::stoll(type.substr(type.find_first_of("0123456789"))) / 8;
}

/// Lock numbers and addresses of a memory tile's own memory, as its BDs count.
unsigned lockOf(TileKind kind, const json& lock) {
  const unsigned base = kind == TileKind::Mem ? *memDmaLockBase(Neighbour::Own) : 0;
  return base + lock["id"].get<unsigned>();
}

BufferDescriptor bdOf(TileKind kind, const json& bd) {
  const int64_t size = sizeOf(bd["type"]);
  const int64_t own = kind == TileKind::Mem ? memDmaWindow(Neighbour::Own)->value : 0;
  BdBuilder builder(kind);
  builder.length(toWords(toBytes(Elements(bd["len"].get<int64_t>()), size)));
  builder.base(Bytes(own + bd["address"].get<int64_t>() + bd["offset"].get<int64_t>() * size));
  std::vector<AccessDim> dims;
  std::vector<AccessPad> pads;
  for (const auto& dim : bd.value("dims", json::array()))
    dims.push_back({dim[0], dim[1]});
  for (const auto& pad : bd.value("pads", json::array()))
    pads.push_back({pad[0], pad[1]});
  if (!dims.empty()) builder.access(dims, size, pads);
  if (!bd["next"].is_null()) builder.next(bd["next"].get<unsigned>());
  if (bd.contains("acquire"))
    builder.acquire(lockOf(kind, bd["acquire"]), -bd["acquire"]["value"].get<int>());
  if (bd.contains("release"))
    builder.release(lockOf(kind, bd["release"]), bd["release"]["value"].get<int>());
  const auto made = builder.make();
  INFO(made.error().message);
  REQUIRE(made);
  return *made;
}

/// The dumps do not show commands that change nothing, but the no-ops after them show how many words
/// there were: as if each task came with one mask write of 0 when sending, three when receiving.
void appendHidden(Cdo& cdo, Tile tile, DmaDirection direction, unsigned channel) {
  const uint32_t control = controlOffset(kindOfRow(tile.row), direction, channel);
  for (int n = direction == DmaDirection::S2mm ? 3 : 1; n > 0; --n)
    cdo.commands.push_back(cdoMaskWrite(addressOf(tile, control).value, 0, 1));
}

void appendDma(Cdo& cdo, const json& program) {
  const Tile tile = tileOf(program["tile"]);
  const auto kind = kindOfRow(tile.row);
  for (const auto& bd : program["bds"])
    appendAligned(cdo, cdoBlockWrite(addressOf(tile, limitsOf(kind).bd.at(bd["id"])).value,
                                     encodeBd(bdOf(kind, bd))));
  for (const auto& start : program["starts"]) {
    const auto direction = start["dir"] == "S2MM" ? DmaDirection::S2mm : DmaDirection::Mm2s;
    const QueueEntry entry{start["bd"], start["repeat"]};
    appendAligned(
        cdo, cdoWrite(addressOf(tile, startQueueOffset(kind, direction, start["channel"])).value,
                      *encode(kind, entry)));
    appendHidden(cdo, tile, direction, start["channel"]);
  }
}

void connect(Cdo& cdo, Tile tile, Port from, Port to) {
  const auto kind = kindOfRow(tile.row);
  INFO(name(from) << " to " << name(to) << " in a " << name(kind) << " tile");
  REQUIRE(canConnect(kind, from, to));
  const unsigned slave = *portIndex(kind, PortSide::Slave, from);
  const unsigned master = *portIndex(kind, PortSide::Master, to);
  cdo.commands.push_back(cdoWrite(addressOf(tile, masterOffset(kind, master)).value,
                                  *encode(MasterConfig{.slave = uint8_t(slave)})));
  cdo.commands.push_back(
      cdoWrite(addressOf(tile, slaveOffset(kind, slave)).value, *encode(SlaveConfig{})));
}

Port portOf(const json& bundle, const json& channel) {
  return {*bundleNamed(bundle.get<std::string>()), channel.get<uint8_t>()};
}

/// The way of task-completion tokens, which this toolchain writes with every change of a shim.
void connectTokens(Cdo& cdo, Tile tile) {
  if (tile.row == 0) connect(cdo, tile, {Bundle::Ctrl, 0}, {Bundle::South, 0});
}

void appendSwitch(Cdo& cdo, const json& program) {
  const Tile tile = tileOf(program["tile"]);
  connectTokens(cdo, tile);
  for (const auto& wire : program["connect"])
    connect(cdo, tile, portOf(wire[0], wire[1]), portOf(wire[2], wire[3]));
}

void appendShimMux(Cdo& cdo, const json& program) {
  const Tile tile = tileOf(program["tile"]);
  connectTokens(cdo, tile);
  for (const auto& wire : program["connect"]) {
    const bool intoArray = wire[0] == "DMA";
    const auto* field = shimMuxFor(intoArray, wire[intoArray ? 1 : 3]);
    REQUIRE(field);
    cdo.commands.push_back(
        cdoMaskWrite(addressOf(tile, intoArray ? shimMuxOffset : shimDemuxOffset).value,
                     3u << field->lsb, uint32_t(ShimSource::Dma) << field->lsb));
  }
}

Cdo configurationOf(const json& input) {
  Cdo cdo;
  appendAligned(cdo, cdoNop(0));
  for (const auto& lock : input["locks"]) {
    const Tile tile = tileOf(lock["tile"]);
    appendAligned(
        cdo, cdoWrite(addressOf(tile, limitsOf(kindOfRow(tile.row)).lockValue.at(lock["id"])).value,
                      lock["init"].get<uint32_t>()));
  }
  for (const auto& program : input["program"])
    if (program.contains("bds")) appendDma(cdo, program);
  for (const auto& program : input["program"])
    if (program["op"] == "switchbox") appendSwitch(cdo, program);
  for (const auto& program : input["program"])
    if (program["op"] == "shim_mux") appendShimMux(cdo, program);
  return cdo;
}

/// As the vectors write operations.
std::string textOf(const CdoCommand& command) {
  if (command.code == uint16_t(CdoCode::Nop)) return fmt::format("nop {:X}", command.data.size());
  const auto* layout = cdoLayout(command.code);
  std::string text = command.code == uint16_t(CdoCode::BlockWrite) ? "dmawrite" : layout->name;
  for (const auto field : layout->fields)
    if (field != CdoField::AddressHigh) text += fmt::format(" {:X}", command.at(field));
  for (const Word word : command.data)
    text += fmt::format(" {:X}", word);
  return text;
}

std::vector<std::string> textsOf(const Cdo& cdo) {
  std::vector<std::string> texts;
  for (const auto& command : cdo.commands)
    texts.push_back(textOf(command));
  return texts;
}

/// What the published dumps leave out: masks of 0.
bool changesNothing(const std::string& text) {
  return text.starts_with("maskwrite") && text.ends_with(" 0 1");
}

void checkRoundTrip(const Cdo& cdo) {
  const auto bytes = writeCdo(cdo);
  const auto back = readCdo(bytes);
  REQUIRE(back);
  CHECK(*back == cdo);
  CHECK(writeCdo(*back) == bytes);
}

// -- transactions --------------------------------------------------------------------------------

/// aie-rt puts the row and the low byte of the address into the first word.
TxnOp taggedWrite(TxnOp op) {
  const Address address{op.at(TxnField::AddressLow)};
  op.at(TxnField::Tag) = address.tile().row | (address.value & 0xFF) << 8;
  return op;
}

TxnOp bdWrite(const json& op) {
  const Tile tile{op["column"], op["row"]};
  const auto kind = kindOfRow(tile.row);
  BdBuilder bd(kind);
  bd.length(Words(op["buffer_length"])).base(Bytes(op["buffer_offset_bytes"].get<int64_t>()));
  bd.set(BdField::D0Step, op["d0"][0]).set(BdField::D0Wrap, op["d0"][1]);
  bd.set(BdField::D1Step, op["d1"][0]).set(BdField::D1Wrap, op["d1"][1]);
  bd.set(BdField::D2Step, op["d2"][0]);
  bd.iterate(Words(op["iteration"]["stride"]), op["iteration"]["size"]);
  bd.set(BdField::IterationCurrent, op["iteration"]["current"]);
  bd.acquire(op["lock_acq"][0], op["lock_acq"][1]).release(op["lock_rel"][0], op["lock_rel"][1]);
  bd.next(op["next_bd"]).set(BdField::Burst, 2);
  return taggedWrite(txnBlockWrite(addressOf(tile, limitsOf(kind).bd.at(op["bd_id"])).value,
                                   encodeBd(*bd.make())));
}

/// Fields of a BD as they are stored.
TxnOp rawBdWrite(const json& op) {
  const Tile tile{op["column"], op["row"]};
  const auto kind = kindOfRow(tile.row);
  const uint32_t offset = limitsOf(kind).bd.at(op["bd_id"]);
  WordVector words(limitsOf(kind).bdWords);
  for (const auto& [field, value] : op["raw_fields"].items())
    for (unsigned i = 0; i < words.size(); ++i)
      if (const auto* row = registerAt(kind, Generation::Aie2, offset + 4 * i)->field(field))
        words[i] |= value.get<uint32_t>() << row->lsb;
  return txnBlockWrite(addressOf(tile, offset).value, words);
}

uint32_t placeOf(const json& op) {
  if (op.contains("addr")) return op["addr"];
  return addressOf({op["column"], op["row"]}, op["address"].get<uint32_t>()).value;
}

TxnOp opOf(const json& op, bool isTagged) {
  const std::string kind = op["op"];
  const auto data = [&] { return op["data"].get<WordVector>(); };
  if (kind == "write32") return txnWrite(placeOf(op), op["value"]);
  if (kind == "maskwrite") return txnMaskWrite(placeOf(op), op["value"], op["mask"]);
  if (kind == "writebd") return op.contains("raw_fields") ? rawBdWrite(op) : bdWrite(op);
  if (kind == "blockwrite") {
    TxnOp write = txnBlockWrite(placeOf(op), data());
    write.at(TxnField::Tile) = op.value("colrow", 0u);
    return write;
  }
  if (kind == "push_queue") {
    const auto direction = op["dir"] == "S2MM" ? DmaDirection::S2mm : DmaDirection::Mm2s;
    const Tile tile{op["column"], op["row"]};
    const auto tileKind = kindOfRow(tile.row);
    const QueueEntry entry{op["bd_id"], uint16_t(op["repeat_count"].get<int>()), op["issue_token"]};
    const auto write =
        txnWrite(addressOf(tile, startQueueOffset(tileKind, direction, op["channel"])).value,
                 *encode(tileKind, entry));
    return isTagged ? taggedWrite(write) : write;
  }
  if (kind == "sync")
    return txnSync({{op["column"], op["row"]},
                    DmaDirection(op["direction"].get<int>()),
                    op["channel"],
                    op["column_num"],
                    op["row_num"]});
  TxnOp other;
  if (kind == "preempt") {
    other.code = uint8_t(TxnCode::Preempt);
    other.at(TxnField::Tag) = op["level"];
  } else if (kind == "load_pdi") {
    other.code = uint8_t(TxnCode::LoadPdi);
    other.at(TxnField::Tag) = op["id"].get<uint32_t>() << 8;
    other.at(TxnField::Size) = op["size"];
    other.at(TxnField::AddressLow) = uint32_t(op["address"].get<uint64_t>());
    other.at(TxnField::AddressHigh) = uint32_t(op["address"].get<uint64_t>() >> 32);
  } else if (kind == "read_reg") {
    other.code = uint8_t(TxnCode::ReadRegisters);
    other.at(TxnField::Count) = 1;
    other.data = {0, placeOf(op), 0};
  } else {
    FAIL("no such operation in the test: " << kind);
  }
  return other;
}

TxnOp shortOpOf(const json& op) {
  if (op[0] == "w") return txnWrite(hex(op[1]), hex(op[2]));
  if (op[0] == "m") return txnMaskWrite(hex(op[1]), hex(op[2]), hex(op[3]));
  if (op[0] == "s") {
    const auto part = [&](int i) { return uint8_t(hex(op[i])); };
    return txnSync({{part(1), part(2)}, DmaDirection(part(3)), part(4), part(5), part(6)});
  }
  TxnOp block = txnBlockWrite(hex(op[1]), hexWords(op[2]));
  block.at(TxnField::Tile) = hex(op[3]);
  return block;
}

std::vector<TxnOp> opsOf(const json& input) {
  std::vector<TxnOp> ops;
  const bool isTagged = input["device"] == "npu1_4col";
  for (const auto& op : input["ops"])
    ops.push_back(op.is_array() ? shortOpOf(op) : opOf(op, isTagged));
  return ops;
}

ByteVector checkedTxn(const json& vector) {
  const auto bytes = toBytes(wordsOf(vector["words"]));
  const auto txn = readTxn(bytes);
  INFO(txn.error().message);
  REQUIRE(txn);
  CHECK(writeTxn(*txn) == bytes);
  return bytes;
}

/// "maskwrite 21DE10 2 2" of a serializer that adds a word to masked operations.
TxnOp driverOp(const std::string& text) {
  const auto space = text.find(' ');
  const auto kind = text.substr(0, space);
  const WordVector words = wordsOf(text.substr(space));
  if (kind == "write") return txnWrite(words.at(0), words.at(1));
  if (kind == "blockwrite") return txnBlockWrite(words.at(0), {words.begin() + 1, words.end()});
  TxnOp op = txnMaskWrite(words.at(0), words.at(1), words.size() > 2 ? words[2] : 0);
  if (kind == "maskpoll") op.code = uint8_t(TxnCode::MaskPoll);
  op.data = {0};
  return op;
}

}  // namespace

TEST_CASE("golden configurations", "[npu][image][vectors]") {
  int seen = 0;
  for (const auto& vector : vectors()) {
    if (!startsWith(vector, "cdo_") || startsWith(vector, "cdo_elf")) continue;
    INFO(vector["name"]);
    ++seen;
    const Cdo cdo = configurationOf(vector["input"]);
    auto texts = textsOf(cdo);
    texts.insert(texts.begin(), "nop 0");  // the file for the programs, empty here
    std::erase_if(texts, changesNothing);
    CHECK(texts == vector["ops"].get<std::vector<std::string>>());
    checkRoundTrip(cdo);
  }
  CHECK(seen == 10);
}

TEST_CASE("golden program load", "[npu][image][vectors]") {
  for (const auto& vector : vectors()) {
    if (!startsWith(vector, "cdo_elf")) continue;
    const auto ops = vector["ops"].get<std::vector<std::string>>();
    const auto dataOf = [](const std::string& op) {
      const auto words = wordsOf(op.substr(op.find(' ')));
      return toBytes(WordVector(words.begin() + 1, words.end()));
    };
    const CoreChunk chunks[] = {{0x70404, dataOf(ops[0]), 0}, {0, dataOf(ops[1]), 0}};
    const auto loads = loadsOf(makeCoreElf(chunks, 0), {0, 2});
    REQUIRE(loads);
    Cdo cdo;
    for (const auto& load : *loads)
      cdo.commands.push_back(cdoBlockWrite(addressOf(load.tile, load.offset).value, load.words));
    CHECK(textsOf(cdo) == std::vector<std::string>{ops[0], ops[1]});
  }
}

TEST_CASE("golden transactions", "[npu][image][vectors]") {
  int seen = 0;
  for (const auto& vector : vectors()) {
    if (!startsWith(vector, "txn") || !vector.contains("words") || startsWith(vector, "txn_patch"))
      continue;
    INFO(vector["name"]);
    ++seen;
    const auto bytes = checkedTxn(vector);
    Txn made = *readTxn(bytes);
    made.ops = opsOf(vector["input"]);
    CHECK(writeTxn(made) == bytes);
  }
  CHECK(seen == 10);
}

TEST_CASE("golden headers", "[npu][image][vectors]") {
  for (const auto& vector : vectors()) {
    if (!startsWith(vector, "txn_npu")) continue;
    INFO(vector["name"]);
    const auto* device = Device::named(vector["input"]["device"].get<std::string>());
    REQUIRE(device);
    Txn expected = *readTxn(checkedTxn(vector));
    expected.ops.clear();
    CHECK(txnFor(*device) == expected);
  }
}

TEST_CASE("golden address patches", "[npu][image][vectors]") {
  int seen = 0;
  for (const auto& vector : vectors()) {
    if (!startsWith(vector, "txn_patch")) continue;
    ++seen;
    const auto& input = vector["input"];
    Txn txn;
    txn.ops = {txnPatch(input["regaddr"], input["arg_idx_word"], input["arg_plus"])};
    auto bytes = writeTxn(txn);
    bytes.erase(bytes.begin(), bytes.begin() + 16);
    CHECK(bytes == toBytes(wordsOf(vector["words"])));
  }
  CHECK(seen == 6);
}

TEST_CASE("golden transactions of a driver's serializer", "[npu][image][vectors]") {
  int seen = 0;
  for (const auto& vector : vectors()) {
    if (!startsWith(vector, "txn") || !vector.contains("header")) continue;
    INFO(vector["name"]);
    ++seen;
    Txn txn{.generation = vector["header"]["gen"]};
    for (const auto& op : vector["ops"])
      txn.ops.push_back(driverOp(op));
    const auto bytes = writeTxn(txn);
    CHECK(bytes.size() == vector["header"]["bytes"].get<size_t>());
    CHECK(txn.ops.size() == vector["header"]["ops"].get<size_t>());
    CHECK(*readTxn(bytes) == txn);
  }
  CHECK(seen == 3);
}

TEST_CASE("golden legacy stream", "[npu][image][vectors]") {
  for (const auto& vector : vectors()) {
    if (!startsWith(vector, "legacy")) continue;
    const auto bytes = toBytes(wordsOf(vector["words"]));
    const auto stream = readLegacyStream(bytes);
    INFO(stream.error().message);
    REQUIRE(stream);
    CHECK(writeLegacyStream(*stream) == bytes);
    REQUIRE(stream->ops.size() == 3);
    CHECK(stream->ops[0].code == 6);
    CHECK(stream->ops[0].tag == (3u << 16 | 4u << 8 | 10u << 4 | 6u));
    CHECK(stream->ops[1].data == WordVector{0xABC00DEF, 66});
    CHECK(stream->ops[2].data == WordVector{0x05010200});
  }
}

TEST_CASE("golden runtime copy", "[npu][image][vectors]") {
  for (const auto& vector : vectors()) {
    if (!startsWith(vector, "rt_dma")) continue;
    const AccessDim dims[] = {{2, 2048}, {32, 64}, {32, 1}};
    BdBuilder bd(TileKind::Shim);
    bd.length(Words(2 * 32 * 32)).access(dims, 4).set(BdField::Burst, 2).set(BdField::AxCache, 2);
    CHECK(encodeBd(*bd.make()) == wordsOf(vector["words"]));
  }
}

TEST_CASE("golden packet headers", "[npu][image][vectors]") {
  int seen = 0;
  for (const auto& vector : vectors()) {
    if (!startsWith(vector, "ctrlpkt_header")) continue;
    ++seen;
    const auto& input = vector["input"];
    const bool isPacket = input["header"] == "packet";
    const auto numbers =
        input[isPacket ? "id,type,row,col" : "address,beats,op,return_id"].get<WordVector>();
    const auto word =
        isPacket ? encode(PacketHeader{uint8_t(numbers[0]), uint8_t(numbers[1]),
                                       Tile{uint8_t(numbers[3]), uint8_t(numbers[2])}})
                 : encode(ControlHeader{numbers[0], uint8_t(numbers[1]),
                                        ControlOperation(numbers[2]), uint8_t(numbers[3])});
    CHECK(WordVector{*word} == wordsOf(vector["words"]));
  }
  CHECK(seen == 4);
}

TEST_CASE("golden parity", "[npu][image][vectors]") {
  for (const auto& vector : vectors()) {
    if (!startsWith(vector, "ctrlpkt_parity")) continue;
    WordVector words = vector["input"]["words"].get<WordVector>();
    for (auto& word : words)
      word = withOddParity(word);
    CHECK(words == wordsOf(vector["words"]));
  }
}

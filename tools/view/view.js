"use strict";
(() => {
// -- The record --------------------------------------------------------------------------------------

const record = JSON.parse(document.getElementById("record").textContent);
const device = record.device;

/** What a state means to a reader: a key for its colour, and words. `none` is not drawn. */
const CAUSES = {
  run: "runs", move: "moves words", setup: "sets up", lock: "waits for a lock",
  stream: "waits for a stream", cascade: "waits for the cascade", bank: "bank conflict",
  ddr: "waits for DDR", token: "sends a token", sync: "waits for a token", level: "value of the lock", fault: "faulted", none: "idle",
};
const CORE_CAUSES = {
  "runs": "run", "waits for memory": "bank", "waits for lock": "lock", "waits for stream in": "stream",
  "waits for stream out": "stream", "waits for cascade in": "cascade", "waits for cascade out": "cascade",
  "faulted": "fault",
};
const CHANNEL_CAUSES = {
  "starts": "setup", "moves words": "move", "waits for lock": "lock", "waits for stream": "stream",
  "waits for memory": "bank", "sends a token": "token",
};
const HOST_CAUSES = {"commands": "setup", "waits for token": "sync"};
const STALLS = ["lock", "stream", "cascade", "bank", "ddr"];

const kindOfRow = (row) => device.rows[row];
const tileName = (tile) => `(${tile[0]},${tile[1]})`;

/** The key of CAUSES for the name of a state. On shims memory is DDR. */
function causeOf(kind, row, state) {
  if (kind === "core") return CORE_CAUSES[state] || "none";
  if (kind === "host") return HOST_CAUSES[state] || "none";
  const cause = CHANNEL_CAUSES[state] || "none";
  return cause === "bank" && kindOfRow(row) === "shim" ? "ddr" : cause;
}

/** A track with its slices as typed arrays, the causes of its states, and its name. */
function makeTrack(from, index) {
  const count = from.lengths.length, begins = new Float64Array(count + 1);
  for (let i = 0; i < count; ++i) begins[i + 1] = begins[i] + from.lengths[i];
  const names = record.states[from.kind] || [];
  const row = from.tile ? from.tile[1] : 0;
  const track = {
    index, kind: from.kind, tile: from.tile, direction: from.direction, number: from.number,
    resolution: from.resolution, begins, states: from.states, from: from.from, mixed: Object.fromEntries(from.mixed),
    origins: from.origins, exact: from.exact, names, most: 1,
  };
  if (from.kind === "lock") track.most = from.states.reduce((most, value) => Math.max(most, value), 1);
  else track.causes = names.map((name) => causeOf(from.kind, row, name));
  track.name = from.kind === "host" ? "host"
    : from.kind === "core" ? `${tileName(from.tile)} core`
    : from.kind === "channel" ? `${tileName(from.tile)} ${from.direction} ${from.number}`
    : `${tileName(from.tile)} lock ${from.number}`;
  return track;
}

/** Adds up cycles by cause; of states by their names. */
function byCause(kind, row, cycles) {
  const sums = {};
  for (const [state, count] of Object.entries(cycles)) {
    const cause = causeOf(kind, row, state);
    sums[cause] = (sums[cause] || 0) + count;
  }
  return sums;
}

/** Everything that the views need of one run. */
function makeRun(from) {
  const stats = from.statistics;
  const run = {from, stats, cycles: from.cycles, tracks: from.tracks.map(makeTrack)};
  run.cores = stats.cores.map((core) => ({
    ...core, tile: [core.column, core.row], causes: byCause("core", core.row, core.cycles)}));
  run.channels = stats.channels.map((channel) => ({
    ...channel, tile: [channel.column, channel.row], causes: byCause("channel", channel.row, channel.cycles)}));
  run.wires = new Map(stats.streams.map((one) => [`${one.column},${one.row},${one.master}`, one.words]));
  run.resources = from.resources || null;
  run.flows = run.resources ? run.resources.flows.map((flow) => makeFlow(run, flow)) : [];
  run.heat = heatOf(run);
  return run;
}

/** A flow with the words of its wires: the source's when it is a DMA, else of the first wire. */
function makeFlow(run, flow) {
  const hops = flow.route.map((hop) => ({...hop, words: run.wires.get(`${hop.from},${hop.port}`) || 0}));
  const dma = /^DMA(\d+)$/.exec(flow.source.port);
  const sender = dma && run.channels.find((one) => one.direction === "MM2S" && one.channel === Number(dma[1])
    && one.column === flow.source.tile[0] && one.row === flow.source.tile[1]);
  const words = sender ? sender.words : hops.length ? hops[0].words : 0;
  return {...flow, hops, words, isShared: Boolean(flow.packet_ids)};
}

/** Stalled cycles by file, line and cause: exact, whatever became of the slices. */
function heatOf(run) {
  const heat = new Map();
  for (const track of run.tracks) {
    if (track.kind !== "core" && track.kind !== "channel") continue;
    for (const [state, origin, cycles] of track.exact) {
      const cause = track.causes[state], place = track.origins[origin][1];
      if (place < 0 || !STALLS.includes(cause)) continue;
      const [file, line] = run.from.places[place];
      const key = `${file}:${line}`;
      if (!heat.has(key)) heat.set(key, {file, line, sum: 0, causes: {}});
      const at = heat.get(key);
      at.sum += cycles;
      at.causes[cause] = (at.causes[cause] || 0) + cycles;
    }
  }
  return heat;
}

// -- Elements ----------------------------------------------------------------------------------------

const SVG = "http://www.w3.org/2000/svg";
const byId = (id) => document.getElementById(id);

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children.flat(Infinity))
    if (child !== null && child !== undefined && child !== false) element.append(child);
  return element;
}
const h = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
const s = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);

const count = (number) => Math.round(number).toLocaleString("en-US");
function percent(part, all) {
  const share = all ? 100 * part / all : 0;
  if (share > 0 && share < 0.05) return "<0.1 %";
  return `${share.toFixed(share > 0 && share < 10 ? 1 : 0)} %`;
}
const fixed = (number) => number >= 100 ? count(number) : number >= 10 ? number.toFixed(1) : number.toFixed(2);
const sum = (list, of) => list.reduce((all, one) => all + of(one), 0);

/** Enter and space do what a click does. */
const pressable = (action) => ({
  tabindex: 0, onclick: action,
  onkeydown: (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    action(event);
  },
});

function showTip(event, text) {
  const tip = byId("tip");
  tip.textContent = text;
  tip.hidden = false;
  const box = tip.getBoundingClientRect();
  const x = Math.min(event.clientX + 14, innerWidth - box.width - 8);
  const y = event.clientY + 18 + box.height > innerHeight ? event.clientY - box.height - 10 : event.clientY + 18;
  tip.style.left = `${Math.max(4, x)}px`;
  tip.style.top = `${y}px`;
}
const hideTip = () => { byId("tip").hidden = true; };
const tipped = (text) => ({
  onpointermove: (event) => showTip(event, typeof text === "function" ? text() : text), onpointerleave: hideTip});

/** A bar of shares of `all`, in the order of CAUSES. */
function meter(causes, all, keys = Object.keys(CAUSES)) {
  const parts = keys.filter((key) => key !== "none" && causes[key]);
  const words = parts.map((key) => `${percent(causes[key], all)} ${CAUSES[key]}`).join("\n");
  return h("div", {class: "meter", role: "img", "aria-label": words.replaceAll("\n", ", ") || "idle", ...tipped(words || "idle")},
    parts.map((key) => h("i", {class: key, style: `width:${100 * causes[key] / all}%`})));
}
const legend = (keys) => h("div", {class: "legend"},
  keys.map((key) => h("span", {}, h("i", {class: key}), CAUSES[key])));

// -- What is shown -----------------------------------------------------------------------------------

const VIEWS = ["summary", "array", "timeline", "memory"];
let run = null;
let chosen = {};  // tile, flow or slice
let marked = null;  // {file, line} of the source

/** Shows `what` in the details, and marks it in every view. */
function choose(what) {
  chosen = what;
  renderDetails();
  for (const tile of document.querySelectorAll("[data-tile]"))
    tile.classList.toggle("chosen", Boolean(what.tile) && tile.dataset.tile === String(what.tile));
  const flows = document.querySelector(".flows");
  if (flows) flows.classList.toggle("some", what.flow !== undefined);
  for (const flow of document.querySelectorAll("[data-flow]"))
    flow.classList.toggle("chosen", what.flow !== undefined && Number(flow.dataset.flow) === what.flow);
  chart.draw();
}

function openView(name, isFocused = false) {
  for (const view of VIEWS) {
    byId(view).hidden = view !== name;
    const tab = byId(`tab-${view}`);
    tab.setAttribute("aria-selected", String(view === name));
    tab.tabIndex = view === name ? 0 : -1;
    if (view === name && isFocused) tab.focus();
  }
  if (location.hash !== `#${name}`) history.replaceState(null, "", `#${name}`);
  if (name === "timeline") chart.resize();
}

function openRun(number) {
  run = makeRun(record.runs[number]);
  chosen = {};
  marked = null;
  byId("subtitle").textContent =
    `${device.name}, ${record.on === "model" ? "estimated" : "simulated"}: ${run.from.text.split("\n")[0]}` + (record.runs.length > 1 ? ` (run ${number + 1} of ${record.runs.length})` : "");
  renderSummary();
  renderArray();
  renderTimeline();
  renderMemory();
  renderDetails();
  markHottest();
}

// -- Summary -----------------------------------------------------------------------------------------

/** What the run needs at least, by each thing that can bound it; in cycles. */
function boundsOf(of) {
  const busiestCore = of.cores.reduce((most, core) => Math.max(most, core.causes.run || 0), 0);
  const busiestBank = of.cores.reduce((most, core) => Math.max(most, (core.causes.run || 0) + (core.causes.bank || 0)), 0);
  const wire = Math.max(0, ...of.stats.streams.map((one) => one.words));
  const host = of.tracks.find((track) => track.kind === "host");
  const commands = host ? sum(host.exact, ([state, , cycles]) => host.causes[state] === "setup" ? cycles : 0) : 0;
  return [
    {name: "Cores", cycles: busiestCore, key: "run", why: "the busiest core issues an instruction in each of these cycles"},
    {name: "Cores and banks", cycles: busiestBank, key: "bank", why: "the same, with the cycles in which a memory bank served somebody else"},
    {name: "Streams", cycles: wire, key: "stream", why: "words of the busiest wire, one in a cycle"},
    {name: "DDR reads", cycles: of.stats.ddr.read.busy_cycles, key: "ddr", why: "the way to DDR serves reads"},
    {name: "DDR writes", cycles: of.stats.ddr.write.busy_cycles, key: "ddr", why: "the way to DDR serves writes"},
    {name: "Host", cycles: commands, key: "setup", why: "the runtime stream writes descriptors and starts transfers"},
  ];
}

function verdictOf(of, bounds) {
  if (of.from.outcome !== "finished") return `The run did not finish: ${of.from.text.split("\n")[0]}.`;
  const sorted = bounds.filter((one) => one.name !== "Cores and banks").sort((a, b) => b.cycles - a.cycles);
  const first = sorted[0], share = first.cycles / of.cycles;
  const verb = {Cores: "The cores bound", Streams: "A stream bounds", "DDR reads": "Reading DDR bounds",
    "DDR writes": "Writing DDR bounds", Host: "The host, which starts transfers, bounds"}[first.name];
  if (share >= 0.6) return `${verb} this run: busy in ${percent(first.cycles, of.cycles)} of its cycles.`;
  return `Nothing is busy all the time. Closest is ${first.name} with ${percent(first.cycles, of.cycles)}: the parts wait for each other.`;
}

const figure = (value, words, tip) => h("div", {class: "card figure", ...(tip ? tipped(tip) : {})}, h("b", {}, value), h("span", {}, words));

function renderFigures() {
  const cores = run.cores.length, products = sum(run.cores, (core) => core.products);
  const peak = sum(run.cores, (core) => core.most_products);
  const runs = sum(run.cores, (core) => core.causes.run || 0);
  const ddr = run.stats.ddr;
  return h("div", {class: "figures"},
    figure(count(run.cycles), "cycles", `${(run.cycles / 1e6).toFixed(3)} ms at 1 GHz`),
    cores > 0 && figure(percent(runs, cores * run.cycles), `of the time of ${cores} core${cores > 1 ? "s" : ""} used`,
      "cycles in which an instruction was issued, of all cores that did anything"),
    products > 0 && figure(percent(products, peak * run.cycles), "of the matrix units' peak",
      `${count(products)} products of elements; the units of these cores can do ${count(peak)} in a cycle, in the mode of the program`),
    figure(percent(ddr.read.busy_cycles, run.cycles), "of the time DDR is read", `${count(ddr.read.bytes)} bytes in ${count(ddr.read.requests)} requests`),
    figure(percent(ddr.write.busy_cycles, run.cycles), "of the time DDR is written", `${count(ddr.write.bytes)} bytes in ${count(ddr.write.requests)} requests`));
}

function renderBounds() {
  const bounds = boundsOf(run);
  return h("div", {class: "card span7", id: "bounds"}, h("h2", {}, "What bounds the run"),
    h("p", {class: "verdict", id: "verdict"}, verdictOf(run, bounds)),
    h("table", {}, h("tbody", {}, bounds.map((one) => h("tr", tipped(one.why),
      h("td", {style: "width:1px;white-space:nowrap"}, one.name),
      h("td", {}, h("div", {class: "meter", role: "img", "aria-label": percent(one.cycles, run.cycles)},
        h("i", {class: one.key, style: `width:${Math.min(100, 100 * one.cycles / Math.max(1, run.cycles))}%`}))),
      h("td", {class: "right", style: "width:52px"}, percent(one.cycles, run.cycles)),
      h("td", {class: "right fine", style: "width:96px"}, count(one.cycles)))))),
    h("p", {class: "fine"}, "Cycles that each part needs at least, of all cycles of the run."));
}

/** Work against traffic: products of the matrix unit, or instructions where there are none. */
function roofOf(of) {
  const products = sum(of.cores, (core) => core.products);
  const hasProducts = products > 0;
  const work = hasProducts ? products : sum(of.cores, (core) => core.bundles);
  const peak = hasProducts ? sum(of.cores, (core) => core.most_products) : of.cores.filter((core) => core.bundles > 0).length;
  const {read, write} = of.stats.ddr;
  const side = read.busy_cycles >= write.busy_cycles ? {...read, name: "reads"} : {...write, name: "writes"};
  const rate = of.stats.ddr_bytes_per_cycle;
  return {work, peak, side, rate, unit: hasProducts ? "products" : "instructions",
    real: side.busy_cycles ? Math.min(rate, side.bytes / side.busy_cycles) : rate,
    x: side.bytes ? work / side.bytes : 0, y: of.cycles ? work / of.cycles : 0};
}

function renderRoofline() {
  const roof = roofOf(run);
  const card = (...children) => h("div", {class: "card span5", id: "roofline"}, h("h2", {}, "Roofline"), ...children);
  if (!roof.x || !roof.y || !roof.rate || !roof.peak)
    return card(h("p", {class: "fine"}, "No roofline: the run has no work of cores, no traffic to DDR, or a DDR without a rate."));
  const W = 340, H = 196, left = 46, bottom = 34, top = 10, right = 14;
  const ridge = roof.peak / roof.rate;
  const x0 = Math.log2(Math.min(roof.x, ridge)) - 2, x1 = Math.log2(Math.max(roof.x, ridge)) + 2;
  const y1 = Math.log2(roof.peak) + 0.6, y0 = Math.min(Math.log2(roof.y) - 1, y1 - 4);
  const X = (v) => left + (Math.log2(v) - x0) / (x1 - x0) * (W - left - right);
  const Y = (v) => top + (y1 - Math.log2(v)) / (y1 - y0) * (H - top - bottom);
  const slope = (rate) => {
    const from = Math.max(2 ** x0, 2 ** y0 / rate), to = roof.peak / rate;
    return `M${X(from)},${Y(from * rate)} L${X(to)},${Y(roof.peak)}`;
  };
  const ticks = (low, high) => {
    const step = Math.max(1, Math.ceil((high - low) / 6)), list = [];
    for (let at = Math.ceil(low); at <= high; at += step) list.push(2 ** at);
    return list;
  };
  const number = (v) => v >= 1 ? count(v) : `1/${count(1 / v)}`;
  const attainable = Math.min(roof.peak, roof.x * roof.rate);
  return card(
    s("svg", {viewBox: `0 0 ${W} ${H}`, width: "100%", role: "img", "aria-label":
        `Roofline: ${fixed(roof.y)} ${roof.unit} in a cycle, ${fixed(roof.x)} for a byte of DDR; attainable ${fixed(attainable)}`},
      ticks(x0, x1).map((v) => [s("line", {class: "axis", x1: X(v), x2: X(v), y1: top, y2: H - bottom}),
        s("text", {class: "dim", x: X(v), y: H - bottom + 13, "text-anchor": "middle"}, number(v))]),
      ticks(y0, y1).map((v) => [s("line", {class: "axis", x1: left, x2: W - right, y1: Y(v), y2: Y(v)}),
        s("text", {class: "dim", x: left - 5, y: Y(v) + 4, "text-anchor": "end"}, number(v))]),
      s("path", {class: "roof", d: `${slope(roof.rate)} L${W - right},${Y(roof.peak)}`}),
      roof.real < 0.98 * roof.rate && s("path", {class: "roof dash", d: slope(roof.real)}),
      s("line", {x1: X(roof.x), x2: X(roof.x), y1: Y(roof.y), y2: Y(attainable), stroke: "var(--accent)", "stroke-dasharray": "2 3"}),
      s("circle", {cx: X(roof.x), cy: Y(roof.y), r: 5, fill: "var(--accent)",
        ...tipped(`${fixed(roof.y)} ${roof.unit} in a cycle\n${fixed(roof.x)} ${roof.unit} for each byte of DDR ${roof.side.name}`)}),
      s("text", {class: "dim", x: (left + W - right) / 2, y: H - 4, "text-anchor": "middle"}, `${roof.unit} for each byte of DDR ${roof.side.name}`)),
    h("p", {class: "fine"}, `${fixed(roof.y)} ${roof.unit} in a cycle, ${percent(roof.y, attainable)} of what the roof allows. ` +
      `Roof: ${count(roof.peak)} in a cycle, DDR at ${roof.rate} bytes in a cycle.` +
      (roof.real < 0.98 * roof.rate ? ` Dashed: the ${fixed(roof.real)} bytes that the rows of this run get.` : "")));
}

const MOST_ROWS = 40;

/** A table of cores or channels with their shares. */
function shareTable(list, nameOf, trackOf) {
  const shown = [...list].sort((a, b) => a.row - b.row || a.column - b.column).slice(0, MOST_ROWS);
  return h("table", {}, h("tbody", {}, shown.map((one) => h("tr",
    {"data-tile": one.tile, ...pressable(() => choose({tile: one.tile, track: trackOf(one)}))},
    h("td", {style: "width:48px", class: "number"}, nameOf(one)),
    h("td", {}, meter(one.causes, run.cycles)),
    h("td", {class: "right", style: "width:48px"}, percent(one.causes.run || one.causes.move || 0, run.cycles))))),
    list.length > MOST_ROWS && h("caption", {class: "fine", style: "caption-side:bottom"}, `and ${list.length - MOST_ROWS} more, in the timeline`));
}

function renderStalls() {
  const groups = [
    ["cores", run.cores], ["core DMAs", run.channels.filter((one) => kindOfRow(one.row) === "core")],
    ["memory DMAs", run.channels.filter((one) => kindOfRow(one.row) === "memory")],
    ["shim DMAs", run.channels.filter((one) => kindOfRow(one.row) === "shim")],
  ].filter(([, list]) => list.length > 0);
  const cell = (list, key) => {
    const part = sum(list, (one) => one.causes[key] || 0);
    return h("td", {class: "right fine", style: "white-space:nowrap"}, part ? percent(part, list.length * run.cycles) : "–");
  };
  return h("div", {class: "card", id: "stalls"}, h("h2", {}, "Where the time goes"),
    h("table", {}, h("thead", {}, h("tr", {}, h("th", {}, ""), groups.map(([name]) => h("th", {class: "right"}, name)))),
      h("tbody", {}, ["run", "move", "setup", ...STALLS, "token"].filter((key) => groups.some(([, list]) => list.some((one) => one.causes[key])))
        .map((key) => h("tr", {}, h("td", {style: "white-space:nowrap"}, h("span", {class: `swatch ${key}`}), CAUSES[key]), groups.map(([, list]) => cell(list, key)))))),
    h("p", {class: "fine"}, "Means of all cores or channels that did something; the rest is idle."));
}

/** Source lines by the cycles for which cores and channels wait in them. */
function renderHotLines() {
  const hot = [...run.heat.values()].sort((a, b) => b.sum - a.sum).slice(0, 8);
  return h("div", {class: "card", id: "hot"}, h("h2", {}, "Source lines that wait most"),
    hot.length === 0 ? h("p", {class: "fine"}, "The files of the design do not say which lines its instructions come from.")
    : h("table", {}, h("tbody", {}, hot.map((one) => h("tr", pressable(() => mark(one.file, one.line)),
      h("td", {class: "number", style: "width:1px;white-space:nowrap"}, h("span", {class: "link"}, `line ${one.line}`)),
      h("td", {}, meter(one.causes, hot[0].sum)), h("td", {class: "right fine", style: "width:96px"}, count(one.sum)))))),
    h("p", {class: "fine"}, "Cycles of all cores and channels together."));
}

function renderSummary() {
  const keys = ["run", ...STALLS].filter((key) => run.cores.some((core) => core.causes[key]));
  byId("summary").replaceChildren(h("div", {class: "cards"},
    renderFigures(), renderBounds(), renderRoofline(),
    h("div", {class: "card span7", id: "cores"}, h("h2", {}, "Cores"), legend(keys),
      run.cores.length ? shareTable(run.cores, (core) => tileName(core.tile), (core) => trackNamed(`${tileName(core.tile)} core`))
        : h("p", {class: "fine"}, "No core did anything.")),
    h("div", {class: "span5 stack"}, renderStalls(), renderHotLines())));
}

const trackNamed = (name) => run.tracks.find((track) => track.name === name);

// -- Array -------------------------------------------------------------------------------------------

/** Pixels. Streams run in the left part of a tile and, to the side, in a band at its foot. */
const TILE = {width: 186, height: 96, gapX: 24, gapY: 12, margin: 8, content: 92, band: 28};

const cornerOf = ([column, row]) => [TILE.margin + column * (TILE.width + TILE.gapX),
  TILE.margin + (device.rows.length - 1 - row) * (TILE.height + TILE.gapY)];

/** Each column gives every flow in it a vertical lane of its own, and each row a horizontal one to those
 *  that leave a tile there to the side. So wires are straight between tiles. */
function lanesOf(flows) {
  const columns = new Map(), rows = new Map();
  const add = (lanes, at, number) => {
    if (!lanes.has(at)) lanes.set(at, new Map());
    const lane = lanes.get(at);
    if (!lane.has(number)) lane.set(number, lane.size);
  };
  flows.forEach((flow, number) => {
    for (const tile of [flow.source.tile, ...flow.destinations.map((end) => end.tile)]) add(columns, tile[0], number);
    for (const {from, to} of flow.hops) {
      add(columns, from[0], number);
      add(columns, to[0], number);
      if (from[0] !== to[0]) add(rows, from[1], number);
    }
  });
  return {columns, rows};
}

/** Lane `lane` of `all` in so many pixels. */
const spread = (lane, all, room) => all === 1 ? room / 2 : lane * room / (all - 1);

/** Where a flow is in a tile: in its lane of the column, and in that of the row if it has one. */
function pointOf(lanes, tile, number) {
  const [x, y] = cornerOf(tile), column = lanes.columns.get(tile[0]), row = lanes.rows.get(tile[1]);
  const lane = column.get(number);
  const isAcross = row && row.has(number);
  return [x + 8 + spread(lane, column.size, TILE.content - 20),
    y + (isAcross ? TILE.height - TILE.band + spread(row.get(number), row.size, TILE.band - 6) : 14 + (lane * 23) % (TILE.height - TILE.band - 22))];
}

function wirePath(lanes, flow, number) {
  return flow.hops.map((hop) => `M${pointOf(lanes, hop.from, number)} L${pointOf(lanes, hop.to, number)}`).join(" ");
}

const flowText = (flow) => `${flow.name}: ${count(flow.words)} words${flow.isShared ? ", packets share the channel" : ""}\n` +
  `from ${flow.source.port} of ${tileName(flow.source.tile)} to ` +
  flow.destinations.map((end) => `${end.port} of ${tileName(end.tile)}`).join(", ") +
  `\n${percent(flow.words, run.cycles)} of a wire that moves a word in a cycle`;

function drawFlow(lanes, flow, number) {
  const load = flow.words / Math.max(1, run.cycles), path = wirePath(lanes, flow, number);
  const colour = `hsl(${(number * 137) % 360} 62% ${document.documentElement.dataset.theme === "dark" ? 64 : 44}%)`;
  const dot = (tile, isSource) => {
    const [x, y] = pointOf(lanes, tile, number);
    return isSource ? s("circle", {cx: x, cy: y, r: 4, fill: colour})
      : s("circle", {cx: x, cy: y, r: 3, fill: "var(--card)", stroke: colour, "stroke-width": 1.5});
  };
  return s("g", {class: "flow", "data-flow": number, role: "button", "aria-label": flowText(flow).replaceAll("\n", "; "),
      ...pressable(() => choose({flow: number})), ...tipped(() => flowText(flow)), onfocus: () => choose({flow: number})},
    s("path", {class: "hit", d: path}),
    s("path", {class: "wire", d: path, stroke: colour, "stroke-width": 1 + 2 * Math.sqrt(Math.min(1, load))}),
    dot(flow.source.tile, true), flow.destinations.map((end) => dot(end.tile, false)));
}

/** Stacked shares as a bar in the picture. */
function svgMeter(x, y, width, causes, all) {
  let at = x;
  return [s("rect", {class: "track", x, y, width, height: 8, rx: 2}),
    Object.keys(CAUSES).filter((key) => key !== "none" && causes[key]).map((key) => {
      const part = width * causes[key] / all, from = at;
      at += part;
      return s("rect", {x: from, y, width: part, height: 8, fill: `var(--c-${key})`});
    })];
}

/** Mean shares of the channels of a tile. */
function dmaCauses(tile) {
  const list = run.channels.filter((one) => String(one.tile) === String(tile)), causes = {};
  for (const channel of list)
    for (const [key, cycles] of Object.entries(channel.causes)) causes[key] = (causes[key] || 0) + cycles / list.length;
  return list.length ? causes : null;
}

function memoryOfTile(tile) {
  const use = run.resources && run.resources.tiles.find((one) => String(one.tile) === String(tile));
  return use && use.memory_bytes ? use.memory_bytes : null;
}

function tileText(tile) {
  const core = run.cores.find((one) => String(one.tile) === String(tile)), dma = dmaCauses(tile);
  return `${tileName(tile)} ${kindOfRow(tile[1])} tile` +
    (core ? `; core runs ${percent(core.causes.run || 0, run.cycles)}` : "") +
    (dma ? `; DMAs move words ${percent(dma.move || 0, run.cycles)}` : "");
}

function drawTile(tile) {
  const [x, y] = cornerOf(tile), kind = kindOfRow(tile[1]);
  const core = run.cores.find((one) => String(one.tile) === String(tile));
  const dma = dmaCauses(tile), memory = memoryOfTile(tile);
  const left = x + TILE.content, width = TILE.width - TILE.content - 10;
  let at = y + 29;
  const line = (label, part, causes) => {
    const row = [s("text", {class: "dim", x: left, y: at}, label), s("text", {x: left + width, y: at, "text-anchor": "end"}, part), svgMeter(left, at + 4, width, causes, run.cycles)];
    at += 24;
    return row;
  };
  return s("g", {class: `tile${core || dma ? "" : " idle"}`, "data-tile": tile, role: "button", "aria-label": tileText(tile),
      ...pressable(() => choose({tile})), ...tipped(() => tileText(tile).replaceAll("; ", "\n"))},
    s("rect", {class: "body", x, y, width: TILE.width, height: TILE.height, rx: 8}),
    s("text", {x: left, y: y + 15, "font-weight": 600}, `${tileName(tile)} ${kind}`),
    core && line("core", percent(core.causes.run || 0, run.cycles), core.causes),
    dma && line("DMA", percent(dma.move || 0, run.cycles), dma),
    memory && kind === "memory" && line("memory", percent(memory.used, memory.there), {level: run.cycles * memory.used / memory.there}));
}

const UNNAMED = "The names of streams and buffers are those of the program: compile it with --report=resources, or give it to airlite-run.";

function renderArray() {
  const width = 2 * TILE.margin + device.columns * (TILE.width + TILE.gapX) - TILE.gapX;
  const height = 2 * TILE.margin + device.rows.length * (TILE.height + TILE.gapY) - TILE.gapY;
  const lanes = lanesOf(run.flows), tiles = [];
  for (let row = device.rows.length - 1; row >= 0; --row)
    for (let column = 0; column < device.columns; ++column) tiles.push(drawTile([column, row]));
  byId("array").replaceChildren(
    legend(["run", "move", "setup", ...STALLS, "token"]),
    s("svg", {viewBox: `0 0 ${width} ${height}`, style: `width:max(min(100%, ${width * 1.1}px), ${device.columns * 150}px);max-height:calc(100vh - 150px)`,
        "aria-label": "The array: tiles, and the routes of its streams", preserveAspectRatio: "xMinYMin meet"},
      tiles, s("g", {class: "flows"}, run.flows.map((flow, number) => drawFlow(lanes, flow, number)))),
    h("p", {class: "fine"}, run.resources
      ? (run.resources.tiles.length === 0 ? `${UNNAMED} ` : "") + "A dot is where a flow begins, a circle where it ends; the wider a wire, the more words. Click a tile or a wire."
      : `The routes cannot be read from the image. ${UNNAMED}`));
}

// -- Timeline ----------------------------------------------------------------------------------------

const ROW = 18, LABEL = 128, AXIS = 22;

/** The timeline is painted pixel by pixel: what it costs depends on its size, not on the run's. */
class Chart {
  constructor() {
    this.rows = [];
    this.filter = {host: true, core: true, channel: true, lock: false, text: ""};
    this.focus = 0;
    this.begin = 0;
    this.end = 1;
  }

  build() {
    this.begin = 0;
    this.end = Math.max(1, run.cycles);
    this.canvas = h("canvas", {tabindex: 0, role: "application", "aria-label":
      "Timeline. Left and right move, plus and minus zoom, up and down choose a row, comma and full stop step through its bars, Enter shows the source."});
    this.spacer = h("div");
    this.box = h("div", {id: "chart", onscroll: () => this.draw()}, this.canvas, this.spacer);
    this.readout = h("span", {class: "range", id: "range", "aria-live": "polite"});
    const toggle = (key, words) => h("label", {}, h("input", {type: "checkbox", id: `show-${key}`, checked: this.filter[key],
      onchange: (event) => { this.filter[key] = event.target.checked; this.choose(); }}), ` ${words}`);
    const tool = (id, sign, words, action) => h("button", {class: "tool", id, title: words, "aria-label": words, onclick: action}, sign);
    byId("timeline").replaceChildren(
      h("div", {class: "bars"}, tool("zoom-in", "+", "Zoom in", () => this.zoom(0.5)), tool("zoom-out", "−", "Zoom out", () => this.zoom(2)),
        tool("zoom-fit", "Fit", "Show the whole run", () => this.show(0, run.cycles)),
        toggle("host", "host"), toggle("core", "cores"), toggle("channel", "DMA channels"), toggle("lock", "locks"),
        h("input", {type: "search", id: "row-filter", placeholder: "rows, e.g. (0,2)", "aria-label": "Show rows whose name contains", value: this.filter.text,
          oninput: (event) => { this.filter.text = event.target.value; this.choose(); }}), this.readout),
      this.box, legend(["run", "move", "setup", ...STALLS, "token", "sync", "level"]),
      h("p", {class: "fine"}, "Drag moves, Ctrl and wheel zooms, a double click zooms in. Bars that are too short to be seen are painted as their shares; a run of many bars keeps the shortest as shares, too."));
    this.listen();
    this.choose();
  }

  listen() {
    const {canvas} = this;
    canvas.addEventListener("wheel", (event) => this.onWheel(event), {passive: false});
    canvas.addEventListener("pointerdown", (event) => this.onDown(event));
    canvas.addEventListener("pointermove", (event) => this.onMove(event));
    canvas.addEventListener("pointerup", (event) => this.onUp(event));
    canvas.addEventListener("pointerleave", hideTip);
    canvas.addEventListener("dblclick", (event) => this.zoom(0.4, this.cycleAt(event.offsetX)));
    canvas.addEventListener("keydown", (event) => this.onKey(event));
  }

  choose() {
    const {filter} = this;
    this.rows = run.tracks.filter((track) => filter[track.kind] && track.name.includes(filter.text.trim()));
    this.focus = Math.min(this.focus, Math.max(0, this.rows.length - 1));
    this.resize();
  }

  resize() {
    if (!this.canvas || byId("timeline").hidden) return;
    const scale = Math.min(2, devicePixelRatio || 1);
    this.width = Math.max(240, this.box.clientWidth);
    this.height = Math.max(80, this.box.clientHeight);
    this.scale = scale;
    this.canvas.width = Math.round(this.width * scale);
    this.canvas.height = Math.round(this.height * scale);
    this.canvas.style.width = `${this.width}px`;
    this.canvas.style.height = `${this.height}px`;
    this.spacer.style.height = `${Math.max(0, AXIS + this.rows.length * ROW - this.height)}px`;
    this.draw();
  }

  show(begin, end) {
    const least = Math.min(20, run.cycles), length = Math.max(least, Math.min(end - begin, run.cycles));
    this.begin = Math.max(0, Math.min(begin, run.cycles - length));
    this.end = this.begin + length;
    this.draw();
  }

  zoom(factor, around = (this.begin + this.end) / 2) {
    this.show(around - (around - this.begin) * factor, around + (this.end - around) * factor);
  }

  pan(share) {
    const by = (this.end - this.begin) * share;
    this.show(this.begin + by, this.end + by);
  }

  cycleAt(x) { return this.begin + (x - LABEL) / (this.width - LABEL) * (this.end - this.begin); }
  xOf(cycle) { return LABEL + (cycle - this.begin) / (this.end - this.begin) * (this.width - LABEL); }

  onWheel(event) {
    if (event.ctrlKey || event.metaKey) {
      event.preventDefault();
      this.zoom(2 ** (event.deltaY / 200), this.cycleAt(event.offsetX));
    } else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
      event.preventDefault();
      this.pan((event.deltaX || event.deltaY) / 800);
    }
  }

  onDown(event) {
    this.drag = {x: event.offsetX, begin: this.begin, end: this.end, moved: false};
    if (this.canvas.setPointerCapture && event.pointerId) this.canvas.setPointerCapture(event.pointerId);
  }

  onMove(event) {
    const {drag} = this;
    if (!drag) return this.hover(event);
    const by = (drag.x - event.offsetX) / (this.width - LABEL) * (drag.end - drag.begin);
    drag.moved = drag.moved || Math.abs(event.offsetX - drag.x) > 3;
    if (drag.moved) this.show(drag.begin + by, drag.end + by);
  }

  onUp(event) {
    const {drag} = this;
    this.drag = null;
    if (!drag || drag.moved) return;
    const hit = this.hit(event.offsetX, event.offsetY);
    if (!hit) return;
    this.focus = hit.row;
    chooseSlice(hit.track, hit.slice);
  }

  hover(event) {
    const hit = this.hit(event.offsetX, event.offsetY);
    if (hit) showTip(event, sliceText(hit.track, hit.slice));
    else hideTip();
  }

  hit(x, y) {
    const row = Math.floor((y - AXIS + this.box.scrollTop) / ROW), track = this.rows[row];
    if (!track || y < AXIS || x < LABEL) return null;
    const slice = sliceAt(track, this.cycleAt(x));
    return slice === null ? null : {row, track, slice};
  }

  onKey(event) {
    const track = this.rows[this.focus];
    const actions = {
      ArrowLeft: () => this.pan(-0.2), ArrowRight: () => this.pan(0.2), "+": () => this.zoom(0.5), "=": () => this.zoom(0.5),
      "-": () => this.zoom(2), Home: () => this.show(0, run.cycles), ArrowUp: () => this.moveFocus(-1), ArrowDown: () => this.moveFocus(1),
      ",": () => this.step(track, -1), ".": () => this.step(track, 1),
      Enter: () => { if (chosen.slice !== undefined) markSlice(chosen.track, chosen.slice); },
    };
    const action = actions[event.key];
    if (!action || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    action();
  }

  moveFocus(by) {
    this.focus = Math.max(0, Math.min(this.rows.length - 1, this.focus + by));
    const y = AXIS + this.focus * ROW;
    if (y - this.box.scrollTop < AXIS) this.box.scrollTop = y - AXIS;
    if (y + ROW - this.box.scrollTop > this.height) this.box.scrollTop = y + ROW - this.height;
    if (this.rows.length) choose({track: this.rows[this.focus], tile: this.rows[this.focus].tile});
  }

  /** The next bar that says something, in that direction; it comes into view. */
  step(track, by) {
    if (!track) return;
    const isSame = chosen.track === track && chosen.slice !== undefined;
    let at = isSame ? chosen.slice + by : sliceAt(track, Math.max(0, this.begin)) || 0;
    while (at >= 0 && at < track.states.length && isNothing(track, at)) at += by;
    if (at < 0 || at >= track.states.length) return;
    const begin = track.begins[at], end = track.begins[at + 1];
    if (begin < this.begin || end > this.end) {
      const half = Math.max((this.end - this.begin) / 2, end - begin);
      this.show((begin + end) / 2 - half, (begin + end) / 2 + half);
    }
    chooseSlice(track, at);
  }

  draw() {
    if (!this.canvas || byId("timeline").hidden || !this.width) return;
    if (this.frame) return;
    this.frame = requestAnimationFrame(() => { this.frame = 0; this.paint(); });
  }

  paint() {
    const start = performance.now();
    const context = this.canvas.getContext("2d"), {scale} = this;
    const colours = palette();
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    this.paintBars(context, colours);
    context.setTransform(scale, 0, 0, scale, 0, 0);
    this.paintText(context, colours);
    this.readout.textContent = `cycles ${count(this.begin)} to ${count(this.end)}`;
    // For tests: how long it took, and of how many rows.
    this.canvas.dataset.rows = this.rows.length;
    this.canvas.dataset.paint = (performance.now() - start).toFixed(1);
  }

  rowsInView() {
    const first = Math.max(0, Math.floor(this.box.scrollTop / ROW));
    return [first, Math.min(this.rows.length, Math.ceil((this.box.scrollTop + this.height - AXIS) / ROW))];
  }

  paintBars(context, colours) {
    const {scale} = this, left = Math.round(LABEL * scale), top = Math.round(AXIS * scale);
    const width = this.canvas.width - left, height = this.canvas.height - top;
    if (width <= 0 || height <= 0) return;
    const image = context.createImageData(width, height), pixels = new Uint32Array(image.data.buffer);
    const [first, last] = this.rowsInView();
    for (let row = first; row < last; ++row) {
      const y = Math.round((row * ROW - this.box.scrollTop + 2) * scale), tall = Math.round((ROW - 4) * scale);
      paintRow(pixels, width, height, y, tall, sharesOf(this.rows[row], this.begin, this.end, width), colours);
    }
    context.putImageData(image, left, top);
  }

  paintText(context, colours) {
    const [first, last] = this.rowsInView();
    context.font = "11px ui-monospace, 'DejaVu Sans Mono', monospace";
    context.textBaseline = "middle";
    context.save();
    context.beginPath();
    context.rect(0, AXIS, this.width, this.height - AXIS);
    context.clip();
    for (let row = first; row < last; ++row) {
      const y = AXIS + row * ROW - this.box.scrollTop, track = this.rows[row];
      if (row === this.focus) {
        context.fillStyle = colours.text.faint;
        context.fillRect(0, y, LABEL - 4, ROW);
      }
      context.fillStyle = row === this.focus ? colours.text.text : colours.text.dim;
      context.fillText(track.name, 8, y + ROW / 2);
      if (chosen.track === track && chosen.slice !== undefined) this.paintChosen(context, colours, track, y);
    }
    context.restore();
    this.paintAxis(context, colours);
  }

  paintChosen(context, colours, track, y) {
    const from = Math.max(LABEL, this.xOf(track.begins[chosen.slice]));
    const to = Math.min(this.width, Math.max(from + 2, this.xOf(track.begins[chosen.slice + 1])));
    if (to <= LABEL) return;
    context.strokeStyle = colours.text.text;
    context.lineWidth = 1.5;
    context.strokeRect(from, y + 1, to - from, ROW - 2);
  }

  paintAxis(context, colours) {
    const span = this.end - this.begin, wanted = span / Math.max(2, (this.width - LABEL) / 110);
    const ten = 10 ** Math.floor(Math.log10(wanted)), step = Math.max(1, [1, 2, 5, 10].map((x) => x * ten).find((x) => x >= wanted));
    context.fillStyle = colours.text.card;
    context.fillRect(0, 0, this.width, AXIS);
    context.fillStyle = colours.text.dim;
    context.strokeStyle = colours.text.line;
    context.lineWidth = 1;
    for (let at = Math.ceil(this.begin / step) * step; at <= this.end; at += step) {
      const x = this.xOf(at);
      context.beginPath();
      context.moveTo(x, AXIS - 4);
      context.lineTo(x, this.height);
      context.globalAlpha = 0.5;
      context.stroke();
      context.globalAlpha = 1;
      if (x < this.width - 40) context.fillText(count(at), x + 3, AXIS / 2);
    }
  }
}

/** The slice in that cycle; null outside of the track. */
function sliceAt(track, cycle) {
  const {begins} = track, count_ = begins.length - 1;
  if (count_ === 0 || cycle < 0 || cycle >= begins[count_]) return null;
  let low = 0, high = count_ - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (begins[middle] <= cycle) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** What a slice is made of: [state, cycles]. */
const partsOf = (track, slice) => track.mixed[slice] || [[track.states[slice], track.begins[slice + 1] - track.begins[slice]]];
const causeAt = (track, state) => track.kind === "lock" ? (state ? "level" : "none") : track.causes[state];
const isNothing = (track, slice) => partsOf(track, slice).every(([state]) => causeAt(track, state) === "none");

const KEYS = Object.keys(CAUSES).filter((key) => key !== "none");

/** For each of `width` columns of pixels, the share of it that each cause has. */
function sharesOf(track, begin, end, width) {
  const shares = new Float32Array(width * KEYS.length), perPixel = (end - begin) / width;
  const add = (from, to, key, weight) => {
    const a = Math.max(0, (from - begin) / perPixel), b = Math.min(width, (to - begin) / perPixel);
    const k = KEYS.indexOf(key), last = Math.min(width - 1, Math.floor(b));
    for (let x = Math.floor(a); x <= last; ++x)
      shares[x * KEYS.length + k] += weight * Math.max(0, Math.min(b, x + 1) - Math.max(a, x));
  };
  const count_ = track.begins.length - 1;
  for (let i = sliceAt(track, begin) || 0; i < count_ && track.begins[i] < end; ++i) {
    const from = track.begins[i], to = track.begins[i + 1], parts = track.mixed[i];
    if (!parts) {
      const cause = causeAt(track, track.states[i]);
      if (cause !== "none") add(from, to, cause, track.kind === "lock" ? track.states[i] / track.most : 1);
      continue;
    }
    for (const [state, cycles] of parts) {
      const cause = causeAt(track, state), weight = cycles / (to - from);
      if (cause !== "none") add(from, to, cause, track.kind === "lock" ? weight * state / track.most : weight);
    }
  }
  return shares;
}

/** Columns of stacked causes, from the bottom of the row. */
function paintRow(pixels, width, height, top, tall, shares, colours) {
  for (let x = 0; x < width; ++x) {
    let edge = top + tall, exact = edge;
    for (let k = 0; k < KEYS.length; ++k) {
      const share = shares[x * KEYS.length + k];
      if (share <= 0) continue;
      exact -= share * tall;
      const to = Math.max(top, Math.round(exact)), colour = colours.bars[k];
      for (let y = Math.min(edge, height) - 1; y >= Math.max(0, to); --y) pixels[y * width + x] = colour;
      edge = to;
    }
  }
}

let paletteOfTheme = null;
/** The colours of the style sheet: of bars as words of pixels, of text as it is. */
function palette() {
  const theme = document.documentElement.dataset.theme;
  if (paletteOfTheme && paletteOfTheme.theme === theme) return paletteOfTheme;
  const style = getComputedStyle(document.documentElement), value = (name) => style.getPropertyValue(name).trim();
  const word = (hex) => 0xff000000 | parseInt(hex.slice(5, 7), 16) << 16 | parseInt(hex.slice(3, 5), 16) << 8 | parseInt(hex.slice(1, 3), 16);
  paletteOfTheme = {theme, bars: KEYS.map((key) => word(value(`--c-${key}`)) >>> 0),
    text: Object.fromEntries(["text", "dim", "faint", "line", "card"].map((name) => [name, value(`--${name}`)]))};
  return paletteOfTheme;
}

const chart = new Chart();
const renderTimeline = () => chart.build();

const sliceWords = (track, slice) => {
  if (track.kind === "host") return track.origins[track.from[slice]][0] || "nothing to do";
  if (track.kind === "lock") return `holds ${track.states[slice]}`;
  const [text] = track.origins[track.from[slice]], cause = CAUSES[track.causes[track.states[slice]]];
  return text && track.kind === "channel" ? `${cause}, ${text}` : cause;
};

function sliceText(track, slice) {
  const from = track.begins[slice], to = track.begins[slice + 1], parts = track.mixed[slice];
  const what = !parts ? sliceWords(track, slice)
    : parts.map(([state, cycles]) => `${percent(cycles, to - from)} ${track.kind === "lock" ? `holds ${state}` : CAUSES[causeAt(track, state)]}`).join("\n");
  return `${track.name}\n${what}\n${count(to - from)} cycles, from ${count(from)} on`;
}

function chooseSlice(track, slice) {
  choose({track, slice, tile: track.tile});
  markSlice(track, slice);
}

function markSlice(track, slice) {
  const place = track.origins[track.from[slice]][1];
  if (place < 0) return;
  const [file, line] = run.from.places[place];
  mark(file, line);
}

// -- Memory ------------------------------------------------------------------------------------------

/** The parts of a tile's memory, in the order of their offsets. */
function partsOfMemory(use) {
  const parts = (use.buffers || []).map((buffer) => ({...buffer, kind: "buffer"}));
  for (const data of use.data || []) parts.push({...data, kind: "data"});
  if (use.stack_bytes) parts.push({name: "stack", offset: use.stack_offset || 0, bytes: use.stack_bytes, kind: "stack"});
  return parts.sort((a, b) => a.offset - b.offset);
}

const banksOf = (use, part) => {
  const memory = device[use.kind], first = Math.floor(part.offset / memory.bank_bytes);
  const last = Math.floor((part.offset + Math.max(1, part.bytes) - 1) / memory.bank_bytes);
  return first === last ? `bank ${first}` : `banks ${first} to ${last}`;
};
const partText = (use, part) => `${part.name}: ${count(part.bytes)} bytes at 0x${part.offset.toString(16)}, ${banksOf(use, part)}`;

function memoryMap(use) {
  const memory = device[use.kind], share = (bytes) => `${100 * bytes / memory.bytes}%`;
  const lines = [];
  for (let bank = 1; bank < memory.banks; ++bank) lines.push(h("b", {style: `left:${share(bank * memory.bank_bytes)}`}));
  return h("div", {class: "map"},
    partsOfMemory(use).map((part, number) => h("i", {class: part.kind === "stack" ? "stack" : number % 2 ? "alt" : "",
      style: `left:${share(part.offset)};width:max(2px, ${share(part.bytes)})`, ...tipped(partText(use, part))},
    part.bytes > memory.bytes / 12 ? part.name : "")), lines);
}

function renderMemory() {
  const view = byId("memory");
  if (!run.resources || run.resources.tiles.length === 0) {
    view.replaceChildren(h("p", {}, `The buffers of this design are not known. ${UNNAMED}`));
    return;
  }
  const uses = run.resources.tiles.filter((use) => use.memory_bytes && (use.buffers || use.stack_bytes));
  const group = (kind, words) => {
    const list = uses.filter((use) => use.kind === kind), memory = device[kind];
    return list.length > 0 && h("div", {class: "card", style: "margin-bottom:12px"}, h("h2", {}, words),
      h("p", {class: "fine"}, `${count(memory.bytes)} bytes in ${memory.banks} banks of ${count(memory.bank_bytes)}; lines are their borders.`),
      h("table", {}, h("tbody", {}, list.map((use) => h("tr", {"data-tile": use.tile, ...pressable(() => choose({tile: use.tile}))},
        h("td", {class: "number", style: "width:56px"}, tileName(use.tile)), h("td", {}, memoryMap(use)),
        h("td", {class: "right", style: "width:56px"}, percent(use.memory_bytes.used, use.memory_bytes.there)))))));
  };
  view.replaceChildren(group("core", "Cores") || "", group("memory", "Memory tiles") || "",
    h("p", {class: "fine"}, "Click a tile for the list of its buffers."));
}

// -- Details -----------------------------------------------------------------------------------------

function placeLink(place) {
  if (place < 0) return h("span", {class: "fine"}, "no source line is known");
  const [file, line] = run.from.places[place];
  return h("button", {class: "link source-link", onclick: () => mark(file, line)}, `${shortName(run.from.files[file])}:${line}`);
}

const shortName = (file) => file.split("/").pop();

function sliceDetails(track, slice) {
  const from = track.begins[slice], to = track.begins[slice + 1], [text, place] = track.origins[track.from[slice]];
  const parts = track.mixed[slice];
  return [h("h2", {id: "details-title"}, track.name), h("p", {}, parts ? "several states, too short to be kept apart" : sliceWords(track, slice)),
    h("p", {class: "fine"}, `${count(to - from)} cycles: ${count(from)} to ${count(to)}`),
    parts && track.kind !== "lock" && h("div", {style: "margin:6px 0"}, meter(Object.fromEntries(groupParts(track, parts)), to - from)),
    track.kind !== "lock" && h("p", {}, text ? `${text}: ` : "", placeLink(place)),
    track.resolution > 1 && h("p", {class: "fine"}, `Bars of this row that are shorter than ${count(track.resolution)} cycles are kept as shares.`)];
}

function groupParts(track, parts) {
  const sums = new Map();
  for (const [state, cycles] of parts) sums.set(causeAt(track, state), (sums.get(causeAt(track, state)) || 0) + cycles);
  return sums;
}

/** The lines at which a track waits longest. */
function waitsOf(track) {
  const lines = new Map();
  for (const [state, origin, cycles] of track.exact) {
    const cause = track.causes && track.causes[state], place = track.origins[origin][1];
    if (!STALLS.includes(cause)) continue;
    const key = `${place}:${cause}`;
    lines.set(key, {place, cause, cycles: cycles + (lines.has(key) ? lines.get(key).cycles : 0)});
  }
  return [...lines.values()].sort((a, b) => b.cycles - a.cycles).slice(0, 5);
}

function waitTable(track) {
  const waits = track ? waitsOf(track) : [];
  return waits.length > 0 && [h("h3", {}, "Waits longest at"), h("table", {}, h("tbody", {}, waits.map((one) => h("tr", {},
    h("td", {}, h("span", {class: `swatch ${one.cause}`}), CAUSES[one.cause]), h("td", {}, placeLink(one.place)),
    h("td", {class: "right"}, percent(one.cycles, run.cycles))))))];
}

function tileDetails(tile) {
  const core = run.cores.find((one) => String(one.tile) === String(tile));
  const channels = run.channels.filter((one) => String(one.tile) === String(tile));
  const use = run.resources && run.resources.tiles.find((one) => String(one.tile) === String(tile));
  const row = (name, part, causes) => h("tr", {}, h("td", {class: "number", style: "width:64px"}, name), h("td", {}, meter(causes, run.cycles)),
    h("td", {class: "right", style: "width:48px"}, percent(part, run.cycles)));
  const buffers = use ? partsOfMemory(use) : [];
  return [h("h2", {id: "details-title"}, `${tileName(tile)} ${kindOfRow(tile[1])} tile`),
    !core && channels.length === 0 && h("p", {class: "fine"}, "It did nothing."),
    (core || channels.length > 0) && h("table", {}, h("tbody", {}, core && row("core", core.causes.run || 0, core.causes),
      channels.map((one) => row(`${one.direction} ${one.channel}`, one.causes.move || 0, one.causes)))),
    core && h("p", {class: "fine"}, `${count(core.bundles)} instructions` + (core.products ? `, ${count(core.products)} products in the matrix unit` : "")),
    channels.length > 0 && h("p", {class: "fine"}, channels.map((one) => `${one.direction} ${one.channel}: ${count(one.words)} words`).join(", ")),
    h("p", {}, h("button", {class: "link", id: "show-rows", onclick: () => showRows(tile)}, "Show its rows of the timeline")),
    core && waitTable(trackNamed(`${tileName(tile)} core`)),
    buffers.length > 0 && [h("h3", {}, "Memory"), h("table", {}, h("tbody", {}, buffers.map((part) => h("tr", tipped(partText(use, part)),
      h("td", {class: "number"}, part.name), h("td", {class: "right"}, `${count(part.bytes)} B`), h("td", {class: "fine"}, banksOf(use, part))))))]];
}

/** Filters the timeline to one tile. */
function showRows(tile) {
  chart.filter = {...chart.filter, host: true, core: true, channel: true, lock: true, text: tileName(tile)};
  renderTimeline();
  openView("timeline", true);
}

function flowDetails(number) {
  const flow = run.flows[number];
  const end = (one) => h("button", {class: "link", onclick: () => choose({tile: one.tile})}, `${one.port} of ${tileName(one.tile)}`);
  return [h("h2", {id: "details-title"}, flow.name || "flow"), h("p", {}, `${count(flow.words)} words, ${percent(flow.words, run.cycles)} of a wire`),
    h("p", {}, "from ", end(flow.source)), h("p", {}, "to ", flow.destinations.map((one, at) => [at ? ", " : "", end(one)])),
    flow.isShared && h("p", {class: "fine"}, `Packets ${flow.packet_ids.join(", ")}: the words are those of the channel or the wire, which other packets share.`),
    flow.hops.length > 0 && [h("h3", {}, "Route"), h("table", {}, h("tbody", {}, flow.hops.map((hop) => h("tr", {},
      h("td", {class: "number"}, `${tileName(hop.from)} ${hop.port}`), h("td", {class: "number"}, `to ${tileName(hop.to)}`),
      h("td", {class: "right"}, count(hop.words))))))]];
}

function flowList() {
  if (run.flows.length === 0) return null;
  const sorted = run.flows.map((flow, number) => ({flow, number})).sort((a, b) => b.flow.words - a.flow.words).slice(0, 12);
  return [h("h3", {}, "Streams with most words"), h("table", {}, h("tbody", {}, sorted.map(({flow, number}) => h("tr", {},
    h("td", {}, h("button", {class: "link", onclick: () => { openView("array"); choose({flow: number}); }}, flow.name || `flow ${number}`)),
    h("td", {class: "fine"}, `${tileName(flow.source.tile)} to ${flow.destinations.length > 2 ? `${flow.destinations.length} tiles` : flow.destinations.map((end) => tileName(end.tile)).join(" ")}`),
    h("td", {class: "right"}, count(flow.words))))))];
}

function renderDetails() {
  const {track, slice, tile, flow} = chosen;
  byId("details").scrollTop = 0;
  byId("details").replaceChildren(...[
    slice !== undefined ? sliceDetails(track, slice)
    : flow !== undefined ? flowDetails(flow)
    : tile ? tileDetails(tile)
    : [h("h2", {id: "details-title"}, "Details"), h("p", {class: "fine"}, "Choose a tile, a stream, a bar or a line."),
      run.from.outcome !== "finished" && h("pre", {style: "white-space:pre-wrap"}, run.from.text), flowList()],
  ].flat(Infinity).filter(Boolean));
}

// -- Source ------------------------------------------------------------------------------------------

const TOKENS = /(\/\/.*)|("(?:[^"\\]|\\.)*")|([%@#^][\w$.-]+)|(\b(?:[su]?i\d+|bf16|f16|f32|f64|index|memref|tensor|vector)\b)|(\b[a-z_]+(?:\.[a-z_]+)+\b)/g;

function colouredLine(text) {
  const parts = [];
  let last = 0;
  for (const found of text.matchAll(TOKENS)) {
    parts.push(text.slice(last, found.index));
    const kind = ["c", "s", "v", "t", "k"][found.slice(1).findIndex((group) => group !== undefined)];
    parts.push(h("span", {class: kind}, found[0]));
    last = found.index + found[0].length;
  }
  parts.push(text.slice(last));
  return parts;
}

function heatBar(at, most) {
  if (!at) return h("span", {class: "heat"});
  const words = STALLS.filter((key) => at.causes[key]).map((key) => `${count(at.causes[key])} cycles: ${CAUSES[key]}`).join("\n");
  return h("span", {class: "heat", ...tipped(words)}, STALLS.filter((key) => at.causes[key]).map((key) =>
    h("i", {class: key, style: `width:${Math.max(2, 32 * at.causes[key] / most)}px`})));
}

function renderSource(file) {
  const name = run.from.files[file], text = record.sources[name];
  const most = Math.max(1, ...[...run.heat.values()].map((at) => at.sum));
  const head = h("div", {class: "file"}, h("b", {title: name}, name), h("span", {id: "marked-line"}));
  if (text === undefined) {
    byId("source").replaceChildren(head, h("p", {class: "fine", style: "padding:0 16px"}, "This file was not found when the run was recorded."));
    return;
  }
  byId("source").replaceChildren(head, h("div", {class: "code", tabindex: 0, role: "region", "aria-label": "Source", "data-file": file},
    text.split("\n").map((line, number) => h("code", {class: "row", "data-line": number + 1},
      h("span", {class: "no"}, number + 1), heatBar(run.heat.get(`${file}:${number + 1}`), most), h("span", {}, colouredLine(line))))));
}

/** Shows a line of a file of the program. */
function mark(file, line) {
  const shown = document.querySelector("#source .code");
  if (!marked || marked.file !== file || !shown) renderSource(file);
  marked = {file, line};
  for (const row of document.querySelectorAll(".code .row.marked")) row.classList.remove("marked");
  byId("marked-line").textContent = `line ${line}`;
  const row = document.querySelector(`.code .row[data-line="${line}"]`);
  if (!row) return;
  row.classList.add("marked");
  const code = row.parentElement;
  code.scrollTop = row.offsetTop - code.offsetTop - code.clientHeight / 2;
}

function markHottest() {
  const hottest = [...run.heat.values()].sort((a, b) => b.sum - a.sum)[0];
  if (hottest) return mark(hottest.file, hottest.line);
  if (run.from.files.length > 0) return renderSource(0);
  byId("source").replaceChildren(h("p", {class: "fine", style: "padding:12px 16px"}, "The files of the design do not name a source."));
}

// -- Start -------------------------------------------------------------------------------------------

function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  if (!run) return;
  renderArray();
  choose(chosen);
}

function start() {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  setTheme(dark.matches ? "dark" : "light");
  dark.addEventListener("change", () => setTheme(dark.matches ? "dark" : "light"));
  byId("theme").addEventListener("click", () => setTheme(document.documentElement.dataset.theme === "dark" ? "light" : "dark"));
  const name = record.program ? shortName(record.program) : "a design";
  document.title = `${name} – airlite run`;
  byId("title").textContent = name;
  VIEWS.forEach((view, number) => {
    const tab = byId(`tab-${view}`);
    tab.addEventListener("click", () => openView(view));
    tab.addEventListener("keydown", (event) => {
      const by = {ArrowRight: 1, ArrowLeft: -1}[event.key];
      if (by) openView(VIEWS[(number + by + VIEWS.length) % VIEWS.length], true);
    });
  });
  byId("run-choice").hidden = record.runs.length < 2;
  record.runs.forEach((one, number) => byId("run").append(h("option", {value: number}, `${number + 1} of ${record.runs.length}`)));
  byId("run").addEventListener("change", (event) => openRun(Number(event.target.value)));
  addEventListener("resize", () => chart.resize());
  addEventListener("hashchange", () => { if (VIEWS.includes(location.hash.slice(1))) openView(location.hash.slice(1)); });
  openRun(0);
  openView(VIEWS.includes(location.hash.slice(1)) ? location.hash.slice(1) : "summary");
}

start();
})();

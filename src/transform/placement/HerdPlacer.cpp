// Placement of rectangles on the grid of cores: a search for linked herds, first fit for the rest.
#include "HerdPlacer.hpp"

#include <algorithm>
#include <numeric>

namespace airlite {

namespace {

// A group of ten herds needs some hundred steps; this many take a fraction of a second.
constexpr unsigned kMaxSearchSteps = 200000;

GridCell eastOf(const PlacedHerd& a) { return {a.cell->col + a.cols, a.cell->row}; }
GridCell northOf(const PlacedHerd& a) { return {a.cell->col, a.cell->row + a.rows}; }
GridCell westOf(const PlacedHerd& a, const PlacedHerd& b) {
  return {a.cell->col - b.cols, a.cell->row};
}
GridCell southOf(const PlacedHerd& a, const PlacedHerd& b) {
  return {a.cell->col, a.cell->row - b.rows};
}

/// A cascade joins cores of equal ids, so two wide herds must lie above each other and two tall
/// ones beside each other. (Of herds that are both, no position suits all cores.)
struct CascadeSides {
  bool horizontal = true;
  bool vertical = true;
};
CascadeSides cascadeSides(const PlacedHerd& from, const PlacedHerd& to) {
  bool wide = from.cols > 1 && to.cols > 1;
  bool tall = from.rows > 1 && to.rows > 1;
  return wide == tall ? CascadeSides{} : CascadeSides{tall, wide};
}

/// Where `herd` may lie for its link with `placed`, best first.
std::vector<GridCell> positions(const HerdLink& link, const PlacedHerd& placed,
                                const PlacedHerd& herd, bool herdIsFrom) {
  if (!link.cascade)
    return {eastOf(placed), westOf(placed, herd), northOf(placed), southOf(placed, herd)};
  std::vector<GridCell> result;
  CascadeSides sides = herdIsFrom ? cascadeSides(herd, placed) : cascadeSides(placed, herd);
  if (herdIsFrom) {
    if (sides.vertical) result.push_back(northOf(placed));
    if (sides.horizontal) result.push_back(westOf(placed, herd));
    return result;
  }
  if (sides.horizontal) result.push_back(eastOf(placed));
  if (sides.vertical) result.push_back(southOf(placed, herd));
  return result;
}

bool contains(const std::vector<GridCell>& cells, GridCell cell) {
  return std::find(cells.begin(), cells.end(), cell) != cells.end();
}

bool touches(const HerdLink& link, const std::vector<PlacedHerd>& herds) {
  const PlacedHerd& from = herds[link.from];
  const PlacedHerd& to = herds[link.to];
  return from.cell && to.cell && contains(positions(link, from, to, false), *to.cell);
}

}  // namespace

/// Herds that hang together by links, each after one that it is linked with.
struct HerdPlacer::Group {
  std::vector<size_t> order;
  std::vector<HerdLink> links;
  /// The first one of `order` takes input from several herds.
  bool startsAtJoin = false;

  unsigned producers(size_t herd) const {
    return static_cast<unsigned>(std::count_if(
        links.begin(), links.end(), [&](const HerdLink& l) { return l.cascade && l.to == herd; }));
  }
  bool feeds(size_t herd) const {
    return std::any_of(links.begin(), links.end(),
                       [&](const HerdLink& l) { return l.cascade && l.from == herd; });
  }
};

HerdPlacer::HerdPlacer(int64_t cols, int64_t rows)
    : cols_(cols), rows_(rows), taken_(static_cast<size_t>(cols * rows), 0) {}

bool HerdPlacer::inside(const PlacedHerd& herd, GridCell cell) const {
  return cell.col >= 0 && cell.row >= 0 && herd.cols <= cols_ && cell.col <= cols_ - herd.cols &&
         herd.rows <= rows_ && cell.row <= rows_ - herd.rows;
}

bool HerdPlacer::fits(const PlacedHerd& herd, GridCell cell) const {
  if (!inside(herd, cell)) return false;
  for (int64_t row = cell.row; row < cell.row + herd.rows; ++row)
    for (int64_t col = cell.col; col < cell.col + herd.cols; ++col)
      if (taken_[static_cast<size_t>(row * cols_ + col)]) return false;
  return true;
}

void HerdPlacer::mark(const PlacedHerd& herd, GridCell cell, bool taken) {
  for (int64_t row = cell.row; row < cell.row + herd.rows; ++row)
    for (int64_t col = cell.col; col < cell.col + herd.cols; ++col)
      taken_[static_cast<size_t>(row * cols_ + col)] = taken;
}

void HerdPlacer::put(PlacedHerd& herd, GridCell cell) {
  mark(herd, cell, true);
  herd.cell = cell;
}

void HerdPlacer::lift(PlacedHerd& herd) {
  mark(herd, *herd.cell, false);
  herd.cell.reset();
}

std::vector<GridCell> HerdPlacer::allCells(int64_t firstRow) const {
  std::vector<GridCell> cells;
  for (int64_t i = 0; i < rows_; ++i)
    for (int64_t col = 0; col < cols_; ++col)
      cells.push_back({col, (i + firstRow) % rows_});
  return cells;
}

std::vector<HerdPlacer::Group> HerdPlacer::groups(const std::vector<PlacedHerd>& herds,
                                                  const std::vector<HerdLink>& links) const {
  std::vector<size_t> root(herds.size());
  std::iota(root.begin(), root.end(), size_t{0});
  auto find = [&](size_t i) {
    while (root[i] != i)
      i = root[i] = root[root[i]];
    return i;
  };
  for (const HerdLink& link : links)
    root[std::max(find(link.from), find(link.to))] = std::min(find(link.from), find(link.to));
  std::vector<Group> all(herds.size());
  for (size_t i = 0; i < herds.size(); ++i)
    all[find(i)].order.push_back(i);
  for (const HerdLink& link : links)
    all[find(link.from)].links.push_back(link);
  std::erase_if(all, [](const Group& group) { return group.links.empty(); });
  return all;
}

/// Starts at a herd that has a place, at one with several producers, or at the head of a chain, and
/// continues along the links.
static void orderGroup(std::vector<size_t>& order, const std::vector<HerdLink>& links, size_t start,
                       const std::vector<PlacedHerd>& herds) {
  std::vector<char> seen(herds.size(), 0);
  std::vector<size_t> result;
  auto visit = [&](size_t herd) {
    if (!seen[herd]) result.push_back(herd);
    seen[herd] = 1;
  };
  visit(start);
  for (size_t herd : order)
    if (herds[herd].cell) visit(herd);
  for (size_t next = 0; next < result.size(); ++next)
    for (const HerdLink& link : links) {
      if (link.from == result[next]) visit(link.to);
      if (link.to == result[next]) visit(link.from);
    }
  order = std::move(result);
}

std::vector<GridCell> HerdPlacer::candidates(const Group& group,
                                             const std::vector<PlacedHerd>& herds,
                                             size_t herd) const {
  std::vector<GridCell> result;
  bool linked = false;
  for (const HerdLink& link : group.links) {
    if (link.from != herd && link.to != herd) continue;
    const PlacedHerd& other = herds[link.from == herd ? link.to : link.from];
    if (!other.cell) continue;
    std::vector<GridCell> near = positions(link, other, herds[herd], link.from == herd);
    if (linked) std::erase_if(result, [&](GridCell cell) { return !contains(near, cell); });
    if (!linked) result = std::move(near);
    linked = true;
  }
  // A herd with several producers leaves the row below it to whoever it feeds.
  if (!linked) result = allCells(group.startsAtJoin && rows_ > 1 ? 1 : 0);
  std::erase_if(result, [&](GridCell cell) { return !fits(herds[herd], cell); });
  return result;
}

/// Depth first through the candidates of each herd of the group.
bool HerdPlacer::search(const Group& group, std::vector<PlacedHerd>& herds) {
  std::vector<size_t> open;
  for (size_t herd : group.order)
    if (!herds[herd].cell) open.push_back(herd);
  struct Level {
    std::vector<GridCell> cells;
    size_t next = 0;
  };
  std::vector<Level> levels(open.size());
  size_t depth = 0;
  bool fresh = true;
  for (unsigned step = 0; step < kMaxSearchSteps; ++step) {
    if (depth == open.size()) return true;
    Level& level = levels[depth];
    if (fresh) level = {candidates(group, herds, open[depth]), 0};
    fresh = level.next < level.cells.size();
    if (fresh) {
      put(herds[open[depth++]], level.cells[level.next++]);
      continue;
    }
    if (depth == 0) return false;
    lift(herds[open[--depth]]);
  }
  while (depth > 0)
    lift(herds[open[--depth]]);
  return false;
}

/// Next to one of its neighbours where that is possible, else anywhere.
void HerdPlacer::placeLoosely(const Group& group, std::vector<PlacedHerd>& herds) {
  for (size_t index : group.order) {
    PlacedHerd& herd = herds[index];
    for (const HerdLink& link : group.links) {
      if (herd.cell || (link.from != index && link.to != index)) continue;
      const PlacedHerd& other = herds[link.from == index ? link.to : link.from];
      if (!other.cell) continue;
      for (GridCell cell : positions(link, other, herd, link.from == index))
        if (!herd.cell && fits(herd, cell)) put(herd, cell);
    }
    if (!herd.cell) firstFit(herds, {index});
  }
}

/// Row by row from the lower left; each free cell goes to the first herd that fits there.
void HerdPlacer::firstFit(std::vector<PlacedHerd>& herds, std::vector<size_t> waiting) {
  for (GridCell cell : allCells(0)) {
    if (waiting.empty()) return;
    auto fitting = std::find_if(waiting.begin(), waiting.end(),
                                [&](size_t herd) { return fits(herds[herd], cell); });
    if (fitting == waiting.end()) continue;
    put(herds[*fitting], cell);
    waiting.erase(fitting);
  }
}

std::vector<HerdLink> HerdPlacer::place(std::vector<PlacedHerd>& herds,
                                        std::vector<HerdLink> links) {
  std::sort(links.begin(), links.end());
  for (Group& group : groups(herds, links)) {
    auto is = [&](auto predicate) {
      auto found = std::find_if(group.order.begin(), group.order.end(), predicate);
      return found == group.order.end() ? std::optional<size_t>() : *found;
    };
    std::optional<size_t> placed = is([&](size_t h) { return herds[h].cell.has_value(); });
    std::optional<size_t> join = is([&](size_t h) { return group.producers(h) > 1; });
    std::optional<size_t> head =
        is([&](size_t h) { return group.feeds(h) && group.producers(h) == 0; });
    group.startsAtJoin = !placed && join;
    size_t start = placed ? *placed : join ? *join : head ? *head : group.order.front();
    orderGroup(group.order, group.links, start, herds);
    if (!search(group, herds)) placeLoosely(group, herds);
  }
  std::vector<size_t> rest;
  for (size_t i = 0; i < herds.size(); ++i)
    if (!herds[i].cell) rest.push_back(i);
  std::stable_sort(rest.begin(), rest.end(), [&](size_t a, size_t b) {
    return herds[a].cols * herds[a].rows > herds[b].cols * herds[b].rows;
  });
  firstFit(herds, std::move(rest));
  std::erase_if(links, [&](const HerdLink& link) { return touches(link, herds); });
  return links;
}

}  // namespace airlite

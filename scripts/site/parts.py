"""Pages made of others, for pages.py: ops by dialect, passes by kind, headers by folder."""
import re
from pathlib import Path

# Kinds of passes: the first start of a name that fits.
PASS_KINDS = {
    "air-aie-": ("aie", "Passes on cores of an NPU"),
    "air": ("air", "Passes on AIR programs"),
    "": ("general", "Passes on any program"),
}

LANGUAGES = {".mlir": "mlir", ".air": "mlir", ".cpp": "cpp", ".hpp": "cpp", ".py": "python",
             ".json": "json", ".sh": "sh", ".cmake": "cmake"}

FENCE = re.compile(r" *(```+|~~~+)")


def slug(title):
    """The anchor that GitHub gives a heading, and MyST too."""
    return re.sub(r"[^\w\- ]", "", title.strip().lower()).replace(" ", "-")


def blocks(text):
    """Pieces of a page as (kind, text), where kind is "code" (a fence), "heading" or "text"."""
    lines, fence = [], None
    for line in text.splitlines(keepends=True):
        mark = FENCE.match(line)
        if fence:
            lines.append(line)
            if mark and mark[1].startswith(fence):
                yield "code", "".join(lines)
                lines, fence = [], None
        elif mark:
            yield "text", "".join(lines)
            lines, fence = [line], mark[1]
        elif re.match(r"#+ ", line):
            yield "text", "".join(lines)
            yield "heading", line
            lines = []
        else:
            lines.append(line)
    yield "code" if fence else "text", "".join(lines)


def sections(text, level):
    """What stands before the first heading of this level, then (title, text under it) of each."""
    head, found = [], []
    for kind, piece in blocks(text):
        if kind == "heading" and piece.startswith("#" * level + " "):
            found.append((piece.strip("# \n"), []))
        else:
            (found[-1][1] if found else head).append(piece)
    return "".join(head), [(title, "".join(pieces)) for title, pieces in found]


def toctree(pages, *options):
    """Adds pages to the navigation, below the page that this text stands in."""
    return "\n".join(["", "```{toctree}", ":hidden:", *options, "", *pages, "```", ""])


def fenced(path):
    """A file as a code block; None when it is not text."""
    try:
        text = path.read_text().rstrip("\n")
    except UnicodeDecodeError:
        return None
    fence = "`" * max([3, *(len(run) + 1 for run in re.findall("`+", text))])
    return f"{fence}{LANGUAGES.get(path.suffix, 'text')}\n{text}\n{fence}\n"


class Parts:
    """Pages below `whole`, which lists them."""

    def __init__(self, whole):
        self.whole = Path(whole)
        self.files = []   # of the parts, relative to `whole`
        self.pages = {}   # path of a page: its text
        self.names = {}   # name of an op or a pass: (page, anchor)

    def add(self, file, title, intro, entries):
        """A page of (name, text); gives a link to each entry."""
        page, links = (self.whole.parent / file).as_posix(), []
        self.files.append(file)
        self.pages[page] = f"# {title}\n\n{intro}\n"
        for name, text in entries:
            self.pages[page] += f"\n## {name}\n{text}"
            self.names[name.strip("`")] = (page, slug(name))
            links.append(f"[{name}]({file}#{slug(name)})")
        return links

    def finish(self, listing):
        self.pages[self.whole.as_posix()] = listing + toctree(self.files)
        return self


def op_parts(text):
    """docs/ir_reference.md has a chapter for each dialect, with a section for each op."""
    parts = Parts("docs/ir_reference.md")
    listing, dialects = sections(text, 2)
    for dialect, chapter in dialects:
        intro, ops = sections(chapter, 3)
        links = parts.add(f"ops/{dialect}.md", dialect, intro, ops)
        about = intro.split("\n- ")[0]  # then come its types and attributes
        listing += f"\n## {dialect}\n{about}\n\n{' '.join(links)}\n"
    return parts.finish(listing)


def pass_parts(text):
    """docs/passes.md has two chapters, passes and recipes, with a section for each."""
    parts = Parts("docs/passes.md")
    (title, passes), (_, recipes) = sections(text, 1)[1]
    intro, passes = sections(passes, 2)
    kinds = {file: (kind, "", []) for file, kind in PASS_KINDS.values()}
    for name, section in passes:
        file = next(kind[0] for start, kind in PASS_KINDS.items() if name[1:].startswith(start))
        kinds[file][2].append((name, section))
    kinds["recipes"] = ("Recipes", *sections(recipes, 2))
    listing = f"# {title}\n{intro}"
    for file, (kind, about, entries) in kinds.items():
        links = parts.add(f"passes/{file}.md", kind, about, entries)
        listing += f"\n## {kind}\n\n| name | what it does |\n|---|---|\n"
        for link, (_, section) in zip(links, entries):
            listing += f"| {link} | {in_table(section.strip().split(chr(10) * 2)[0])} |\n"
    return parts.finish(listing)


def header_parts(root):
    """The public headers: a page per folder shows them."""
    parts = Parts("docs/headers.md")
    listing = "# Headers\n\nWhat a program that links airlite may include, by folder.\n"
    for include in [root / "include", *sorted(root.glob("backends/*/include"))]:
        for folder in sorted({path.parent for path in include.glob("airlite/**/*.hpp")}):
            name, headers = folder.relative_to(include).as_posix(), sorted(folder.glob("*.hpp"))
            links = parts.add(f"headers/{name.replace('/', '-')}.md", name, "",
                              [(f"{name}/{path.name}", f"\n{fenced(path)}") for path in headers])
            listing += f"\n## {name}\n\n| header | what it has |\n|---|---|\n"
            for link, path in zip(links, headers):
                listing += f"| {link} | {in_table(first_sentence(path.read_text()))} |\n"
    return parts.finish(listing)


def first_sentence(code):
    """Of the comment on top of a C++ file."""
    comment = re.match(r"(?:// ?.*\n)*", code)[0].split("\n//\n")[0]
    text = " ".join(re.sub(r"^// ?", "", comment, flags=re.M).split())
    return re.split(r"(?<=[.?]) ", text)[0].rstrip(":")


def in_table(text):
    return " ".join(text.split()).replace("|", "\\|").replace("<", "\\<")

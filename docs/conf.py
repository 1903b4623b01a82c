# Settings of Sphinx for the documentation site; scripts/docs.sh builds it.
from pygments.lexer import RegexLexer
from pygments.token import Comment, Keyword, Name, Number, Punctuation, String, Text
from sphinx.highlighting import lexers

project = "airlite"
html_title = "airlite"
html_theme = "furo"
html_static_path = ["site.css"]
html_css_files = ["site.css"]
extensions = ["myst_parser"]
myst_heading_anchors = 4
# Pages are plain Markdown: a line that starts with % or an {x} is text.
myst_disable_syntax = ["myst_line_comment", "myst_block_break", "myst_target", "myst_role"]
html_show_sourcelink = html_copy_source = html_use_index = False
html_show_sphinx = html_show_copyright = False
html_domain_indices = False
smartquotes = False
# Programs with pieces left out, and languages that Pygments does not know, stay without colours.
suppress_warnings = ["misc.highlighting_failure"]


class MlirLexer(RegexLexer):
    tokens = {
        "root": [
            (r"//.*", Comment),
            (r'"[^"\n]*"', String),
            (r"[%^@#!][\w.$-]+", Name.Variable),
            (r"[A-Za-z_]\w*\.[\w.]+", Keyword),
            (r"([\d?]+x)+", Number),
            (r"((?:b?f|i|si|ui)\d+|index|memref|tensor|vector)\b", Keyword.Type),
            (r"[A-Za-z_]\w*", Name),
            (r"-?\d+(\.\d+(e[+-]?\d+)?)?", Number),
            (r"\s+", Text),
            (r".", Punctuation),
        ]
    }


lexers["mlir"] = MlirLexer()

"""How notebooks show programs: as text with colours; designs as their floorplan."""

_STYLES = {
    "comment": "color:#6a737d", "string": "color:#22863a", "value": "color:#005cc5", "symbol": "color:#6f42c1",
    "type": "color:#b35900", "name": "font-weight:bold", "block": "color:#6a737d",
}
_TOKENS = (
    r"(?P<comment>//[^\n]*)|(?P<string>\"(?:[^\"\\]|\\.)*\")|(?P<value>%[\w$.#-]+)|(?P<symbol>@[\w$.-]+)"
    r"|(?P<block>\^\w+)|(?P<type>[!#][\w.]+|\b(?:[su]?i\d+|bf16|f16|f32|f64|index|memref|tensor|vector)\b)"
    r"|(?P<name>(?:(?<=\n)|(?<=[= ]))[a-z_]+(?:\.[a-z_]+)+(?=[ (<]))")


def html_of_program(op):
    """An operation as HTML, for _repr_html_."""
    import re
    from html import escape
    text, parts, last = str(op), [], 0
    for found in re.finditer(_TOKENS, text):
        parts.append(escape(text[last:found.start()]))
        parts.append(f'<span style="{_STYLES[found.lastgroup]}">{escape(found.group())}</span>')
        last = found.end()
    parts.append(escape(text[last:]))
    return f'<pre style="line-height:1.25">{"".join(parts)}</pre>'


def floorplan_of(compiled):
    """The first floorplan of a design as SVG, for _repr_svg_; None without emit='floorplan'."""
    for name, content in compiled.files.items():
        if name.endswith(".floorplan.svg"):
            return content.decode()
    return None

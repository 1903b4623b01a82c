// Links, headings and names of source files that the pages mention exist.
// RUN: python3 %S/check_links.py %S/../..

; Markdown: a section is a heading and what is below it. Underlined headings begin no
; section in the grammar: they stand for themselves.
(section . (atx_heading heading_content: (_) @name) . (_)? @body) @section
(setext_heading heading_content: (_) @name) @section

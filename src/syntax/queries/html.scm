; HTML: what has an id, headings, and what is loaded.
((element
  (start_tag (attribute
    (attribute_name) @_id [(quoted_attribute_value (_) @name) (attribute_value) @name]))) @element
  (#eq? @_id "id"))
((element
  (self_closing_tag (attribute
    (attribute_name) @_id [(quoted_attribute_value (_) @name) (attribute_value) @name]))) @element
  (#eq? @_id "id"))
((element (start_tag (tag_name) @_tag) . (text) @name) @section
  (#any-of? @_tag "h1" "h2" "h3" "h4" "h5" "h6" "title"))

((script_element
  (start_tag (attribute
    (attribute_name) @_src (quoted_attribute_value (_) @import.source)))) @import
  (#eq? @_src "src"))
((element
  (start_tag
    (tag_name) @_tag
    (attribute (attribute_name) @_href (quoted_attribute_value (_) @import.source)))) @import
  (#eq? @_tag "link") (#eq? @_href "href"))

; CSS.
(comment) @comment
(rule_set (selectors) @name (block) @body) @rule
(keyframes_statement (keyframes_name) @name (keyframe_block_list) @body) @rule
((stylesheet (rule_set (block (declaration (property_name) @name) @property)))
  (#match? @name "^--"))
(media_statement . "@media" . (_) @name (block) @body) @rule
(import_statement (string_value) @import.source) @import
(import_statement (call_expression (arguments (string_value) @import.source))) @import
(import_statement (call_expression (arguments (plain_value) @import.source))) @import

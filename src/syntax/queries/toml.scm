; TOML.
(comment) @comment
(table [(bare_key) (dotted_key) (quoted_key)] @name (pair)* @body) @table
(table_array_element [(bare_key) (dotted_key) (quoted_key)] @name (pair)* @body) @table
(pair . [(bare_key) (dotted_key) (quoted_key)] @name) @key

; SQL.
(comment) @comment
(marginalia) @comment

(create_table (object_reference) @qualified (column_definitions)? @body) @table
(column_definition name: (_) @name) @field
(create_view (object_reference) @qualified (create_query)? @body) @view
(create_materialized_view (object_reference) @qualified (create_query)? @body) @view
(create_index column: (_) @name) @index
(create_function (object_reference) @qualified (function_body)? @body) @function
(create_trigger (object_reference) @qualified) @trigger
(create_type (object_reference) @qualified) @type
(create_schema (identifier) @name) @namespace
(create_sequence (object_reference) @qualified) @variable

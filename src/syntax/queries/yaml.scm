; YAML.
(block_mapping_pair key: (_) @name value: (block_node) @body) @key
(block_mapping_pair key: (_) @name) @key
(flow_pair key: (_) @name) @key
(comment) @comment

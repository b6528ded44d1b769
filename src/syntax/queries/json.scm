; JSON.
(pair key: (_) @name value: [(object) (array)] @body) @key
(pair key: (_) @name) @key

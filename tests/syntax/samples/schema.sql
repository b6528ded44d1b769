-- Shapes.
CREATE SCHEMA geo;

-- The shapes that there are.
CREATE TABLE IF NOT EXISTS geo.shape (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL
);

CREATE VIEW large AS SELECT * FROM geo.shape WHERE id > 10;
CREATE INDEX shape_name ON geo.shape (name);
CREATE TYPE colour AS ENUM ('red', 'green');

CREATE FUNCTION twice(x INTEGER) RETURNS INTEGER AS $$
  SELECT x * 2;
$$ LANGUAGE sql;

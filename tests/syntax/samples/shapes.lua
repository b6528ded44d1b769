-- Shapes, in Lua.
local json = require("json")
local util = require 'util'
dofile("setup.lua")

local M = {}
LIMIT = 8
local hidden = 1

-- A thing with an area.
function M.new(side)
  local inner = 1
  return inner
end

function M.Shape:area() return 1 end

local function secret() end
function global(a, ...) end
M.grow = function(by) end
local handler = function() end

M.table = {
  method = function() end,
  value = 1,
}

return M

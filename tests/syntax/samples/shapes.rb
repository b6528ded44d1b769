require 'json'
require_relative "other"
autoload :Later, 'later'

# Shapes.
module Geo
  LIMIT = 8

  # A thing with an area.
  class Shape < Base::Thing
    attr_reader :side, :name
    attr_accessor :colour

    def initialize(side)
      @side = side
    end

    # How large it is.
    def area = side * side

    def self.make(*args) = new(*args)

    class << self
      def count; 0; end
    end

    alias size area

    private

    def secret
      local = 1
    end

    public def shown; end
  end

  class Plane::Point; end
end

def helper?(a, b = 1, *rest, key:, &block)
end

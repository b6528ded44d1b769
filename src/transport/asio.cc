// Asio's own sources, compiled once: every other file sees only declarations.
#include <boost/asio/impl/src.hpp>

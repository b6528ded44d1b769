// Shapes, in C++.
#include <string>
#include "shapes.hpp"

namespace geo::plane {

/// A thing with an area.
template <class T>
class Shape : public Base {
 public:
  explicit Shape(T side) : side_(side) {}
  virtual ~Shape() = default;
  // How large it is.
  virtual T area() const = 0;
  Shape& operator+=(const Shape& other);
  operator bool() const { return true; }
  using value_type = T;

 protected:
  static int count();

 private:
  enum class Colour { red, green };
  struct Part {
    int width;
  };
  T side_;
  T& ref_;
};

struct Plain {
  int x = 0;
  int get() const { return x; }
};

template <class T>
concept Sized = requires(T t) { t.size(); };

constexpr int kLimit = 4;
int total;

typedef unsigned long ulong_t;

}  // namespace geo::plane

// Outside of its class.
template <class T>
int geo::plane::Shape<T>::count() {
  std::lock_guard lock(mutex);
  return 0;
}

geo::plane::Plain operator+(const geo::plane::Plain& a, const geo::plane::Plain& b) { return a; }

class BOOST_VISIBLE Visible final {
  BOOST_DECL void f() NOEXCEPT;
};

TEST(ShapeTest, HasAnArea) {}

namespace {
int hidden() { return 1; }
struct Hidden {
  int x;
};
namespace deeper {
int also_hidden;
}
}  // namespace

static int seen_here() { return hidden(); }

package geo.plane;

import java.util.List;
import java.util.*;
import static java.lang.Math.max;

/**
 * A thing with an area.
 */
@Deprecated
public abstract class Shapes<T> extends Base implements Area {
  private static final int LIMIT = 8, OTHER = 9;
  protected T side;

  /** Makes one. */
  public Shapes(T side) { this.side = side; }

  public abstract double area();

  @Override
  public String toString() {
    int local = 1;
    return "" + local;
  }

  void packaged() {}

  private class Inner {}

  enum Colour {
    RED, GREEN { @Override int code() { return 1; } };
    int code() { return 0; }
  }
}

interface Area {
  int SIDES = 4;
  double area();
  default int twice() { return 2; }
}

@interface Marked {
  String value() default "";
}

record Point(int x, int y) {
  Point {
    if (x < 0) throw new IllegalArgumentException();
  }
}

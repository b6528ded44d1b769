package geo.plane

import scala.collection.mutable
import scala.math.{max, min => least}
import other._

/** A thing with an area. */
abstract class Shape[T](val side: T, name: String) extends Base with Area {
  private val twice = 2
  var count: Int = 0
  def area: Double
  protected def grow(by: Int): Unit = { val local = 1 }
  type Out = Int
}

trait Area { def area: Double; val sides: Int }
object Shape { def apply(): Int = 1; implicit val order: Int = 1 }
case class Point(x: Int, y: Int)
enum Colour { case Red, Green; case Custom(code: Int) }
given intOrd: Ordering[Int] = ???
type Pair = (Int, Int)
val limit = 8
def top(a: Int)(implicit b: Int): Int = a

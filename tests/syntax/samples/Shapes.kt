package geo.plane

import kotlin.math.max
import java.util.List as JList
import other.*

const val LIMIT = 8
private var counter = 0

/** A thing with an area. */
abstract class Shape<T>(val side: T, private var name: String, plain: Int) : Base(), Area {
    constructor(side: T) : this(side, "", 0) { }
    init { counter++ }
    protected val twice: Int get() = 2
    abstract fun area(): Double
    private fun secret() { val local = 1 }
    companion object { fun make() = 1 }
    inner class Inner
}

interface Area {
    fun area(): Double
}

enum class Colour(val code: Int) {
    RED(1),
    GREEN(2);

    fun f() = 1
}

object Registry {
    val items = listOf<Int>()
}

data class Point(val x: Int, val y: Int)
sealed interface Result
typealias Handler = (Int) -> Unit
internal fun String.shout(times: Int = 1): String = this

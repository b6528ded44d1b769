import Foundation
import struct Geo.Point

let limit = 8
private var counter = 0

/// A thing with an area.
public class Shape<T>: Base, Area {
    static let shared = 1
    private var side: T
    var twice: Int { return 2 }
    init(side: T) { self.side = side }
    deinit { }
    public func area() -> Double { let local = 1; return 0 }
    subscript(i: Int) -> Int { return i }
    class Inner {}
}

struct Point { var x: Int }
enum Colour: String { case red, green = "g"; func f() {} }
protocol Area { associatedtype Output; var side: Int { get }; func area() -> Double }
extension Shape { fileprivate func grow() {} }
actor Counter { func next() -> Int { 1 } }
typealias Handler = (Int) -> Void

// Adds.
func add(_ a: Int, to b: Int = 1) -> Int { return a + b }

using System;
using System.Collections.Generic;
using Text = System.String;
using static System.Math;

namespace Geo.Plane
{
    /// <summary>A thing with an area.</summary>
    [Serializable]
    public abstract class Shape<T> : Base, IArea where T : new()
    {
        private const int Limit = 8;
        public event EventHandler Changed;
        int hidden, other;
        public Shape(T side) { }
        ~Shape() { }
        public T Side { get; private set; }
        public int Twice => 2;
        public abstract double Area();
        protected internal void Grow(int by)
        {
            int Local(int x) => x;
            Local(by);
        }
        public static Shape<T> operator +(Shape<T> a, Shape<T> b) => a;
        public static implicit operator bool(Shape<T> a) => true;
        public T this[int i] => Side;
        private class Inner { }
    }

    internal interface IArea { double Area(); }
    public struct Point { public int X; }
    public record Person(string Name);
    public enum Colour { Red, Green = 5 }
    public delegate void Handler(int x);
}

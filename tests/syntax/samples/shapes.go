// Package shapes is about shapes.
package shapes

import (
	"fmt"
	m "math"
	_ "embed"
	. "strings"
)

import "os"

const Pi = 3

const (
	// First of them.
	First = iota
	second
)

var counter, Total int

var (
	grouped = 1
)

// Shape has an area.
type Shape interface {
	Area() float64
	fmt.Stringer
}

type Square struct {
	Side float64
	tag, other string `json:"x"`
	Shape
}

type (
	Celsius float64
	Handler func(int) error
)

type Alias = Square

type List[T any] struct{ items []T }

// New makes one.
func New(side float64) *Square {
	type local struct{ x int }
	inner := func() {}
	inner()
	return &Square{Side: side}
}

func (s *Square) Area() float64 { return s.Side * s.Side }

func (l List[T]) each(f func(T)) {}

func external(a int) int

//! Shapes, in Rust.
use std::collections::HashMap;
use std::{fmt, io::{self, Read as R, prelude::*}};
use super::*;
use crate::a as b;
pub use self::inner::Thing;
extern crate serde;

/// A thing with an area.
#[derive(Debug)]
pub struct Shape<T> {
    pub side: T,
    hidden: u8,
}

struct Unit;
pub struct Tuple(pub u8, u16);

pub(crate) union Bits {
    a: u32,
}

/// Colours.
pub enum Colour {
    Red,
    Custom(u8),
    Named { name: String },
}

pub trait Area {
    type Output;
    const SIDES: usize;
    fn area(&self) -> Self::Output;
    fn twice(&self) -> u8 { 2 }
}

impl<T> Shape<T> {
    pub fn new(side: T) -> Self { Shape { side, hidden: 0 } }
    fn secret(&self) {
        fn inner() {}
        const LOCAL: u8 = 1;
    }
}

impl<T> Area for Shape<T> {
    type Output = u8;
    const SIDES: usize = 4;
    fn area(&self) -> u8 { 1 }
}

pub mod inner {
    pub struct Thing;
}
mod elsewhere;

type Pair = (u8, u8);
pub const LIMIT: usize = 8;
static mut COUNTER: u32 = 0;

macro_rules! square {
    ($x:expr) => { $x * $x };
}

pub async unsafe fn run() {}

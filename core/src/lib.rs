#![no_std]
#![doc = include_str!("../README.md")]

extern crate alloc;

pub mod audit;
pub mod broker;
pub mod client;
pub mod controller;
pub mod log;
pub mod observe;
pub mod partition;
pub mod replica;
pub mod script;
pub mod settings;
pub mod sim;
pub mod wire;
pub mod words;

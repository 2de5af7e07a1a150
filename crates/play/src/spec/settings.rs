//! One description of a part's settings serves for reading, writing and explaining them.

use std::ops::RangeInclusive;

/// Something with a name and settings in the text form of agents.
pub trait Settings: Clone + Default + PartialEq {
    /// The name.
    const NAME: &'static str;

    /// Shows every setting to `describe`, which may change it. The order is that of the text form.
    fn describe(&mut self, describe: &mut dyn Describe);
}

/// Whoever goes through settings: the reader, the writer, the help.
pub trait Describe {
    /// A number.
    fn number(
        &mut self,
        name: &'static str,
        value: &mut f32,
        range: RangeInclusive<f32>,
        help: &'static str,
    );

    /// A whole number.
    fn count(
        &mut self,
        name: &'static str,
        value: &mut u64,
        range: RangeInclusive<u64>,
        help: &'static str,
    );

    /// Something that is so or not so; named alone.
    fn flag(&mut self, name: &'static str, value: &mut bool, help: &'static str);

    /// One of several words, by its place among them.
    fn choice(
        &mut self,
        name: &'static str,
        value: &mut usize,
        words: &'static [&'static str],
        help: &'static str,
    );

    /// Any text.
    fn text(&mut self, name: &'static str, value: &mut Option<String>, help: &'static str);
}

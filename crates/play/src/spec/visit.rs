//! The three who go through settings: reading them, writing them, listing them.

use std::fmt::Write as _;
use std::ops::{Range, RangeInclusive};

use ludex_game::closest;

use super::settings::Describe;
use super::text::{Argument, Part, Word};
use super::{Settings, SpecError};

/// Reads the arguments of a part into settings.
pub fn read<S: Settings>(text: &str, part: &Part) -> Result<S, SpecError> {
    let mut settings = S::default();
    read_into(text, part, |reader| settings.describe(reader))?;
    Ok(settings)
}

/// Reads the arguments of a part into whatever `describe` shows.
pub fn read_into(
    text: &str,
    part: &Part,
    describe: impl FnOnce(&mut dyn Describe),
) -> Result<(), SpecError> {
    let used = vec![false; part.arguments.len()];
    let mut reader = Reader { part, used, known: Vec::new(), fault: None };
    describe(&mut reader);
    let at = |(span, message)| SpecError { text: text.to_string(), span, message };
    if let Some(fault) = reader.fault.take() {
        return Err(at(fault));
    }
    match reader.used.iter().position(|used| !used) {
        Some(unused) => Err(at(reader.unused(unused))),
        None => Ok(()),
    }
}

struct Reader<'a> {
    part: &'a Part,
    used: Vec<bool>,
    known: Vec<&'static str>,
    fault: Option<(Range<usize>, String)>,
}

impl<'a> Reader<'a> {
    /// The argument of this name, the first time it is asked for.
    fn take(&mut self, name: &'static str) -> Option<&'a Argument> {
        self.known.push(name);
        let found = self.part.arguments.iter().position(|argument| argument.name.text == name)?;
        self.used[found] = true;
        Some(&self.part.arguments[found])
    }

    /// The value of the argument of this name.
    fn value(&mut self, name: &'static str, kind: &str) -> Option<&'a Word> {
        let argument = self.take(name)?;
        if argument.value.is_none() {
            let message = format!("`{name}` needs {kind}: `{name}=…`");
            self.fail(&argument.name.span, message);
        }
        argument.value.as_ref()
    }

    fn fail(&mut self, span: &Range<usize>, message: String) {
        self.fault.get_or_insert((span.clone(), message));
    }

    fn unused(&self, index: usize) -> (Range<usize>, String) {
        let word = &self.part.arguments[index].name;
        let part = &self.part.name.text;
        let message = if self.known.contains(&word.text.as_str()) {
            format!("`{}` is said twice", word.text)
        } else if self.known.is_empty() {
            format!("`{part}` has no settings")
        } else {
            let meant = match closest(&word.text, self.known.iter().copied()) {
                Some(name) => format!("did you mean `{name}`?"),
                None => format!("it has {}", list(&self.known)),
            };
            format!("`{part}` has no setting `{}`; {meant}", word.text)
        };
        (word.span.clone(), message)
    }
}

/// `a, b and c`, each in backquotes.
pub fn list(words: &[&str]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    match quoted.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
        None => String::new(),
    }
}

impl Describe for Reader<'_> {
    fn number(
        &mut self,
        name: &'static str,
        value: &mut f32,
        range: RangeInclusive<f32>,
        _: &'static str,
    ) {
        let Some(word) = self.value(name, "a number") else { return };
        match word.text.parse::<f32>() {
            Ok(number) if range.contains(&number) => *value = number,
            Ok(_) => {
                let (low, high) = (range.start(), range.end());
                self.fail(&word.span, format!("`{name}` lies between {low} and {high}"));
            }
            Err(_) => self.fail(&word.span, format!("`{name}` is a number")),
        }
    }

    fn count(
        &mut self,
        name: &'static str,
        value: &mut u64,
        range: RangeInclusive<u64>,
        _: &'static str,
    ) {
        let Some(word) = self.value(name, "a whole number") else { return };
        match word.text.parse::<u64>() {
            Ok(number) if range.contains(&number) => *value = number,
            Ok(_) => {
                let (low, high) = (range.start(), range.end());
                self.fail(&word.span, format!("`{name}` lies between {low} and {high}"));
            }
            Err(_) => self.fail(&word.span, format!("`{name}` is a whole number")),
        }
    }

    fn flag(&mut self, name: &'static str, value: &mut bool, _: &'static str) {
        let Some(argument) = self.take(name) else { return };
        match argument.value.as_ref() {
            None => *value = true,
            Some(word) => match word.text.as_str() {
                "true" => *value = true,
                "false" => *value = false,
                _ => self.fail(&word.span, format!("`{name}` stands alone, without a value")),
            },
        }
    }

    fn choice(
        &mut self,
        name: &'static str,
        value: &mut usize,
        words: &'static [&'static str],
        _: &'static str,
    ) {
        let Some(word) = self.value(name, "a word") else { return };
        match words.iter().position(|known| *known == word.text) {
            Some(place) => *value = place,
            None => self.fail(&word.span, format!("`{name}` is one of {}", list(words))),
        }
    }

    fn text(&mut self, name: &'static str, value: &mut Option<String>, _: &'static str) {
        if let Some(word) = self.value(name, "a text") {
            *value = Some(word.text.clone());
        }
    }
}

/// Writes a part: its name, and the settings that are not what they usually are.
pub fn write(
    out: &mut String,
    name: &str,
    mut describe: impl FnMut(&mut dyn Describe),
    mut describe_usual: impl FnMut(&mut dyn Describe),
) {
    let mut usual = Writer::default();
    describe_usual(&mut usual);
    let mut ours = Writer::default();
    describe(&mut ours);
    let changed = ours.written.into_iter().filter(|(name, text)| {
        usual.written.iter().all(|(usual, usual_text)| usual != name || usual_text != text)
    });
    let changed: Vec<String> = changed.map(|(_, text)| text).filter(|t| !t.is_empty()).collect();
    out.push_str(name);
    if !changed.is_empty() {
        let _ = write!(out, "({})", changed.join(", "));
    }
}

/// Every setting as it would be written; empty where saying nothing says it.
#[derive(Default)]
struct Writer {
    written: Vec<(&'static str, String)>,
}

impl Describe for Writer {
    fn number(
        &mut self,
        name: &'static str,
        value: &mut f32,
        _: RangeInclusive<f32>,
        _: &'static str,
    ) {
        self.written.push((name, format!("{name}={value}")));
    }

    fn count(
        &mut self,
        name: &'static str,
        value: &mut u64,
        _: RangeInclusive<u64>,
        _: &'static str,
    ) {
        self.written.push((name, format!("{name}={value}")));
    }

    fn flag(&mut self, name: &'static str, value: &mut bool, _: &'static str) {
        self.written.push((name, if *value { name.to_string() } else { format!("{name}=false") }));
    }

    fn choice(
        &mut self,
        name: &'static str,
        value: &mut usize,
        words: &'static [&'static str],
        _: &'static str,
    ) {
        self.written.push((name, format!("{name}={}", words[*value])));
    }

    fn text(&mut self, name: &'static str, value: &mut Option<String>, _: &'static str) {
        let quoted = value
            .as_ref()
            .map(|text| format!("{name}=\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"")));
        self.written.push((name, quoted.unwrap_or_default()));
    }
}

/// One setting as people read about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingHelp {
    /// How it is written, with its usual value.
    pub usual: String,
    /// What it means, and which values it may have.
    pub help: String,
}

/// Lists the settings that `describe` shows.
pub fn help(describe: impl FnOnce(&mut dyn Describe)) -> Vec<SettingHelp> {
    let mut lister = Lister(Vec::new());
    describe(&mut lister);
    lister.0
}

struct Lister(Vec<SettingHelp>);

impl Lister {
    fn add(&mut self, usual: String, help: &str) {
        self.0.push(SettingHelp { usual, help: help.to_string() });
    }
}

impl Describe for Lister {
    fn number(
        &mut self,
        name: &'static str,
        value: &mut f32,
        range: RangeInclusive<f32>,
        help: &'static str,
    ) {
        let range = format!("{help}; {} to {}", range.start(), range.end());
        self.add(format!("{name}={value}"), &range);
    }

    fn count(
        &mut self,
        name: &'static str,
        value: &mut u64,
        range: RangeInclusive<u64>,
        help: &'static str,
    ) {
        let range = format!("{help}; {} to {}", range.start(), range.end());
        self.add(format!("{name}={value}"), &range);
    }

    fn flag(&mut self, name: &'static str, _: &mut bool, help: &'static str) {
        self.add(name.to_string(), help);
    }

    fn choice(
        &mut self,
        name: &'static str,
        value: &mut usize,
        words: &'static [&'static str],
        help: &'static str,
    ) {
        self.add(format!("{name}={}", words[*value]), &format!("{help}: {}", words.join(", ")));
    }

    fn text(&mut self, name: &'static str, _: &mut Option<String>, help: &'static str) {
        self.add(format!("{name}=\"…\""), help);
    }
}

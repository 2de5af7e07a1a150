//! The grammar: `name(word, word=value) + name + …`, with places.

use std::ops::Range;

use super::SpecError;

/// A word or value and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Word {
    pub text: String,
    pub span: Range<usize>,
}

/// `name` or `name=value`.
#[derive(Clone, Debug, PartialEq)]
pub struct Argument {
    pub name: Word,
    pub value: Option<Word>,
}

/// `name(arguments)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    pub name: Word,
    pub arguments: Vec<Argument>,
}

impl Part {
    /// The same with a first word by itself as the file: `evolved(best.toml)`.
    pub fn with_file_first(&self) -> Part {
        let mut part = self.clone();
        if let Some(first) = part.arguments.first_mut()
            && first.value.is_none()
        {
            let file = first.name.clone();
            let name = Word { text: "file".to_string(), span: file.span.clone() };
            *first = Argument { name, value: Some(file) };
        }
        part
    }
}

/// Longer texts are not agents.
const LONGEST: usize = 10_000;

/// Reads parts joined by `+`.
pub fn read_parts(text: &str) -> Result<Vec<Part>, SpecError> {
    if text.len() > LONGEST {
        let message = format!("an agent's text has at most {LONGEST} bytes");
        let start: String = text.chars().take(60).collect();
        let span = 0..start.len();
        return Err(SpecError { text: start, span, message });
    }
    let mut reader = Reader { text, at: 0 };
    let mut parts = vec![reader.part()?];
    while reader.eat('+') {
        parts.push(reader.part()?);
    }
    if reader.at < text.len() {
        return Err(reader.unexpected("`+` and another part, or the end"));
    }
    Ok(parts)
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn part(&mut self) -> Result<Part, SpecError> {
        let name = self.word("the name of a search or a policy")?;
        let mut arguments = Vec::new();
        if self.eat('(') && !self.eat(')') {
            loop {
                arguments.push(self.argument()?);
                if self.eat(')') {
                    break;
                }
                if !self.eat(',') {
                    return Err(self.unexpected("`,` or `)`"));
                }
            }
        }
        Ok(Part { name, arguments })
    }

    fn argument(&mut self) -> Result<Argument, SpecError> {
        let name = self.word("a setting")?;
        let value = match self.eat('=') {
            true if self.peek() == Some('"') => Some(self.quoted()?),
            true => Some(self.value()?),
            false => None,
        };
        Ok(Argument { name, value })
    }

    /// A word, or a part with its own brackets, such as `features(hex.toml)`.
    fn value(&mut self) -> Result<Word, SpecError> {
        let word = self.word("a value")?;
        if self.peek() != Some('(') {
            return Ok(word);
        }
        let rest = &self.text[self.at..];
        let Some(length) = rest.find(')') else {
            self.at = self.text.len();
            return Err(self.unexpected("`)`"));
        };
        self.at += length + 1;
        let span = word.span.start..self.at;
        Ok(Word { text: self.text[span.clone()].to_string(), span })
    }

    fn word(&mut self, expected: &str) -> Result<Word, SpecError> {
        self.skip_space();
        let rest = &self.text[self.at..];
        let inside = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/');
        let length = rest.find(|c| !inside(c)).unwrap_or(rest.len());
        if length == 0 {
            return Err(self.unexpected(expected));
        }
        let span = self.at..self.at + length;
        self.at = span.end;
        Ok(Word { text: self.text[span.clone()].to_string(), span })
    }

    /// A text between quotes; inside, `\"` is a quote and `\\` a backslash.
    fn quoted(&mut self) -> Result<Word, SpecError> {
        self.skip_space();
        let start = self.at;
        let mut text = String::new();
        let mut escaped = false;
        for (offset, c) in self.text[start + 1..].char_indices() {
            match c {
                _ if escaped => {
                    text.push(c);
                    escaped = false;
                }
                '\\' => escaped = true,
                '"' => {
                    self.at = start + offset + 2;
                    return Ok(Word { text, span: start..self.at });
                }
                c => text.push(c),
            }
        }
        self.at = self.text.len();
        let span = start..self.text.len();
        let message = "the quote is not closed".to_string();
        Err(SpecError { text: self.text.to_string(), span, message })
    }

    fn peek(&mut self) -> Option<char> {
        self.skip_space();
        self.text[self.at..].chars().next()
    }

    fn eat(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        if found {
            self.at += wanted.len_utf8();
        }
        found
    }

    fn skip_space(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
    }

    fn unexpected(&mut self, expected: &str) -> SpecError {
        let found = self.peek();
        let span = self.at..self.at + found.map_or(0, char::len_utf8);
        let message = match found {
            Some(found) => format!("expected {expected}, found `{found}`"),
            None => format!("expected {expected}, but the text ends"),
        };
        SpecError { text: self.text.to_string(), span, message }
    }
}

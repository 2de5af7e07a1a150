//! Interned names, with the keywords at fixed places.

use rustc_hash::FxHashMap;

/// An interned name: a constant, function, relation or variable name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Name(pub u32);

macro_rules! keywords {
    ($($(#[$doc:meta])* $variant:ident $text:literal,)*) => {
        /// Words with a meaning of their own. They are read without regard to case; every
        /// other word keeps its case.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Keyword { $($(#[$doc])* $variant,)* }

        /// All keywords with their text, in the order of their names' numbers.
        pub const KEYWORDS: &[(Keyword, &str)] = &[$((Keyword::$variant, $text),)*];
    };
}

keywords! {
    /// `role`
    Role "role",
    /// `init`
    Init "init",
    /// `true`
    True "true",
    /// `next`
    Next "next",
    /// `legal`
    Legal "legal",
    /// `does`
    Does "does",
    /// `goal`
    Goal "goal",
    /// `terminal`
    Terminal "terminal",
    /// `base`
    Base "base",
    /// `input`
    Input "input",
    /// `sees`, of GDL-II
    Sees "sees",
    /// `random`, the role that is chance
    Random "random",
    /// `distinct`
    Distinct "distinct",
    /// `not`
    Not "not",
    /// `or`
    Or "or",
}

impl Keyword {
    /// The interned name of the keyword.
    pub const fn name(self) -> Name {
        Name(self as u32)
    }

    /// Its text.
    pub fn text(self) -> &'static str {
        KEYWORDS[self as usize].1
    }

    /// How many arguments it takes as a relation, where it is one.
    pub fn arity(self) -> Option<usize> {
        match self {
            Keyword::Terminal => Some(0),
            Keyword::Role | Keyword::Init | Keyword::True | Keyword::Next | Keyword::Base => {
                Some(1)
            }
            Keyword::Legal | Keyword::Does | Keyword::Goal | Keyword::Input => Some(2),
            Keyword::Sees | Keyword::Distinct => Some(2),
            Keyword::Random | Keyword::Not | Keyword::Or => None,
        }
    }
}

/// The table of names.
#[derive(Clone, Debug)]
pub struct Names {
    texts: Vec<Box<str>>,
    index: FxHashMap<Box<str>, Name>,
}

impl Default for Names {
    fn default() -> Self {
        let mut names = Names { texts: Vec::new(), index: FxHashMap::default() };
        for (_, text) in KEYWORDS {
            names.add(text);
        }
        names
    }
}

impl Names {
    /// The name of a word as GDL reads it: keywords in any case, all else as written.
    pub fn intern(&mut self, word: &str) -> Name {
        if let Some(&name) = self.index.get(word) {
            return name;
        }
        match KEYWORDS.iter().find(|(_, text)| text.eq_ignore_ascii_case(word)) {
            Some((keyword, _)) => keyword.name(),
            None => self.add(word),
        }
    }

    fn add(&mut self, word: &str) -> Name {
        let name = Name(self.texts.len() as u32);
        self.texts.push(word.into());
        self.index.insert(word.into(), name);
        name
    }

    /// The name of a word, if it occurs in the rules.
    pub fn find(&self, word: &str) -> Option<Name> {
        let exact = self.index.get(word).copied();
        exact.or_else(|| {
            let found = KEYWORDS.iter().find(|(_, text)| text.eq_ignore_ascii_case(word));
            found.map(|(keyword, _)| keyword.name())
        })
    }

    /// The text of a name.
    pub fn text(&self, name: Name) -> &str {
        &self.texts[name.0 as usize]
    }

    /// How many names there are.
    pub fn len(&self) -> usize {
        self.texts.len()
    }

    /// Never true: the keywords are always there.
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_ignore_case_and_other_words_keep_it() {
        let mut names = Names::default();
        assert_eq!(names.intern("TRUE"), Keyword::True.name());
        assert_ne!(names.intern("Cell"), names.intern("cell"));
        assert_eq!(names.find("Distinct"), Some(Keyword::Distinct.name()));
        assert_eq!(names.find("nowhere"), None);
    }
}

//! Facts as flat tables that joins can walk.
//!
//! A condition such as `(true (cell ?x ?y b))` looks at the facts of `true` through a *view*: a
//! table with one column for each place of the condition's shape that is not a function, here
//! `?x`, `?y` and `b`. Joins therefore never take terms apart, and nested terms cost nothing
//! extra. A view keeps an index for each set of columns that some join looks facts up by.

use std::hash::Hasher;

use ludex_lang::kif::{Name, Term};
use rustc_hash::{FxHashMap, FxHasher};

use super::terms::{TermId, Terms};

/// The shape of a term in a condition: where its functions are.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    /// Anything: one column.
    Column,
    /// A function with arguments.
    Func(Name, Box<[Shape]>),
}

impl Shape {
    /// The shape of a term; terms without variables are single columns.
    pub fn of(term: &Term) -> Shape {
        match term {
            Term::Func(name, args) if !term.is_ground() => {
                Shape::Func(*name, args.iter().map(Shape::of).collect())
            }
            _ => Shape::Column,
        }
    }
}

const NONE: u32 = u32::MAX;

/// Rows with some columns equal to a key, found through a hash table and chains.
#[derive(Clone, Debug)]
struct Index {
    columns: Box<[usize]>,
    first: FxHashMap<u64, u32>,
    next: Vec<u32>,
}

/// A table of the facts of one relation that have one shape.
#[derive(Clone, Debug)]
pub struct View {
    shapes: Box<[Shape]>,
    width: usize,
    rows: Vec<u32>,
    indexes: Vec<Index>,
}

/// Numbers beside the columns in each row: the atom and its age.
const EXTRA: usize = 2;

impl View {
    fn stride(&self) -> usize {
        self.width + EXTRA
    }

    /// How many facts there are.
    pub fn len(&self) -> usize {
        self.rows.len() / self.stride()
    }

    /// The columns of a row.
    #[inline]
    pub fn columns(&self, row: u32) -> &[u32] {
        let at = row as usize * self.stride();
        &self.rows[at..at + self.width]
    }

    /// The atom of a row.
    #[inline]
    pub fn atom(&self, row: u32) -> TermId {
        self.rows[row as usize * self.stride() + self.width]
    }

    /// When the row's fact was added; smaller is older.
    #[inline]
    pub fn age(&self, row: u32) -> u32 {
        self.rows[row as usize * self.stride() + self.width + 1]
    }

    /// The newest row whose `index` columns hash like `key`.
    #[inline]
    pub fn first(&self, index: usize, key: u64) -> Option<u32> {
        self.indexes[index].first.get(&key).copied()
    }

    /// The next older row that hashes alike.
    #[inline]
    pub fn next(&self, index: usize, row: u32) -> Option<u32> {
        let next = self.indexes[index].next[row as usize];
        (next != NONE).then_some(next)
    }

    fn index_on(&mut self, columns: &[usize]) -> usize {
        if let Some(known) = self.indexes.iter().position(|index| *index.columns == *columns) {
            return known;
        }
        self.indexes.push(Index {
            columns: columns.into(),
            first: FxHashMap::default(),
            next: Vec::new(),
        });
        let index = self.indexes.len() - 1;
        for row in 0..self.len() as u32 {
            self.enter(index, row);
        }
        index
    }

    fn enter(&mut self, index: usize, row: u32) {
        let at = row as usize * self.stride();
        let Index { columns, first, next } = &mut self.indexes[index];
        let key = key_of(columns.iter().map(|&column| self.rows[at + column]));
        let before = first.insert(key, row).unwrap_or(NONE);
        debug_assert_eq!(next.len(), row as usize);
        next.push(before);
    }

    fn clear(&mut self) {
        self.rows.clear();
        for index in &mut self.indexes {
            index.first.clear();
            index.next.clear();
        }
    }
}

/// The hash of the values of an index's columns.
#[inline]
pub fn key_of(values: impl Iterator<Item = u32>) -> u64 {
    let mut hasher = FxHasher::default();
    for value in values {
        hasher.write_u32(value);
    }
    hasher.finish()
}

/// Which view of the store.
pub type ViewId = usize;

/// All facts: the terms, which atoms hold, and the views.
#[derive(Clone, Debug, Default)]
pub struct Store {
    /// Terms and atoms.
    pub terms: Terms,
    holds: Vec<bool>,
    views: Vec<View>,
    views_of: FxHashMap<Name, Vec<ViewId>>,
    facts_of: FxHashMap<Name, Vec<TermId>>,
    age: u32,
}

impl Store {
    /// The view of a relation through these shapes, made if it is new.
    pub fn view(&mut self, relation: Name, shapes: &[Shape]) -> ViewId {
        let known = self.views_of.get(&relation).into_iter().flatten();
        if let Some(&id) = known.clone().find(|&&id| *self.views[id].shapes == *shapes) {
            return id;
        }
        let id = self.views.len();
        let width = shapes.iter().map(column_count).sum();
        self.views.push(View {
            shapes: shapes.into(),
            width,
            rows: Vec::new(),
            indexes: Vec::new(),
        });
        self.views_of.entry(relation).or_default().push(id);
        let ages = self.facts_of.get(&relation).cloned().unwrap_or_default();
        for (age, atom) in ages.into_iter().enumerate() {
            // Facts that were there before are older than all that will be added.
            self.enter(id, atom, age as u32);
        }
        id
    }

    /// The index of a view on these columns, made if it is new.
    pub fn index(&mut self, view: ViewId, columns: &[usize]) -> usize {
        self.views[view].index_on(columns)
    }

    /// A view to read.
    #[inline]
    pub fn read(&self, view: ViewId) -> &View {
        &self.views[view]
    }

    /// Whether the atom holds.
    #[inline]
    pub fn holds(&self, atom: TermId) -> bool {
        self.holds.get(atom as usize).copied().unwrap_or(false)
    }

    /// The atoms of a relation that hold, oldest first.
    pub fn facts(&self, relation: Name) -> &[TermId] {
        self.facts_of.get(&relation).map_or(&[], Vec::as_slice)
    }

    /// Notes that an atom holds; `false` if that was known. Joins see it after [`Store::show`].
    pub fn add(&mut self, atom: TermId) -> bool {
        if self.holds.len() <= atom as usize {
            self.holds.resize(self.terms.len().max(atom as usize + 1), false);
        }
        !std::mem::replace(&mut self.holds[atom as usize], true)
    }

    /// Forgets an atom that was added and not shown.
    pub fn take_back(&mut self, atom: TermId) {
        self.holds[atom as usize] = false;
    }

    /// Lets joins see a fact that was added; returns its age.
    pub fn show(&mut self, atom: TermId) -> u32 {
        let relation = Name(self.terms.row(atom)[0]);
        self.age += 1;
        let age = self.age;
        self.facts_of.entry(relation).or_default().push(atom);
        for at in 0..self.views_of.get(&relation).map_or(0, Vec::len) {
            let view = self.views_of[&relation][at];
            self.enter(view, atom, age);
        }
        age
    }

    /// Adds a fact and shows it at once.
    pub fn insert(&mut self, atom: TermId) {
        if self.add(atom) {
            self.show(atom);
        }
    }

    /// The row of an atom in a view just after it was shown, if it has the view's shape.
    pub fn newest_row(&self, view: ViewId, atom: TermId) -> Option<u32> {
        let last = (self.views[view].len() as u32).checked_sub(1)?;
        (self.views[view].atom(last) == atom).then_some(last)
    }

    /// Forgets all facts of the relation.
    pub fn clear(&mut self, relation: Name) {
        for atom in self.facts_of.get_mut(&relation).map(std::mem::take).unwrap_or_default() {
            self.holds[atom as usize] = false;
        }
        for &view in self.views_of.get(&relation).into_iter().flatten() {
            self.views[view].clear();
        }
    }

    fn enter(&mut self, view: ViewId, atom: TermId, age: u32) {
        let Store { terms, views, .. } = self;
        let view = &mut views[view];
        let row = view.len() as u32;
        let before = view.rows.len();
        let args = terms.args(atom);
        let fits = args.len() == view.shapes.len()
            && args
                .iter()
                .zip(&view.shapes)
                .all(|(&arg, shape)| flatten(terms, arg, shape, &mut view.rows));
        if !fits {
            view.rows.truncate(before);
            return;
        }
        view.rows.extend([atom, age]);
        for index in 0..view.indexes.len() {
            view.enter(index, row);
        }
    }
}

fn column_count(shape: &Shape) -> usize {
    match shape {
        Shape::Column => 1,
        Shape::Func(_, args) => args.iter().map(column_count).sum(),
    }
}

fn flatten(terms: &Terms, term: TermId, shape: &Shape, out: &mut Vec<u32>) -> bool {
    match shape {
        Shape::Column => {
            out.push(term);
            true
        }
        Shape::Func(name, shapes) => {
            let row = terms.row(term);
            row[0] == name.0
                && row.len() == shapes.len() + 1
                && row[1..].iter().zip(shapes).all(|(&arg, shape)| flatten(terms, arg, shape, out))
        }
    }
}

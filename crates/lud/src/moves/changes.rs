//! What the changes of pieces do to a position.

use crate::action::{Change, NONE};
use crate::ctx::Ctx;
use crate::layer::Piece;
use crate::topo::SiteType;

impl Ctx<'_> {
    /// Applies one change.
    pub fn apply_change(&mut self, change: &Change) {
        match change {
            Change::Move { .. } => self.move_piece(change),
            Change::MoveN { kind_from, from, kind_to, to, count } => {
                self.move_several((*kind_from, *from), (*kind_to, *to), *count)
            }
            Change::StackMove { kind_from, from, kind_to, to, levels } => {
                self.move_levels((*kind_from, *from), (*kind_to, *to), *levels)
            }
            Change::Copy { kind_from, from, kind_to, to, .. } => {
                self.copy_piece((*kind_from, *from), (*kind_to, *to))
            }
            Change::Add { .. } => self.add_piece(change),
            Change::Insert { kind, to, level, what, state } => {
                let piece = Piece {
                    what: *what as u16,
                    count: 1,
                    state: (*state).max(0) as i16,
                    ..Piece::default()
                };
                let kind = self.g.kind_at(Some(*kind), *to);
                self.insert_owned(kind, *to, *level, *what);
                self.s.layers[kind as usize].insert(*to, *level, piece);
            }
            Change::Remove { kind, to, level, applied } => {
                self.remove_piece(*kind, *to, *level, *applied)
            }
            Change::Promote { kind, to, what } => {
                self.promote_piece(*kind, *to, *what);
            }
            Change::SetCount { kind, to, what, count } => self.set_count(*kind, *to, *what, *count),
            Change::SetState { kind, to, level, state } => {
                self.set_channel(*kind, *to, *level, |p| p.state = *state as i16)
            }
            Change::SetRotation { kind, to, rotation } => {
                self.set_channel(*kind, *to, NONE, |p| p.rotation = *rotation as i16);
            }
            Change::SetValue { kind, to, level, value } => {
                let kind = self.g.kind_at(Some(*kind), *to);
                self.set_channel(kind, *to, *level, |p| p.value = *value)
            }
            Change::Assign { kind, site, value } => self.assign(*kind, *site, *value),
            _ => self.apply_other(change),
        }
    }

    /// A site of a puzzle gets a value: the piece that stands for it.
    fn assign(&mut self, kind: SiteType, to: i32, value: i32) {
        let Some(puzzle) = &self.g.puzzle else {
            return;
        };
        let what = puzzle.piece(value);
        if self.what(kind, to) != 0 {
            return self.promote_piece(kind, to, what);
        }
        let (state, rotation, value) = (NONE, NONE, NONE);
        let stack = false;
        self.add_piece(&Change::Add { kind, to, what, count: 1, state, rotation, value, stack });
    }

    fn set_channel(&mut self, kind: SiteType, to: i32, level: i32, set: impl FnOnce(&mut Piece)) {
        if to < 0 {
            return;
        }
        let kind = self.g.kind_at(Some(kind), to);
        let layer = &mut self.s.layers[kind as usize];
        if level >= 0 && self.g.stacking {
            let stack = layer.stacks.get_mut(to as usize);
            if let Some(piece) = stack.and_then(|s| s.get_mut(level as usize)) {
                set(piece);
            }
        } else {
            layer.update(to, set);
        }
    }

    fn move_piece(&mut self, change: &Change) {
        let &Change::Move {
            kind_from,
            from,
            level_from,
            kind_to,
            to,
            level_to,
            state,
            rotation,
            value,
            stack,
        } = change
        else {
            return;
        };
        let kind_from = self.g.kind_at(Some(kind_from), from);
        let kind_to = self.g.kind_at(Some(kind_to), to);
        if self.g.stacking {
            if from != to {
                let source = (kind_from, from, level_from);
                let set = [state, rotation, value];
                self.move_in_stacks(source, (kind_to, to, level_to), set, stack);
            }
            return;
        }
        let old = self.s.layers[kind_from as usize].top(from);
        if old.what == 0 && old.count == 0 {
            return;
        }
        let moved = i32::from(old.what);
        let large = self.g.large_pieces && self.is_large(moved);
        if large && old.count <= 1 {
            let cells = self.covered(moved, from, i32::from(old.state));
            self.uncover(&cells);
        }
        let source = &mut self.s.layers[kind_from as usize];
        if old.count <= 1 {
            source.remove_top(from);
            self.s.owned.remove(moved, kind_from, from);
        } else {
            source.update(from, |p| p.count -= 1);
        }
        let counts = self.g.counts;
        let there = self.s.layers[kind_to as usize].top(to);
        if there.what != 0 && (!counts || there.what != old.what) {
            self.s.owned.remove(i32::from(there.what), kind_to, to);
        }
        self.s.layers[kind_to as usize].update(to, |p| {
            if old.what != 0 || state != NONE {
                p.state = if state == NONE { old.state } else { state as i16 };
            }
            p.rotation = if rotation == NONE { old.rotation } else { rotation as i16 };
            p.value = if value == NONE { old.value } else { value };
            if p.what == old.what && p.count > 0 {
                p.count = if counts { p.count + 1 } else { 1 };
            } else {
                p.what = old.what;
                p.count = 1;
            }
        });
        if self.s.layers[kind_to as usize].top(to).count == 1 {
            self.s.owned.add(moved, kind_to, to, 0);
        }
        if large {
            let cells = self.covered(moved, to, state);
            self.cover(moved, &cells);
        }
        if self.g.hides {
            self.carry_hidden((kind_from, from), (kind_to, to));
        }
        self.follow_tracks(old.what, from, to, 1);
    }

    /// What is hidden of a piece goes with it.
    fn carry_hidden(&mut self, source: (SiteType, i32), target: (SiteType, i32)) {
        let emptied = self.s.layer(source.0).top(source.1).what == 0;
        let at = |place: (SiteType, i32), h: &(u8, SiteType, i32, i32, u8)| {
            (h.1, h.2) == place && h.3 == 0
        };
        let hidden = &mut self.s.hidden;
        let moved: Vec<_> = hidden.iter().filter(|h| at(source, h)).copied().collect();
        hidden.retain(|h| !(at(target, h) || emptied && at(source, h)));
        hidden.extend(moved.into_iter().map(|h| (h.0, target.0, target.1, 0, h.4)));
        hidden.sort_unstable_by_key(|&(w, k, t, l, d)| (w, k as u8, t, l, d));
        hidden.dedup();
    }

    fn promote_piece(&mut self, kind: SiteType, to: i32, what: i32) {
        let kind = self.g.kind_at(Some(kind), to);
        let layer = &mut self.s.layers[kind as usize];
        let old = layer.remove_top(to);
        let level = layer.height(to);
        let piece = Piece { what: what as u16, count: 1, ..Piece::default() };
        if self.g.stacking {
            layer.push(to, piece);
        } else {
            layer.update(to, |p| *p = piece);
        }
        // Pieces of nobody are not followed here.
        if self.g.owner(old.what) != 0 && self.g.stacking {
            // The only piece of a site stays entered.
            if level > 0 {
                self.s.owned.remove_level(i32::from(old.what), kind, to, level);
            }
        } else if self.g.owner(old.what) != 0 {
            self.s.owned.remove(i32::from(old.what), kind, to);
        }
        if self.g.owner(what as u16) != 0 {
            self.s.owned.add(what, kind, to, level);
        }
    }

    /// A piece comes at a level of a stack: those from there on are entered anew, one higher.
    fn insert_owned(&mut self, kind: SiteType, to: i32, level: i32, what: i32) {
        let height = self.s.layers[kind as usize].height(to);
        for at in (level..height).rev() {
            let above = i32::from(self.s.layers[kind as usize].at(to, at).what);
            self.s.owned.remove_only(above, kind, to, at);
            self.s.owned.add(above, kind, to, at + 1);
        }
        self.s.owned.add(what, kind, to, level);
    }

    fn move_in_stacks(
        &mut self,
        (kind_from, from, level_from): (SiteType, i32, i32),
        (kind_to, to, level_to): (SiteType, i32, i32),
        [state, rotation, value]: [i32; 3],
        whole: bool,
    ) {
        if whole {
            let pieces = self.s.layers[kind_from as usize].remove_stack(from);
            for piece in pieces.iter().filter(|piece| self.g.owner(piece.what) != 0) {
                self.s.owned.remove(i32::from(piece.what), kind_from, from);
            }
            let moved = pieces.len() as i32;
            let target = &mut self.s.layers[kind_to as usize];
            for piece in pieces {
                if level_to == NONE {
                    target.push(to, piece);
                } else {
                    let plain = Piece { what: piece.what, count: 1, ..Piece::default() };
                    target.insert(to, level_to, plain);
                }
            }
            let height = target.height(to);
            for level in (height - moved).max(0)..height {
                let what = self.s.layers[kind_to as usize].at(to, level).what;
                if self.g.owner(what) != 0 {
                    self.s.owned.add(i32::from(what), kind_to, to, level);
                }
            }
            return;
        }
        let layer = &mut self.s.layers[kind_from as usize];
        let old = if level_from >= 0 {
            layer.remove_level(from, level_from)
        } else {
            layer.remove_top(from)
        };
        if self.g.large_stacks {
            layer.left.clear();
        }
        if old.what == 0 {
            // Nothing was moved, yet the reference puts that nothing on the stack.
            if level_to < 0 {
                let nothing = Piece { count: 1, ..Piece::default() };
                self.s.layers[kind_to as usize].push(to, nothing);
            }
            return;
        }
        let choose = |given: i32, kept: i32| if given == NONE { kept } else { given };
        let keeps = level_from >= 0 && level_to < 0;
        let piece = Piece {
            what: old.what,
            count: 1,
            state: choose(state, if keeps { i32::from(old.state) } else { 0 }) as i16,
            rotation: choose(rotation, if keeps { i32::from(old.rotation) } else { 0 }) as i16,
            value: choose(value, if keeps { old.value } else { 0 }),
        };
        let left_from = self.s.layers[kind_from as usize].height(from);
        let taken = if level_from >= 0 { level_from } else { left_from };
        let what = i32::from(old.what);
        if level_to >= 0 && level_from >= 0 {
            self.insert_owned(kind_to, to, level_to, what);
        }
        let target = &mut self.s.layers[kind_to as usize];
        if level_to < 0 && level_from < 0 {
            target.push_plain(to, old.what);
        } else if level_to >= 0 {
            target.insert(to, level_to, piece);
        } else {
            target.push(to, piece);
        }
        if level_to < 0 || level_from < 0 {
            let top = target.height(to) - 1;
            self.s.owned.add(what, kind_to, to, top);
        }
        self.s.owned.remove_level(what, kind_from, from, taken);
        self.follow_tracks(old.what, from, to, 1);
    }

    fn move_several(&mut self, source: (SiteType, i32), target: (SiteType, i32), count: i32) {
        let kind_from = self.g.kind_at(Some(source.0), source.1);
        let kind_to = self.g.kind_at(Some(target.0), target.1);
        let old = self.s.layers[kind_from as usize].top(source.1);
        let layer = &mut self.s.layers[kind_from as usize];
        if i32::from(old.count) - count <= 0 {
            layer.remove_top(source.1);
        } else {
            layer.update(source.1, |p| p.count -= count as u16);
        }
        self.s.layers[kind_to as usize].update(target.1, |p| {
            if p.count == 0 {
                p.what = old.what;
                p.count = count.max(0) as u16;
            } else if p.what == old.what {
                p.count += count.max(0) as u16;
            }
        });
        let what = i32::from(old.what);
        if self.g.owner(old.what) != 0 {
            if self.s.layers[kind_from as usize].top(source.1).count == 0 {
                self.s.owned.remove(what, kind_from, source.1);
            }
            // It is entered even where some of it was there before.
            self.s.owned.add(what, kind_to, target.1, 0);
        }
        self.follow_tracks(old.what, source.1, target.1, count);
    }

    fn move_levels(&mut self, source: (SiteType, i32), target: (SiteType, i32), levels: i32) {
        let kind_from = self.g.kind_at(Some(source.0), source.1);
        let kind_to = self.g.kind_at(Some(target.0), target.1);
        if self.height(Some(kind_from), source.1) < levels {
            return;
        }
        let mut taken: Vec<Piece> = Vec::new();
        for _ in 0..levels {
            let piece = self.s.layers[kind_from as usize].remove_top(source.1);
            let level = self.s.layers[kind_from as usize].height(source.1);
            self.s.owned.remove_level(i32::from(piece.what), kind_from, source.1, level);
            taken.push(piece);
        }
        for piece in taken.into_iter().rev() {
            self.s.layers[kind_to as usize].push(target.1, piece);
            let level = self.s.layers[kind_to as usize].height(target.1) - 1;
            self.s.owned.add(i32::from(piece.what), kind_to, target.1, level);
        }
    }

    fn copy_piece(&mut self, source: (SiteType, i32), target: (SiteType, i32)) {
        let kind_from = self.g.kind_at(Some(source.0), source.1);
        let old = self.s.layers[kind_from as usize].top(source.1);
        self.move_piece(&Change::Move {
            kind_from,
            from: source.1,
            level_from: NONE,
            kind_to: target.0,
            to: target.1,
            level_to: NONE,
            state: NONE,
            rotation: NONE,
            value: NONE,
            stack: false,
        });
        let kind_to = self.g.kind_at(Some(target.0), target.1);
        let new = self.s.layers[kind_to as usize].top(target.1);
        if self.g.stacking {
            let piece = Piece { what: new.what, count: 1, ..Piece::default() };
            self.s.layers[kind_from as usize].push(source.1, piece);
        } else {
            let count = old.count;
            self.s.layers[kind_from as usize].update(source.1, |p| *p = Piece { count, ..new });
        }
        let level = self.height(Some(kind_from), source.1) - 1;
        self.s.owned.add(i32::from(new.what), kind_from, source.1, level.max(0));
    }

    fn add_piece(&mut self, change: &Change) {
        let &Change::Add { kind, to, what, count, state, rotation, value, .. } = change else {
            return;
        };
        if to < 0 {
            return;
        }
        let kind = self.g.kind_at(Some(kind), to);
        let counts = self.g.counts;
        let stacking = self.g.stacking;
        let layer = &mut self.s.layers[kind as usize];
        let alone = layer.top(to).what == 0;
        if stacking {
            self.s.owned.add(what, kind, to, layer.height(to));
        } else if layer.top(to).what == 0 {
            self.s.owned.add(what, kind, to, 0);
        }
        if stacking && state == NONE && rotation == NONE && value == NONE {
            layer.push_plain(to, what as u16);
        } else if stacking {
            let piece = Piece {
                what: what as u16,
                count: 1,
                state: state.max(0) as i16,
                rotation: rotation.max(0) as i16,
                value: value.max(0),
            };
            layer.push(to, piece);
        } else {
            layer.update(to, |p| {
                if p.what == 0 {
                    p.what = what as u16;
                    p.count = if what > 0 || counts { count.max(0) as u16 } else { 0 };
                } else {
                    p.count = if counts { p.count + count.max(0) as u16 } else { 1 };
                }
                if state != NONE {
                    p.state = state as i16;
                }
                if rotation != NONE {
                    p.rotation = rotation as i16;
                }
                if value != NONE {
                    p.value = value;
                }
            });
        }
        if alone && self.g.large_pieces && self.is_large(what) {
            let cells = self.covered(what, to, state);
            self.cover(what, &cells);
        }
        // On stacks the reference counts a new piece twice.
        let entered = if stacking { 2 * count } else { count };
        self.enter_tracks(what as u16, to, entered);
    }

    fn remove_piece(&mut self, kind: SiteType, to: i32, level: i32, applied: bool) {
        if !applied {
            self.s.to_remove.push(to);
            return;
        }
        if to < 0 {
            return;
        }
        let kind = self.g.kind_at(Some(kind), to);
        let layer = &mut self.s.layers[kind as usize];
        let old = if level >= 0 && self.g.stacking {
            layer.remove_level(to, level)
        } else {
            layer.remove_top(to)
        };
        if self.g.large_stacks {
            layer.left.clear();
        }
        let what = i32::from(old.what);
        if self.g.stacking {
            let level = if level >= 0 { level } else { layer.height(to) };
            self.s.owned.remove_level(what, kind, to, level);
        } else {
            self.s.owned.remove(what, kind, to);
        }
        self.leave_tracks(old.what, to);
    }

    fn set_count(&mut self, kind: SiteType, to: i32, what: i32, count: i32) {
        if to < 0 {
            return;
        }
        let kind = self.g.kind_at(Some(kind), to);
        let layer = &mut self.s.layers[kind as usize];
        if count > 0 && layer.top(to).count == 0 {
            self.s.owned.add(what, kind, to, 0);
        }
        if count > 0 {
            layer.update(to, |p| {
                p.what = what as u16;
                p.count = count as u16;
            });
        } else {
            let old = layer.remove_top(to);
            self.s.owned.remove(i32::from(old.what), kind, to);
            self.leave_tracks(old.what, to);
        }
    }
}

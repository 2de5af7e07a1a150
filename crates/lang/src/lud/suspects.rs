//! Where a bracket or quotation mark was probably forgotten, told by the way the text is laid out.

/// A bracket that is open when a line starts no deeper than the line the bracket stands on.
pub fn left_open(text: &str) -> Option<usize> {
    let mut open: Vec<(usize, usize, usize)> = Vec::new();
    for (number, (start, line)) in lines(text).enumerate() {
        let indent = line.len() - line.trim_start().len();
        let opens = line.trim_start().starts_with(['(', '{']);
        if let Some(&(at, its_line, its_indent)) = open.last()
            && opens
            && its_line < number
            && indent <= its_indent
        {
            return Some(at);
        }
        for (at, bracket) in brackets(line) {
            match bracket {
                '(' | '{' => open.push((start + at, number, indent)),
                _ => drop(open.pop()),
            }
        }
    }
    None
}

/// The first string that goes on over the end of a line.
pub fn string_over_lines(text: &str) -> Option<usize> {
    for (start, line) in lines(text) {
        let mut quote = None;
        let mut escaped = false;
        for (at, c) in line.char_indices() {
            match c {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                '"' => quote = if quote.is_some() { None } else { Some(start + at) },
                '/' if quote.is_none() && line[at..].starts_with("//") => break,
                _ => {}
            }
        }
        if quote.is_some() {
            return quote;
        }
    }
    None
}

/// Lines with the byte each starts at.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut start = 0;
    text.split_inclusive('\n').map(move |line| {
        let at = start;
        start += line.len();
        (at, line)
    })
}

/// The brackets of a line outside of strings and comments.
fn brackets(line: &str) -> impl Iterator<Item = (usize, char)> {
    let code = line.split("//").next().unwrap_or("");
    let mut quoted = false;
    code.char_indices().filter(move |(_, c)| {
        if *c == '"' {
            quoted = !quoted;
        }
        !quoted && matches!(c, '(' | ')' | '{' | '}')
    })
}

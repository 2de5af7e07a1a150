//! The smallest reader of bracketed descriptions, for this test alone.

use ludex_board::Place;
use ludex_board::expr::{Arg, Expr, ExprKind};

/// Reads one expression written with blanks around every bracket.
pub fn expression(text: &str) -> Result<Expr, String> {
    let mut tokens = tokens(text).into_iter().peekable();
    value(&mut tokens)
}

type Tokens = std::iter::Peekable<std::vec::IntoIter<String>>;

fn tokens(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = text.trim();
    while let Some(first) = rest.chars().next() {
        let end = match first {
            '"' => rest[1..].find('"').map_or(rest.len(), |n| n + 2),
            _ => rest.find(char::is_whitespace).unwrap_or(rest.len()),
        };
        let mut token = &rest[..end];
        if first != '"'
            && let Some(colon) = token.find(':')
            && colon + 1 < token.len()
        {
            found.push(token[..=colon].to_string());
            token = &token[colon + 1..];
        }
        found.push(token.to_string());
        rest = rest[end..].trim_start();
    }
    found
}

fn node(kind: ExprKind) -> Expr {
    Expr { at: Place::default(), kind }
}

fn value(tokens: &mut Tokens) -> Result<Expr, String> {
    let token = tokens.next().ok_or("text ends too early")?;
    match token.as_str() {
        "(" => {
            let name = tokens.next().ok_or("no name")?;
            let mut args = Vec::new();
            while tokens.peek().is_some_and(|t| t != ")") {
                let named = tokens.next_if(|t| t.ends_with(':'));
                let name = named.map(|n| n.trim_end_matches(':').to_string());
                let value = value(tokens)?;
                args.push(Arg { name, value });
            }
            tokens.next();
            Ok(node(ExprKind::Call { name, args }))
        }
        "{" => {
            let mut items = Vec::new();
            while tokens.peek().is_some_and(|t| t != "}") {
                items.push(value(tokens)?);
            }
            tokens.next();
            Ok(node(ExprKind::List(items)))
        }
        text if text.starts_with('"') => {
            Ok(node(ExprKind::Text(text.trim_matches('"').to_string())))
        }
        word => Ok(node(match word.parse() {
            Ok(number) => ExprKind::Number(number),
            Err(_) => ExprKind::Word(word.to_string()),
        })),
    }
}

//! `ludex reproduce features/NAME`: the figures of the paper, checked, with pictures.

use std::io::Write;
use std::path::PathBuf;

use anyhow::bail;
use ludex_arena::features::figures::{FIGURES, figure};

use super::learn::write_whole;

/// Makes one figure, or all of them: says what holds and writes pictures to a folder.
pub fn figures(name: &str, out: &mut dyn Write) -> anyhow::Result<()> {
    let names: Vec<&str> = if name == "all" { FIGURES.to_vec() } else { vec![name] };
    let mut broken = 0;
    for name in names {
        let figure = figure(name)?;
        writeln!(out, "{}", figure.title)?;
        for (claim, found, holds) in &figure.claims {
            let mark = if *holds { "ok    " } else { "FAILED" };
            writeln!(out, "  {mark} {claim}: {found}")?;
            broken += usize::from(!holds);
        }
        let folder = PathBuf::from(format!("features-{}", figure.name));
        std::fs::create_dir_all(&folder)?;
        for (board, picture) in &figure.pictures {
            write_whole(&folder.join(format!("{board}.svg")), picture)?;
        }
        writeln!(out, "  {} pictures in {}", figure.pictures.len(), folder.display())?;
    }
    if broken > 0 {
        bail!("{broken} claims do not hold");
    }
    Ok(())
}

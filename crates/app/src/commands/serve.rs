//! `ludex serve`: the web page.

use std::io::Write;
use std::net::SocketAddr;

use ludex_web::page::{Folders, Settings, run as serve};

use crate::cli::ServeArgs;

pub fn run(args: &ServeArgs, out: &mut dyn Write) -> anyhow::Result<()> {
    let settings = Settings {
        address: SocketAddr::new(args.address, args.port),
        folders: Folders {
            library: args.library.clone(),
            experiments: args.experiments.clone(),
            agents: args.agents.clone(),
        },
        seed: args.seed,
    };
    if !args.address.is_loopback() {
        eprintln!("warning: whoever reaches this machine and knows the link can use the page");
    }
    let quiet = args.quiet;
    let mut said = Ok(());
    serve(settings, |link| {
        said =
            writeln!(out, "Ludex is at\n\n  {link}\n\nCtrl-C ends it.").and_then(|()| out.flush());
        if !quiet {
            open_browser(link);
        }
    })?;
    Ok(said?)
}

/// Opens the link where the machine has a way to do so; where it has none, the printed link will do.
fn open_browser(link: &str) {
    let opener = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    let command = std::process::Command::new(opener)
        .arg(link)
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn();
    drop(command);
}

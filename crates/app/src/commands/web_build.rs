//! `ludex web-build`: the page as static files, with the engine as WebAssembly.

use std::env;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail};
use ludex_web::page::static_files;

use crate::cli::WebBuildArgs;

const TARGET: &str = "wasm32-unknown-unknown";
const PROFILE: &str = "web";

/// Room for the stack, as on other machines. No vectors: sets of one or two words become slower by them, not faster.
const FLAGS: &str = "-C link-arg=-zstack-size=8388608";

pub fn run(args: &WebBuildArgs, out: &mut dyn Write) -> anyhow::Result<()> {
    let sources = sources(args.sources.as_deref())?;
    check_target(&sources)?;
    writeln!(out, "Compiling the engine for {TARGET}; this takes some minutes.")?;
    out.flush()?;
    let engine = shrink(compile(&sources)?, out)?;
    let folder = &args.folder;
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let write = |name: &str, bytes: &[u8]| {
        let file = folder.join(name);
        fs::write(&file, bytes).with_context(|| format!("cannot write {}", file.display()))
    };
    for (name, text) in static_files() {
        write(name, text.as_bytes())?;
    }
    let engine = fs::read(&engine).with_context(|| format!("cannot read {}", engine.display()))?;
    write("engine.wasm", &engine)?;
    writeln!(out, "{}: the page, and an engine of {} kB", folder.display(), engine.len() / 1000)?;
    writeln!(
        out,
        "Any server of static files shows it: python3 -m http.server --directory {}",
        folder.display()
    )?;
    Ok(())
}

/// The checkout that the engine is compiled from.
fn sources(given: Option<&Path>) -> anyhow::Result<PathBuf> {
    let has = |folder: &&Path| folder.join("crates/desk/Cargo.toml").is_file();
    if let Some(folder) = given {
        return match has(&folder) {
            true => Ok(folder.to_path_buf()),
            false => bail!("{} is not a checkout of Ludex", folder.display()),
        };
    }
    let here = env::current_dir()?;
    match here.ancestors().find(has) {
        Some(folder) => Ok(folder.to_path_buf()),
        None => bail!(
            "the engine is compiled from the sources: run this in a checkout of Ludex, or name one with --sources"
        ),
    }
}

fn cargo() -> std::ffi::OsString {
    env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
}

/// Says how the target is had where it is not there.
fn check_target(sources: &Path) -> anyhow::Result<()> {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let asked = Command::new(rustc)
        .args(["--print", "target-libdir", "--target", TARGET])
        .current_dir(sources)
        .output()
        .context("the engine is compiled by Rust, and there is no `rustc` on the path")?;
    let folder = String::from_utf8_lossy(&asked.stdout).trim().to_string();
    match asked.status.success() && Path::new(&folder).is_dir() {
        true => Ok(()),
        false => bail!(
            "this Rust cannot compile for {TARGET} yet: `rustup target add {TARGET}` gets what is missing"
        ),
    }
}

/// What the compiler's machine code for WebAssembly may use; Binaryen has to be told.
const FEATURES: [&str; 6] = [
    "--enable-bulk-memory",
    "--enable-multivalue",
    "--enable-mutable-globals",
    "--enable-nontrapping-float-to-int",
    "--enable-reference-types",
    "--enable-sign-ext",
];

/// Makes the engine smaller by `wasm-opt` of Binaryen, where that is on the path; elsewhere it stays as it is.
fn shrink(engine: PathBuf, out: &mut dyn Write) -> anyhow::Result<PathBuf> {
    let small = engine.with_extension("small.wasm");
    let mut command = Command::new("wasm-opt");
    command.arg("-Oz").args(FEATURES).arg(&engine).arg("-o").arg(&small);
    match command.status() {
        Ok(status) if status.success() => Ok(small),
        Ok(_) => bail!("`wasm-opt` could not read the engine; it may be too old"),
        Err(_) => {
            writeln!(out, "With `wasm-opt` of Binaryen on the path the engine would be smaller.")?;
            Ok(engine)
        }
    }
}

/// Compiles the engine and gives its file.
fn compile(sources: &Path) -> anyhow::Result<PathBuf> {
    let status = Command::new(cargo())
        .args(["rustc", "--quiet", "--package", "ludex-desk", "--lib", "--crate-type", "cdylib"])
        .args(["--target", TARGET, "--profile", PROFILE])
        .current_dir(sources)
        .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS", FLAGS)
        .env_remove("RUSTFLAGS")
        .status()
        .context("the engine is compiled by Cargo, and there is none on the path")?;
    if !status.success() {
        bail!("the engine did not compile");
    }
    let target = env::var_os("CARGO_TARGET_DIR").map_or(sources.join("target"), PathBuf::from);
    Ok(sources.join(target).join(TARGET).join(PROFILE).join("ludex_desk.wasm"))
}

fn main() {
    for file in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&file).unwrap();
        let short = file.rsplit('/').next().unwrap();
        match ludex_lang::kif::read(ludex_lang::diagnostic::SourceId(0), &text) {
            Ok(ok) => {
                for w in ok.warnings {
                    println!("{}", w.to_text(|_| &text, |_| short));
                }
            }
            Err(f) => {
                println!("FAIL {short}");
                for w in f {
                    println!("{}", w.to_text(|_| &text, |_| short));
                }
            }
        }
    }
}

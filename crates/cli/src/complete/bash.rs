//! How bash asks. It splits words at colons and equals signs, which agents and variants are full
//! of: they are put together before the question, and the answer is cut where bash goes on.

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::Path;

use clap_complete::env::EnvCompleter;

/// Bash, 3.2 or later.
pub(super) struct Bash;

/// `BIN` is completed by asking `COMPLETER`.
const SCRIPT: &str = r#"_agon() {
    local line="$COMP_LINE" words=() last=-1 i word
    # A word that does not follow a blank belongs to the one before it.
    for ((i = 0; i <= COMP_CWORD; i++)); do
        word="${COMP_WORDS[i]}"
        if [[ $last -ge 0 && -n $line && $line != [[:space:]]* ]]; then
            words[last]+="$word"
        else
            line="${line#"${line%%[![:space:]]*}"}"
            words[++last]="$word"
        fi
        line="${line#"$word"}"
    done
    # What stands before the cursor counts.
    local before="${COMP_LINE:0:COMP_POINT}"
    local current="${before##*[[:space:]]}"
    words[last]="$current"
    local breaks="" head=""
    [[ $COMP_WORDBREAKS == *:* ]] && breaks+=":"
    [[ $COMP_WORDBREAKS == *=* ]] && breaks+="="
    if [[ -n $breaks && $current == *["$breaks"]* ]]; then
        head="${current%"${current##*["$breaks"]}"}"
    fi
    COMPREPLY=()
    while IFS= read -r word; do
        [[ -n $word ]] && COMPREPLY+=("${word#"$head"}")
    done < <(VAR=bash COMPLETER -- "${words[@]}" 2> /dev/null)
    if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *[=:/,] ]]; then
        compopt -o nospace 2> /dev/null
    fi
}
complete -o bashdefault -F _agon BIN
"#;

impl EnvCompleter for Bash {
    fn name(&self) -> &'static str {
        "bash"
    }

    fn is(&self, name: &str) -> bool {
        name == "bash"
    }

    fn write_registration(
        &self,
        var: &str,
        _name: &str,
        bin: &str,
        completer: &str,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let quoted = format!("'{}'", completer.replace('\'', r"'\''"));
        let script = SCRIPT.replace("VAR", var).replace("BIN", bin);
        out.write_all(script.replace("COMPLETER", &quoted).as_bytes())
    }

    fn write_complete(
        &self,
        command: &mut clap::Command,
        words: Vec<OsString>,
        folder: Option<&Path>,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        // Everything behind the cursor is left out: the last word is meant.
        let last = words.len().saturating_sub(1);
        let nothing_typed = words.last().is_some_and(|word| word.is_empty());
        let found = clap_complete::engine::complete(command, words, last, folder)?;
        let texts = found.iter().map(|candidate| candidate.get_value().to_string_lossy());
        let (options, values): (Vec<_>, Vec<_>) = texts.partition(|text| text.starts_with('-'));
        // Options come after a hyphen, or where nothing else can.
        let options = options.iter().filter(|_| !nothing_typed || values.is_empty());
        values.iter().chain(options).try_for_each(|text| writeln!(out, "{text}"))
    }
}

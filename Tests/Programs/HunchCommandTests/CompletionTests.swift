import FoundationEssentials
import TestSupport
import Testing

@Suite("Shell completion", .timeLimit(.minutes(15)))
struct CompletionTests {
    /// The beginnings of command lines, and the words that each shell must complete.
    private static let lines = [
        ("hunch dir", ["directions"]), ("hunch directions 1,2 --by tr", ["train", "transit"]),
        ("hunch directions --ope", ["--open"]), ("hunch regions validate a", ["area.geojson"]),
    ]

    /// Runs a script in a shell for which the command's completion was generated, with the path of that in `$1`.
    private func complete(_ shell: String, _ script: String, options: [String] = []) async throws -> Set<String> {
        try await withTemporaryDirectory { directory in
            let hunch = try builtProduct("hunch")
            let completion = try await run(hunch, ["--generate-completion-script", shell]).output()
            let file = try directory.write(completion, to: "_hunch")
            try directory.write("", to: "area.geojson")
            try directory.write("", to: "notes.txt")
            let folder = String(hunch[..<(hunch.lastIndex(of: "/") ?? hunch.endIndex)])
            let output = try await run(
                shell, options + ["-c", script, shell, file],
                environment: [
                    "PATH": "\(folder):/usr/bin:/bin", "HOME": directory.path, "TERM": "dumb", "LC_ALL": "C.UTF-8",
                ], directory: directory.path
            ).output()
            return Set(output.split(whereSeparator: \.isWhitespace).map { String($0) })
        }
    }

    @Test(
        "bash completes commands, values and files",
        arguments: lines)
    func bash(line: String, expected: [String]) async throws {
        let script = """
            source "$1"
            COMP_LINE='\(line)'; COMP_POINT=${#COMP_LINE}; read -ra COMP_WORDS <<<"$COMP_LINE"
            COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
            cur="${COMP_WORDS[COMP_CWORD]}"; prev="${COMP_WORDS[COMP_CWORD - 1]}"
            _hunch hunch "$cur" "$prev" 2>/dev/null; printf '%s\\n' "${COMPREPLY[@]}"
            """
        #expect(try await complete("bash", script).isSuperset(of: expected))
    }

    @Test(
        "fish completes commands, values and files",
        arguments: lines)
    func fish(line: String, expected: [String]) async throws {
        let script = "source $argv[2]; complete -C '\(line)'"
        #expect(try await complete("fish", script, options: ["--no-config"]).isSuperset(of: expected))
    }

    @Test(
        "zsh completes commands, values and files",
        arguments: lines)
    func zsh(line: String, expected: [String]) async throws {
        // Completion works only in an interactive shell, which zpty provides: send TAB, then a line that marks the end.
        let script = """
            zmodload zsh/zpty
            zpty shell zsh -f -i
            zpty -w shell "PS1=; fpath=(${1:h} \\$fpath); autoload -Uz compinit; compinit -u -D; bindkey '^I' complete-word"
            zpty -w shell "zstyle ':completion:*' list-prompt ''; setopt auto_list no_always_last_prompt; LISTMAX=0"
            zpty -w shell "echo re''ady"
            zpty -r shell out '*ready*'
            zpty -w -n shell $'\(line)\\t\\t'
            sleep 1
            zpty -w shell ''
            zpty -w shell "echo do''ne; exit"
            zpty -r shell out '*done*'
            print -r -- "$out"
            """
        let words = try await complete("zsh", script, options: ["-f"])
        #expect(words.isSuperset(of: expected), "\(words)")
    }
}

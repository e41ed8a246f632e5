import FoundationEssentials
import TestSupport

/// A language in which a program of a test speaks: a locale and a compiled catalogue in a folder.
struct Language {
    /// The variables that choose it.
    let environment: [String: String]

    private static let catalogue = "\(Surroundings.packageRoot)/Sources/Base/Localization/Catalogue"

    /// The German of the package.
    static func german(in directory: TemporaryDirectory) async throws -> Language {
        try await Language("\(catalogue)/de.po", in: directory)
    }

    /// A language in which each text is the English one with accents, in brackets: “⟦Nót nów⟧”.
    static func pseudo(in directory: TemporaryDirectory) async throws -> Language {
        // Names of values in braces keep their letters.
        let script =
            "y/aeiou/áéíóú/;:a;s/([{][a-z]*)á/\\1a/;s/([{][a-z]*)é/\\1e/;s/([{][a-z]*)í/\\1i/;"
            + "s/([{][a-z]*)ó/\\1o/;s/([{][a-z]*)ú/\\1u/;ta;s/^/⟦/;s/$/⟧/"
        let file = directory.file("pseudo.po")
        let command = """
            set -e
            sed 's/nplurals=INTEGER; plural=EXPRESSION/nplurals=2; plural=(n != 1)/' "$1" |
                msgen --no-wrap - | msgattrib --clear-fuzzy --no-wrap |
                msgfilter --keep-header sed -E "$2" >"$3"
            """
        _ = try await run("bash", ["-c", command, "pseudo", "\(catalogue)/hunch.pot", script, file]).output()
        return try await Language(file, in: directory)
    }

    /// Compiles a catalogue and a locale. glibc translates nothing in the locale C, also if it is C.UTF-8.
    private init(_ file: String, in directory: TemporaryDirectory) async throws {
        let (locales, texts) = (directory.file("locales"), directory.file("texts"))
        for folder in [locales, texts + "/de/LC_MESSAGES"] {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        }
        _ = try await run("localedef", ["-i", "de_DE", "-f", "UTF-8", locales + "/de_DE.UTF-8"]).output()
        _ = try await run("msgfmt", ["-o", texts + "/de/LC_MESSAGES/hunch.mo", file]).output()
        environment = ["LANG": "de_DE.UTF-8", "LOCPATH": locales, "TEXTDOMAINDIR": texts]
    }

    /// Returns the letters of a pseudo-translated text that are outside of brackets, without names.
    static func untranslated(_ text: String, names: [String]) -> String {
        var depth = 0
        var outside = ""
        for character in text {
            switch character {
            case "⟦": depth += 1
            case "⟧": depth -= 1
            default: outside.append(depth == 0 ? character : " ")
            }
        }
        for name in names { outside.replace(name, with: "") }
        return outside.split { !$0.isLetter }.joined(separator: " ")
    }
}

import FoundationEssentials

/// Compiled catalogues of translations, and environments in which programs use them.
public struct Translations: Sendable {
    private static let template = "\(Surroundings.packageRoot)/Sources/Base/Localization/Catalogue/hunch.pot"

    private let directory: TemporaryDirectory
    private let language: String

    /// The environment for using the catalogue.
    public var environment: [String: String] {
        [
            "TEXTDOMAINDIR": directory.file("catalogues"), "LOCPATH": directory.file("locales"),
            "LC_ALL": "de_DE.UTF-8", "LANGUAGE": language,
        ]
    }

    /// Compiles the German catalogue and the locale `de_DE.UTF-8`.
    public static func german(in directory: TemporaryDirectory) async throws -> Translations {
        try await makeLocale(in: directory)
        _ = try await run(
            "\(Surroundings.packageRoot)/.ci/translations", ["compile", directory.file("catalogues")]
        ).output()
        return Translations(directory: directory, language: "de")
    }

    /// Compiles a catalogue that puts each text in brackets: “Hunch is on.” becomes “⟦Hunch is on.⟧”.
    public static func bracketed(in directory: TemporaryDirectory) async throws -> Translations {
        try await makeLocale(in: directory)
        let folder = directory.file("catalogues/xx/LC_MESSAGES")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let (english, bracketed) = (directory.file("en.po"), directory.file("xx.po"))
        _ = try await run(
            "msginit",
            ["--no-translator", "--no-wrap", "--locale=en_US.UTF-8", "--input=\(template)", "--output=\(english)"]
        ).output()
        _ = try await run(
            "msgfilter",
            [
                "--keep-header", "--input=\(english)", "--output=\(bracketed)",
                "sed", "-e", "1s/^/⟦/", "-e", "$s/$/⟧/",
            ]
        ).output()
        _ = try await run("msgfmt", ["--output-file=\(folder)/hunch.mo", bracketed]).output()
        return Translations(directory: directory, language: "xx")
    }

    /// Returns a text without all that is in brackets.
    public static func withoutBrackets(_ text: String) -> String {
        var (depth, rest) = (0, "")
        for character in text {
            switch character {
            case "⟦": depth += 1
            case "⟧": depth -= 1
            default: if depth == 0 { rest.append(character) }
            }
        }
        return rest
    }

    /// gettext translates only in a locale that exists.
    private static func makeLocale(in directory: TemporaryDirectory) async throws {
        let folder = directory.file("locales")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        _ = try await run("localedef", ["-i", "de_DE", "-f", "UTF-8", "\(folder)/de_DE.UTF-8"]).output()
    }
}

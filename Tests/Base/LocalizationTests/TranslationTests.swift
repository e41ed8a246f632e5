import FoundationEssentials
import TestSupport
import Testing

@Suite("Translations", .timeLimit(.minutes(15)))
struct TranslationTests {
    private static let catalogue = "\(Surroundings.packageRoot)/Sources/Base/Localization/Catalogue"

    @Test("The template has all texts of the sources")
    func template() async throws {
        let result = try await run("\(Surroundings.packageRoot)/.ci/translations", ["template"])
        let template = try result.output()
        let known = try String(contentsOfFile: "\(Self.catalogue)/hunch.pot", encoding: .utf8)
        #expect(template == known, "texts changed; run “make translations”")
    }

    @Test("The German translation is complete")
    func german() async throws {
        let result = try await run(
            "msgfmt", ["--check", "--statistics", "--output-file=/dev/null", "\(Self.catalogue)/de.po"],
            environment: ["LC_ALL": "C"])
        #expect(result.status == .exited(0), "\(result)")
        #expect(!result.standardError.contains("untranslated") && !result.standardError.contains("fuzzy"), "\(result)")
    }
}

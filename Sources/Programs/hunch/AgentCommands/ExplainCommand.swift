import ArgumentParser
import CommandSupport
import AgentInterface
import FoundationEssentials
import HunchKit
import HunchModel
import Localization
import SearchIndexes

/// `hunch explain`.
struct ExplainCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: localized("Show why something is suggested, or why an item is found where it is."),
        discussion: localized(
            """
            The first line is the main reason, and the others follow it. With -v, each has the weight that Hunch learned \
            for it. The weights add up to the lead over the next most likely suggestion, in log-odds: 0.69 doubles the \
            odds, 1.39 makes them four times as good, and a weight below 0 speaks against the suggestion. Evidence without \
            a weight is a rule (“it is installed”) or holds for other candidates too. If you never did anything else, \
            there are no weights.

            With --find, lists the factors of an item's score in “hunch find”.

            Example:
              hunch explain
              hunch explain s42 -v
              hunch explain note-41 --find "dim sum"
            """))

    @Argument(
        help: .localized(
            """
            The identifier from “hunch suggestions”, or its first letters; without one, the newest that Hunch \
            suggested by itself. With --find that from “hunch find”.
            """),
        completion: .shellCommand("hunch suggestions 2>/dev/null | cut -f1"))
    var id: String?

    @Option(help: .localized("Explain the place of an item among those that “hunch find” finds.", valueName: "text"))
    var find: String?

    @Flag(name: .shortAndLong, help: .localized("List every reason with its weight."))
    var verbose = false

    @Flag(help: .localized("Write one JSON object."))
    var json = false

    private struct Fields: Encodable {
        let id: String
        let explanation: ExplanationFields
        let source: String
        let score: Double

        private enum Key: String, CodingKey { case id, source, score }

        func encode(to encoder: any Encoder) throws {
            try explanation.encode(to: encoder)
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(id, forKey: .id)
            try container.encode(source, forKey: .source)
            try container.encode(score, forKey: .score)
        }
    }

    /// Returns the title with the app that the reasons are about.
    private static func name(of suggestion: OfferedSuggestion) -> String {
        suggestion.title.contains(suggestion.applicationName)
            ? suggestion.title : "\(suggestion.title) (\(suggestion.applicationName))"
    }

    func validate() throws {
        try SuggestionAnswer.check(id)
        guard find == nil || id != nil else {
            throw ValidationError(localized("--find explains an item; give its identifier from “hunch find”"))
        }
    }

    func run() async throws {
        if let find, let id { return try FoundItemExplanation.write(of: id, for: find, json: json) }
        let id = id
        let (suggestion, answer): (OfferedSuggestion, SuggestionExplanation)
        do {
            (suggestion, answer) = try await AgentSession.run { agent in
                let suggestion = try await agent.suggestion(beginningWith: id)
                return (suggestion, try await agent.explain(suggestion.id))
            }
        } catch let error as CommandError where error.status == ExitStatus.nothingFound {
            guard let id, let store = try? IndexAccess.reader(),
                (try? store.items(identifier: id, now: Date()).isEmpty) == false
            else { throw error }
            throw CommandError(
                localized("“%1” is an item, not a suggestion; say for which words: --find WORDS", id),
                ExitStatus.nothingFound)
        }
        if json {
            let fields = Fields(
                id: suggestion.id, explanation: ExplanationFields(answer.explanation), source: answer.source,
                score: answer.score)
            return try Output.raw(Output.json(fields))
        }
        let reasons = answer.explanation.texts
        try Output.line(
            Output.plain(localized("%1: %2.", Self.name(of: suggestion), reasons.first ?? answer.source)))
        for line in verbose ? answer.explanation.lines : reasons.dropFirst().map({ "• " + $0 }) {
            try Output.line(Output.plain(line))
        }
    }
}

import CommandSupport
import AgentInterface
import ArgumentParser
import HunchDBus
import HunchKit
import HunchModel
import Localization

/// `hunch suggestions`: lists suggestions and answers them.
struct SuggestionsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "suggestions",
        abstract: localized("List the current suggestions."),
        discussion: localized(
            """
            Example:
              hunch suggestions
              hunch suggestions --likely
              hunch suggestions --watch --json
              hunch suggestions accept ID
            """),
        subcommands: [List.self, AcceptCommand.self, DismissCommand.self, ExplainCommand.self],
        defaultSubcommand: List.self)

    /// `hunch suggestions list`.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: localized("List the current suggestions; with --watch, follow them."),
            discussion: localized(
                """
                Answers to requests, such as directions and what --likely listed, are no suggestions of Hunch. --all lists \
                them, too. They exist for ten minutes.

                Example:
                  hunch suggestions list
                """))

        @Flag(help: .localized("Keep running, and write a line for every change."))
        var watch = false

        @Flag(help: .localized("Suggest what is likely now, though nothing has happened."))
        var likely = false

        @Flag(help: .localized("Also list what you or an app asked for, such as directions."))
        var all = false

        @Flag(help: .localized("Write one JSON object a line."))
        var json = false

        func validate() throws {
            guard !watch || !likely else { throw ValidationError(localized("give --watch or --likely, not both")) }
        }

        func run() async throws {
            let (watch, json, likely, all) = (watch, json, likely, all)
            try await AgentSession.run { agent in
                if watch { return try await SuggestionWatch(json: json, all: all).follow(agent) }
                try await agent.requireRunning()
                let offered =
                    try await likely
                    ? agent.likelySuggestions()
                        // The one on the notification comes before those that may be accepted instead.
                    : agent.suggestions().filter { all || !$0.isRequested }.sorted { $0.offered < $1.offered }
                if likely, offered.isEmpty {
                    try await agent.requireEnabled()
                    throw CommandError(
                        localized("nothing is learned yet that you did at least twice; “hunch history” shows what is"),
                        ExitStatus.nothingFound)
                }
                guard !offered.isEmpty else {
                    throw CommandError(
                        try await agent.reasonForNothing(localized("nothing is suggested now")), ExitStatus.nothingFound
                    )
                }
                let devices = offered.contains { $0.device != nil } ? try await agent.devices() : []
                let rows = Dictionary(grouping: offered, by: \.id).compactMapValues(\.first)
                let titles = OfferedSuggestion.titles(of: offered, devices)
                try Table.list(
                    offered.map(SuggestionFields.init), json: json, localized("ID"), localized("Suggestion"),
                    localized("App"), localized("State"), localized("Why")
                ) {
                    [
                        $0.id, titles[$0.id] ?? $0.title, $0.name,
                        rows[$0.id]?.stateWords(devices) ?? $0.state, $0.source,
                    ]
                }
            }
        }
    }
}

/// A suggestion in the output of commands.
struct SuggestionFields: Encodable {
    let id: String
    let kind: String
    let title: String
    let subtitle: String
    let artwork: String?
    let app: AppID
    let name: String
    let source: String
    let score: Double
    let expiry: Double
    let state: String

    init(_ suggestion: OfferedSuggestion) {
        id = suggestion.id
        kind = suggestion.kind
        title = suggestion.title
        subtitle = suggestion.subtitle
        artwork = suggestion.artwork.isEmpty ? nil : suggestion.artwork
        app = suggestion.application
        name = suggestion.applicationName
        source = suggestion.source
        score = suggestion.score
        expiry = Double(suggestion.expiry) / 1_000_000
        state = suggestion.state
    }
}

/// An answer to a suggestion in the output of commands.
struct SuggestionAnswer: Encodable {
    let id: String
    let state: String

    /// Sends the user's answer to a suggestion to the agent, and says which one it was.
    ///
    /// - Parameters:
    ///   - text: the beginning of its identifier; `nil` for the newest suggestion.
    ///   - state: its state afterwards.
    ///   - answer: answers, and returns a sentence about that.
    static func give(
        _ text: String?, state: String, json: Bool,
        _ answer: @escaping @Sendable (HunchAgent, OfferedSuggestion) async throws -> String
    ) async throws {
        let (id, sentence) = try await AgentSession.run { agent in
            let suggestion = try await agent.suggestion(beginningWith: text)
            return (suggestion.id, try await answer(agent, suggestion))
        }
        if json {
            try Output.raw(Output.json(SuggestionAnswer(id: id, state: state)))
        } else {
            try Output.line(Output.plain(sentence))
        }
    }

    /// - Throws: `ValidationError` for an empty identifier, which would match all.
    static func check(_ id: String?) throws {
        if id?.isEmpty == true {
            throw ValidationError(localized("name a suggestion; “hunch suggestions” lists them"))
        }
    }

    /// The help text of the argument.
    static let help = ArgumentHelp.localized(
        "The identifier from “hunch suggestions”, or its first letters; without one, the newest that Hunch suggested by itself."
    )
}

/// `hunch accept`.
struct AcceptCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accept",
        abstract: localized("Accept a suggestion."),
        discussion: localized(
            """
            Example:
              hunch accept
              hunch accept s42 --json
            """))

    @Argument(
        help: SuggestionAnswer.help,
        completion: .shellCommand("hunch suggestions 2>/dev/null | cut -f1"))
    var id: String?

    @Flag(help: .localized("Write one JSON object."))
    var json = false

    func validate() throws { try SuggestionAnswer.check(id) }

    func run() async throws {
        try await SuggestionAnswer.give(id, state: "accepted", json: json) { agent, suggestion in
            let isAccepted = suggestion.state == "accepted"
            if !isAccepted, let away = suggestion.absentDevice(try await agent.devices()), suggestion.isMedia {
                Output.complain(
                    localized("%1 is not connected; playback starts only if it comes back within seconds", away.name))
            }
            try await agent.accept(suggestion.id)
            return localized("Accepted: %1", suggestion.title)
        }
    }
}

/// `hunch dismiss`.
struct DismissCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dismiss",
        abstract: localized("Dismiss a suggestion."),
        discussion: localized(
            """
            Example:
              hunch dismiss
              hunch dismiss s42 --never --json
            """))

    @Argument(
        help: SuggestionAnswer.help,
        completion: .shellCommand("hunch suggestions 2>/dev/null | cut -f1"))
    var id: String?

    @Flag(help: .localized("Also stop suggesting at its device. “hunch device” undoes that."))
    var never = false

    @Flag(help: .localized("Write one JSON object."))
    var json = false

    func validate() throws { try SuggestionAnswer.check(id) }

    func run() async throws {
        let never = never
        try await SuggestionAnswer.give(id, state: "dismissed", json: json) { agent, suggestion in
            guard never else {
                try await agent.dismiss(suggestion.id, reason: "not-now")
                return localized("Dismissed: %1", suggestion.title)
            }
            let before = Set(try await agent.devices().filter { !$0.suggests }.map(\.id))
            try await agent.dismiss(suggestion.id, reason: "never")
            let silenced = try await agent.devices().first { !$0.suggests && !before.contains($0.id) }
            guard let silenced else {
                return localized(
                    "Dismissed: %1. It belongs to no device, so --never changed nothing.", suggestion.title)
            }
            return localized(
                "Dismissed: %1. Nothing is suggested at %2 from now on; “hunch device %3 --suggest on” undoes that.",
                suggestion.title, silenced.name, ShellWord(silenced.name))
        }
    }
}

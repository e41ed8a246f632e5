internal import Agent
internal import AgentInterface
internal import HunchDBus
internal import HunchModel
internal import Localization

/// The values that KRunner does not repeat when the user chooses a match.
struct RunnerSession {
    /// The text of its last search.
    var text = ""
    /// The activation token for the next match.
    var token: String?
}

/// The search of KDE Plasma: `org.kde.krunner1`.
///
/// Source: <https://develop.kde.org/docs/plasma/krunner>. KRunner 5.103 and 6.13 ask after each letter and never with an empty
/// text. Newer versions may call `SetActivationToken` before `Run`.
extension DesktopSearch {
    /// A match: identifier, text, icon, type, relevance 0…1, properties.
    private struct Match: DBusStructure {
        var id: String
        var text: String
        var icon: String
        var type: Int32
        var relevance: Double
        var properties: VariantMap

        static let layout = StructureLayout(Match.init(id:text:icon:type:relevance:properties:)) {
            ($0.id, $0.text, $0.icon, $0.type, $0.relevance, $0.properties)
        }
    }

    /// An action of a match: identifier, text, icon.
    private struct MatchAction: DBusStructure {
        var id: String
        var text: String
        var icon: String

        static let layout = StructureLayout(MatchAction.init(id:text:icon:)) { ($0.id, $0.text, $0.icon) }
    }

    static let runnerPath: ObjectPath = "/org/hunch/Runner"
    /// The identifier of the match that opens the window. Those of results have several parts.
    private static let searchMatch = "search"
    /// The identifier of the action that continues the search in the app of a result.
    private static let searchAction = "search-in-app"
    /// The most results. KRunner shows all of them together with those of other runners.
    private static let matchLimit = 8
    /// The most callers that are remembered.
    private static let runnerLimit = 8
    /// The types of matches in Plasma 5, and the relevance of their category in Plasma 6: a possible match, an exact one.
    private static let (possible, exact): (Int32, Int32) = (30, 100)

    nonisolated func runnerInterface() -> ExportedInterface {
        ExportedInterface(
            "org.kde.krunner1",
            [
                .method("Match", arguments: ["query"], results: ["matches"]) {
                    [self] (call, query: String) async throws -> [Match] in
                    try await checkCaller(call)
                    await note(call.sender) { $0.text = query }
                    return try await matches(query)
                },
                .method("Actions", results: ["actions"]) { [self] call async throws -> [MatchAction] in
                    try await checkCaller(call)
                    return [MatchAction(id: Self.searchAction, text: localized("Search in this app"), icon: "search")]
                },
                .method("Run", arguments: ["match", "action"]) {
                    [self] (call, match: String, action: String) async throws -> Void in
                    try await checkCaller(call)
                    try await run(match, action, takeSession(of: call.sender))
                },
                .method("Teardown") { [self] call async throws -> Void in try await checkCaller(call) },
                .method("SetActivationToken", arguments: ["token"]) {
                    [self] (call, token: String) async throws -> Void in
                    try await checkCaller(call)
                    await note(call.sender) { $0.token = token }
                },
            ])
    }

    private func matches(_ text: String) async throws -> [Match] {
        let results = await results(text).prefix(Self.matchLimit)
        var matches: [Match] = []
        var continuing: [AppID: Bool] = [:]
        for (number, result) in results.enumerated() {
            var actions: [String] = []
            if case .item(_, let application, _) = result.content {
                if continuing[application] == nil {
                    continuing[application] = try await index.continuesSearches(application)
                }
                if continuing[application] == true { actions = [Self.searchAction] }
            }
            let isExact = result.title.lowercased() == text.lowercased()
            matches.append(
                Match(
                    id: result.id, text: result.title, icon: result.icon, type: isExact ? Self.exact : Self.possible,
                    relevance: 0.9 - 0.05 * Double(number),
                    properties: ["subtext": .string(result.detail), "actions": actions.dbusValue]))
        }
        if !matches.isEmpty {
            matches.append(
                Match(
                    id: Self.searchMatch, text: localized("Search for “%1” in Hunch", text), icon: "org.hunch.Hunch",
                    type: Self.possible, relevance: 0.1, properties: ["actions": [String]().dbusValue]))
        }
        return matches
    }

    private func run(_ match: String, _ action: String, _ session: RunnerSession) async throws {
        let (text, token) = (session.text, session.token)
        if match == Self.searchMatch {
            return try await openWindow(text, platform: [:], activationToken: token)
        }
        if action == Self.searchAction,
            case .item(_, let application, _) = try await chosenResult(match, for: text).content
        {
            var options: VariantMap = [:]
            options["activation-token"] = token.map(Value.string)
            return try await index.continueSearch(text, in: application, options)
        }
        try await choose(match, for: text, platform: [:], activationToken: token)
    }

    private func note(_ caller: BusName, _ change: @Sendable (inout RunnerSession) -> Void) {
        if runners.count >= Self.runnerLimit, runners[caller] == nil { runners = [:] }
        change(&runners[caller, default: RunnerSession()])
    }

    /// Returns what is known about a caller, without a token that was used.
    private func takeSession(of caller: BusName) -> RunnerSession {
        defer { runners[caller]?.token = nil }
        return runners[caller] ?? RunnerSession()
    }
}

internal import DirectionServices
internal import Agent
internal import AgentInterface
internal import Apps
internal import FoundationEssentials
internal import HunchDBus
internal import HunchModel
internal import Learning
internal import Localization
internal import Prediction

/// Choosing results, and continuing searches.
extension DesktopSearch {
    /// The key of suggestions that the desktop's search made. Desktop identifiers never contain a slash.
    private static let requester = Requester(part: "/search")

    /// Carries out a result, because the user chose it.
    ///
    /// - Parameters:
    ///   - text: the text that the user searched for.
    ///   - platform: platform data for the app.
    /// - Throws: ``DBusError``: `NotFound` for a result that is no longer known, `ActionFailed`.
    func choose(_ id: String, for text: String, platform: VariantMap, activationToken: String?) async throws {
        switch try await chosenResult(id, for: text).content {
        case .item(let id, let application, let name):
            var options: VariantMap = [
                "app": .string(application.rawValue), "index": .string(name), "query": .string(text),
                "platform": platform.dbusValue,
            ]
            options["activation-token"] = activationToken.map(Value.string)
            _ = try await index.open(id, options, of: .all, search: searchOptions)
        case .place(let place):
            guard let route = try await directions.route(to: place) else {
                throw DBusError(.actionFailed, "no installed app shows this place; see “hunch apps”")
            }
            let suggestion = route.suggestion(
                desk.makeIdentifier(), from: localized("You asked for it"), score: 1, in: Context(),
                until: configuration.offerEnd)
            try await accept(suggestion, activationToken)
        case .action(let choice):
            let suggestion = try await learned.suggestions(for: [choice], limit: 1).first
            try await accept(suggestion, activationToken)
        }
    }

    private func accept(_ suggestion: Suggestion?, _ activationToken: String?) async throws {
        guard let suggestion,
            let path = try await learned.offer(
                [suggestion], for: Self.requester, as: .requested, replacing: "/search"
            ).first
        else {
            throw DBusError(.actionFailed, "no installed app can do it any more; see “hunch apps”")
        }
        try await desk.accept(path.lastElement, activationToken: activationToken)
    }

    /// Continues a search: in the app that has all of the results if it continues searches, else in the window of Hunch.
    func continueSearch(_ text: String, platform: VariantMap) async throws {
        let apps = Set(
            await lastResults(text).map { result -> AppID? in
                if case .item(_, let application, _) = result.content { application } else { nil }
            })
        if apps.count == 1, let only = apps.first, let application = only,
            try await index.continuesSearches(application)
        {
            return try await index.continueSearch(text, in: application, ["platform": platform.dbusValue])
        }
        try await openWindow(text, platform: platform, activationToken: nil)
    }

    /// Opens the window of Hunch with a search.
    func openWindow(_ text: String, platform: VariantMap, activationToken: String?) async throws {
        let entry = HunchNames.settingsEntry
        guard let service = LaunchPlan.service(of: entry) else { return }
        let platform = platform.merging(LaunchPlan.platformData(activationToken)) { $1 }
        do {
            let () = try await bus.call(
                service.name, service.path, "org.freedesktop.Application", "ActivateAction", "find",
                [Value.string(text)], platform, timeout: ActivityContinuation.deadline)
        } catch let error as DBusError where error.name == .serviceUnknown {
            // Without an activation file, such as in a folder with a build, it opens without the text.
            try await launcher.launch(entry, activationToken: activationToken)
        }
    }
}

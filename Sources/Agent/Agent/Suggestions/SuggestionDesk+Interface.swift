package import AgentInterface
internal import FoundationEssentials
package import HunchDBus
package import HunchModel
internal import Surfaces
internal import Localization

extension SuggestionDesk {
    /// The maximum number of characters of a text for people.
    private static let shownCharacters = 512

    /// Returns text for people, safe for any program that shows it.
    private static func shown(_ text: String) -> String { DisplayText(text, limit: shownCharacters).text }

    /// Returns the interface of a suggestion, visible only to callers that may see its app's activity.
    ///
    /// - Parameters:
    ///   - origin: why it is made.
    ///   - requester: the connection that requested it; `nil` for the agent itself.
    package nonisolated func interface(
        of suggestion: Suggestion, as origin: OfferedSuggestion.Origin, for requester: BusName?
    ) -> ExportedInterface {
        let id = suggestion.id
        let offered = configuration.now().microseconds
        // Appointments change.
        @Sendable func latest<Value: DBusRepresentable & Sendable>(
            _ name: MemberName, _ value: @escaping @Sendable (Suggestion) -> Value
        ) -> ExportedMember {
            .property(name) { [weak self] in value(await self?.latest(suggestion) ?? suggestion) }
        }
        return ExportedInterface(
            evolving: HunchNames.suggestion,
            lazily: { [weak self, callers] in
                [
                    .method("Accept", arguments: ["options"]) {
                        [weak self, callers] (call, options: VariantMap) async throws -> Void in
                        try await callers.permission(of: call).mayDecide()
                        try options.checkKeys("activation-token", "automatic")
                        try await self?.accept(
                            id, activationToken: options.text("activation-token"),
                            isAutomatic: options.value("automatic", as: Bool.self) ?? false)
                    },
                    .method("Dismiss", arguments: ["reason"]) {
                        [weak self, callers] (call, reason: String) async throws -> Void in
                        try await callers.permission(of: call).mayDecide()
                        guard await self?.dismiss(id, reason: reason.cut(to: 256).lowercased()) == true else {
                            throw DBusError(.notOffered, localized("the suggestion has ended"))
                        }
                    },
                    .method("Explain", results: ["explanation"]) { [weak self] _ -> VariantMap in
                        let latest = await self?.latest(suggestion) ?? suggestion
                        return SuggestionExplanation(
                            latest.explanation, source: latest.source, score: latest.score
                        ).transfer(Self.shown)
                    },
                    .property("Kind") { Self.shown(suggestion.kind.rawValue) },
                    latest("Title") { Self.shown($0.title) },
                    latest("Subtitle") { Self.shown($0.subtitle) },
                    .property("Artwork") { suggestion.artworkURL ?? "" },
                    latest("App") { $0.application },
                    latest("AppName") { Self.shown($0.applicationName) },
                    .property("Source") { Self.shown(suggestion.source) },
                    .property("Score") { suggestion.score },
                    latest("Expiry") { $0.expiry.microseconds },
                    .property("Offered") { offered },
                    .property("Device", notice: .constant) { suggestion.device ?? "" },
                    .property("State") { [weak self] in await self?.state(of: id) ?? "expired" },
                    .property("Origin", notice: .constant) { origin.rawValue },
                    .property("Trigger", notice: .constant) {
                        // An app may be allowed to see the suggestion, but not where the user is.
                        suggestion.context.trigger.flatMap { $0.isOfPlace ? nil : $0.description } ?? ""
                    },
                    .property("Requester", notice: .constant) { requester?.text ?? "" },
                ]
            })
    }
}

internal import AgentInterface
internal import HunchDBus
package import HunchModel
internal import Learning
internal import Suggestions
internal import Surfaces
internal import Localization

/// Changing suggestions in place.
extension SuggestionDesk {
    /// Returns the current content of a suggestion.
    package func latest(_ suggestion: Suggestion) -> Suggestion {
        board.life(of: suggestion.id)?.suggestion ?? suggestion
    }

    /// Replaces the content of an open suggestion on the bus, and on the screen if its notification is still there.
    ///
    /// - Parameter isNews: whether the change is shown although there is no notification.
    package func revise(_ suggestion: Suggestion, isNews: Bool = false) async {
        guard let life = board.life(of: suggestion.id) else { return }
        var revised = suggestion
        // When and where it was made does not change.
        revised.context = life.suggestion.context
        guard replaceContent(revised) else { return }
        do {
            try await server.propertiesChanged(
                try HunchNames.suggestionPath(suggestion.id), HunchNames.suggestion,
                ["Title", "Subtitle", "App", "AppName", "Expiry"])
            guard stage(of: suggestion.id) == .offered else { return }
            let isShown = await surface.shownSuggestions.contains(suggestion.id)
            if isShown && !revised.looksLike(life.suggestion) || isNews { try await notify(of: revised) }
        } catch {
            problems.report(localized("a suggestion could not be updated: %1", ErrorMapping.logged(error)))
        }
    }
}

extension Suggestion {
    /// Whether the notification of another version has the same texts, button, pictures and time.
    fileprivate func looksLike(_ other: Suggestion) -> Bool {
        (title, subtitle, explanation.texts.first, application) == (
            other.title, other.subtitle, other.explanation.texts.first, other.application
        ) && (source, artworkURL, expiry) == (other.source, other.artworkURL, other.expiry) && action == other.action
    }
}

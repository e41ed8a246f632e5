package import Apps
internal import Directions
package import HunchModel
internal import Localization

extension DesktopLauncher {
    /// Opens a suggestion's directions, or starts its call.
    ///
    /// - Throws: as ``launch(_:uri:activationToken:)``.
    package func perform(_ suggestion: Suggestion, activationToken: String?) async throws {
        switch suggestion.action {
        case .openDirections(let launch): try await open(launch, activationToken: activationToken)
        case .call(let uri), .openPage(let uri, _):
            try await self.launch(suggestion.application, uri: uri, activationToken: activationToken)
        case .play, .open, .save, .remind:
            throw LaunchError(.unusableEntry, localized("no app can carry out this suggestion now"))
        }
    }

    /// Opens a routing app at its destination, or a web page in the default browser.
    ///
    /// - Throws: as ``launch(_:uri:activationToken:)``.
    package func open(_ launch: DirectionsLaunch, activationToken: String?) async throws {
        // The app may pass the request back to Hunch.
        let handover = [Handover.variableName: Handover.value(for: launch, now: now())]
        try await open(launch, activationToken: activationToken, variables: handover)
    }
}

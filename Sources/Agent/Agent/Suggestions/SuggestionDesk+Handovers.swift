internal import Directions
internal import HunchModel

/// Noticing links that come back from the app that was just handed them.
extension SuggestionDesk {
    private var milliseconds: Int { Int(clamping: configuration.now().microseconds / 1_000) }

    /// Notes that an app was just handed a link.
    func noteHandover(_ launch: DirectionsLaunch) {
        guard let application = launch.desktopID, let request = try? DirectionsRequest(uri: launch.uri) else { return }
        handovers.note(application, for: request, at: milliseconds)
    }

    /// Returns the apps that were handed the same place within the last two seconds.
    func recentHandovers(of request: DirectionsRequest) -> [AppID] {
        handovers.applications(for: request, at: milliseconds)
    }
}

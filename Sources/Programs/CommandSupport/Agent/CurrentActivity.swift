package import AgentInterface
package import HunchKit
package import HunchModel
import Localization

/// The current activity, for commands.
package enum CurrentActivity {
    package static let nothing = localized("no app reports an activity to Hunch")

    /// Returns the current activity.
    ///
    /// - Throws: ``CommandError`` with the reason if there is none.
    package static func get() async throws -> ShownActivity {
        try await AgentSession.run { agent in
            try await agent.requireToldOf()
            guard let shown = try await agent.currentActivity() else {
                let hasOthers = try await !agent.recentActivities(limit: 1).isEmpty
                throw CommandError(
                    hasOthers
                        ? localized("no activity is current; “hunch activity list” shows the others") : nothing,
                    ExitStatus.nothingFound)
            }
            return shown
        }
    }

    /// Returns the place of the current activity.
    ///
    /// - Throws: ``CommandError`` with the reason if there is none.
    package static func place() async throws -> MapItem {
        let shown = try await get()
        guard let place = shown.activity.place else {
            throw CommandError(
                localized(
                    "“%1” of %2 is on the screen, but it is not a place", shown.activity.title, shown.application),
                ExitStatus.nothingFound)
        }
        return place
    }

    /// Returns a short description of a place.
    package static func label(_ place: MapItem) -> String {
        let coordinate = place.coordinate.map { "\($0.latitude),\($0.longitude)" }
        let address = place.address.map(\.singleLine).flatMap { $0.isEmpty ? nil : $0 }
        return [place.name ?? place.query, address, coordinate].compactMap { $0 }.joined(separator: "; ")
    }
}

extension HunchAgent {
    /// Checks that apps can report activities.
    ///
    /// - Throws: ``CommandError`` if no agent runs, or Hunch is off or paused.
    package func requireToldOf() async throws {
        try await requireRunning(
            orElse: localized(
                "the agent is not running, so the apps on the screen are unknown; “hunch players” starts it"))
        try await requireEnabled()
    }
}

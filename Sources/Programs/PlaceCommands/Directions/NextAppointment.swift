import AgentInterface
import CommandSupport
import Directions
import FoundationEssentials
import Geocoding
import HunchKit
import HunchModel
import Localization

/// The next appointment with a place, for `hunch directions --next`.
enum NextAppointment {
    /// Returns the request to be at the next appointment that has a place when it begins. Names the appointment on standard
    /// error.
    ///
    /// - Throws: ``CommandError`` if there is none within a week, or the agent may not read calendars.
    static func request() async throws -> DirectionsRequest {
        let found = try await AgentSession.run { try await $0.appointments(limit: 200) }
        for problem in found.problems { Output.complain(problem) }
        // A room is not a place with a route.
        let next = found.appointments.first { found in
            !found.event.isAllDay
                && found.event.place.map { $0.coordinate != nil || !Placeless.isMeant(by: $0) } ?? false
        }
        guard let event = next?.event, let place = event.place else {
            throw CommandError(
                localized("no appointment of the next 7 days has a place; “hunch calendar” lists them"),
                ExitStatus.nothingFound)
        }
        Output.complain(localized("“%1”, %2", event.title, LocalDate(now: Date()).moment(event.start)))
        return DirectionsRequest(to: place, at: event.start > Date() ? .arrival(event.start) : nil)
    }
}

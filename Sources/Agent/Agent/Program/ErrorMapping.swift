internal import PersonalStores
internal import AgentInterface
internal import Apps
internal import Coordinates
internal import Directions
internal import Geocoding
internal import History
internal import EventLoops
package import HunchDBus
internal import HunchModel
internal import Localization
internal import Regions
internal import Suggestions

/// An error of a feature's own library.
package protocol FeatureError: Error {
    /// The answer to the caller.
    var reply: DBusError { get }
}

/// Maps the errors of the agent's parts to D-Bus errors and messages. No other place does.
package enum ErrorMapping {
    @Sendable static func reply(to error: any Error) -> DBusError {
        switch error {
        case let error as DBusError: error
        case let error as CoordinateError: DBusError(.invalidInput, error.description)
        case let error as PlaceError: DBusError(.invalidInput, error.message)
        case let error as DirectionsError: DBusError(.invalidInput, error.message)
        case let error as GeocoderError: reply(to: error)
        case let error as HistoryError:
            DBusError(error.code == .invalidInput ? .invalidInput : .storeFailed, error.message)
        case let error as ForgettingError: reply(to: error)
        case let error as any FeatureError: error.reply
        case let error as RegionError: DBusError(.failed, "\(error)")
        case is CancellationError: DBusError(.failed, "the agent is ending")
        default: DBusError(.failed, "\(error)")
        }
    }

    /// Returns a sentence for the user about why an action failed, in their language.
    package static func sentence(_ error: any Error) -> String {
        switch error {
        case let error as DBusError where error.message.isEmpty:
            localized("a call on the bus failed with %1", error.name.rawValue)
        case let error as DBusError: error.message
        case is DeadlineExceeded: localized("it did not begin in time")
        case is CancellationError: localized("it was taken back")
        default: "\(error)"
        }
    }

    /// Returns a sentence about an error for the log. It omits an app's own words, which may reveal what the user
    /// plays.
    package static func logged(_ error: any Error) -> String {
        switch error {
        case let error as any SuggestionFailure: error.logged
        case let error as LaunchError:
            error.code.sentence + (error.underlying.map { ": \(logged($0))" } ?? "")
        case let error as DBusError: "a call on the bus failed with \(error.name.rawValue)"
        default: "\(error)"
        }
    }

    /// An input that no store accepts is not a failure of the stores.
    private static func reply(to error: ForgettingError) -> DBusError {
        let replies = error.failures.map { reply(to: $0.error) }
        if let first = replies.first, replies.contains(where: { $0.name == .invalidInput }) {
            return replies.first { $0.name == .invalidInput } ?? first
        }
        return DBusError(.storeFailed, error.message { reply(to: $0).message })
    }

    private static func reply(to error: GeocoderError) -> DBusError {
        switch error.code {
        case .noGazetteer: DBusError(.noGazetteer, error.message)
        case .emptyQuery, .tooLong, .notAPlace: DBusError(.invalidInput, error.message)
        default: DBusError(.failed, error.message)
        }
    }
}

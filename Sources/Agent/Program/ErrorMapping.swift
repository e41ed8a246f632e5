internal import AgentInterface
internal import Directions
internal import History
internal import HunchDBus
internal import HunchModel
internal import Media
internal import Places
internal import Regions

/// The error replies for what the agent's parts throw. This is the only place that maps them.
enum ErrorMapping {
    @Sendable static func reply(to error: any Error) -> DBusError {
        switch error {
        case let error as DBusError: error
        case let error as CoordinateError: DBusError(.invalidInput, error.description)
        case let error as PlaceError: DBusError(.invalidInput, error.message)
        case let error as DirectionsError: DBusError(.invalidInput, error.message)
        case let error as GeocoderError: reply(to: error)
        case let error as HistoryError:
            DBusError(error.code == .invalidInput ? .invalidInput : .storeFailed, error.message)
        case let error as RegionError: DBusError(.failed, "\(error)")
        case is CancellationError: DBusError(.failed, "the agent is ending")
        default: DBusError(.failed, "\(error)")
        }
    }

    /// What the log may say of an error: what an app answered may tell what the person plays, its kind does not.
    static func logged(_ error: any Error) -> String {
        switch error {
        case let error as MediaError: error.code.rawValue
        case let error as DBusError: error.name.rawValue
        default: "\(error)"
        }
    }

    private static func reply(to error: GeocoderError) -> DBusError {
        switch error.code {
        case .noGazetteer: DBusError(.noGazetteer, error.message)
        case .emptyQuery, .tooLong, .notAPlace: DBusError(.invalidInput, error.message)
        default: DBusError(.failed, error.message)
        }
    }
}

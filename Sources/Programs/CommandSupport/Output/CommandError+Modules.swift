import Apps
import ArgumentParser
import Coordinates
import Directions
import Geocoding
import HunchDBus
import HunchModel
import Localization
import SearchIndexes

/// The exit codes of the modules' errors. This is the only place that maps them.
extension CommandError {
    package init(_ error: any Error) {
        switch error {
        case let error as PlaceError:
            self.init(error.message, ExitStatus.badInput, code: error.code.rawValue)
        case let error as GeocoderError:
            self.init(error.message, Self.status(of: error), code: error.code.rawValue)
        case let error as DirectionsError:
            self.init(error.message, Self.status(of: error), code: error.code.rawValue)
        case let error as LaunchError: self.init(error.message, ExitStatus.systemFailure, code: "launchFailed")
        case let error as IndexError:
            self.init(
                error.message, error.code == .invalidInput ? ExitStatus.badInput : ExitStatus.systemFailure,
                code: error.code.rawValue)
        case let error as DBusError: self.init(agent: error)
        default: self.init(ofFiles: error)
        }
    }

    private static func status(of error: DirectionsError) -> ExitCode {
        error.code == .settingsFailed ? ExitStatus.systemFailure : ExitStatus.badInput
    }

    private static func status(of error: GeocoderError) -> ExitCode {
        switch error.code {
        case .emptyQuery, .tooLong, .notAPlace: ExitStatus.badInput
        default: ExitStatus.systemFailure
        }
    }
}

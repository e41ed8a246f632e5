import ArgumentParser
import GazetteerImport
import Places

/// The exit codes of the modules' errors. This is the only place that maps them.
extension CommandError {
    init(_ error: any Error) {
        switch error {
        case let error as CommandError: self = error
        case let error as PlaceError: self.init(error.message, ExitStatus.badInput)
        case let error as GeocoderError: self.init(error.message, Self.status(of: error))
        case let error as ImportError: self.init(error.message, ExitStatus.badInput)
        default: self.init("\(error)", ExitStatus.trouble)
        }
    }

    private static func status(of error: GeocoderError) -> ExitCode {
        switch error.code {
        case .emptyQuery, .tooLong: ExitStatus.badInput
        default: ExitStatus.trouble
        }
    }
}

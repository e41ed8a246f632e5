import CommandSupport
import AgentInterface
import ArgumentParser
import GazetteerImport
import HunchModel

/// The words about downloads of places.
enum DownloadWords {
    /// Returns the sentence about what is downloaded from whom and how large it is.
    ///
    /// - Parameter files: at least one file.
    static func announcement(of files: [DownloadFile]) -> String {
        let host = files.first.flatMap { WebAddress.host(of: $0.address) }.map(String.init) ?? "the server"
        let names = files.map { file in
            let size = file.length.map { "\(megabytes($0)) MB" } ?? "of unknown size"
            let rest = file.received > 0 ? ", of which \(megabytes(file.received)) MB are here already" : ""
            return "\(file.name) (\(size)\(rest))"
        }
        return "from \(host): \(names.joined(separator: " and "))"
    }

    /// Returns a number of bytes in megabytes, with one digit after the point.
    static func megabytes(_ bytes: Int64) -> String {
        // A small file is not nothing.
        let tenths = max(bytes > 0 ? 1 : 0, Int(clamping: Double(bytes) / 100_000))
        return "\(tenths / 10).\(tenths % 10)"
    }

    /// Returns the error of a command for a failed download.
    static func error(_ failure: DownloadFailure, _ source: DownloadSource) -> CommandError {
        let host = WebAddress.host(of: failure.address).map(String.init) ?? "the server"
        let (message, status): (String, ExitCode) =
            switch failure.code {
            case .notFound: (nothing(of: source, host, failure.address), ExitStatus.nothingFound)
            case .unreachable: ("\(host) cannot be reached: \(failure.detail)", ExitStatus.systemFailure)
            case .refused:
                ("\(host) answered with the status \(failure.detail); try again later", ExitStatus.systemFailure)
            case .badRedirect:
                (
                    "\(host) redirects to \(failure.detail), which is not followed; give the right server with --url",
                    ExitStatus.systemFailure
                )
            case .insecure:
                (
                    "\(failure.address) is not encrypted; give an address with https://, or allow it with “hunch online "
                        + "servers”", ExitStatus.badInput
                )
            case .tooLarge:
                (
                    "the file is larger than \((failure.length ?? 0) >> 30) GiB, the limit; choose a smaller region",
                    ExitStatus.badInput
                )
            case .noSpace: (noSpace(failure), ExitStatus.systemFailure)
            case .incomplete:
                (
                    "the connection to \(host) ended before the end of the file; the same command continues the download",
                    ExitStatus.systemFailure
                )
            case .changed:
                ("\(failure.address) changed during the download; try again", ExitStatus.systemFailure)
            case .wrongChecksum:
                (
                    "\(failure.address) does not have the checksum that its server gives; it was discarded, so try again",
                    ExitStatus.systemFailure
                )
            case .storage: ("the download cannot be stored: \(failure.detail)", ExitStatus.systemFailure)
            }
        return CommandError(message, status, code: failure.code.rawValue)
    }

    private static func nothing(of source: DownloadSource, _ host: String, _ address: String) -> String {
        switch source {
        case .country(let code): "\(host) has no places of \(Country.name(of: code)) (\(address))"
        case .openStreetMap(let region):
            "\(host) has no region “\(region)”; its name is the path of a page at https://download.geofabrik.de, as in "
                + "osm:europe/germany/berlin"
        case .cities500, .cities15000: "\(host) has no file \(address); give another server with --url"
        }
    }

    private static func noSpace(_ failure: DownloadFailure) -> String {
        guard let length = failure.length, let available = failure.available else {
            return "the disk is full; make room, and the same command continues the download"
        }
        return
            "\(failure.detail) needs \(megabytes(length)) MB of free space and has \(megabytes(available)); make room first"
    }
}

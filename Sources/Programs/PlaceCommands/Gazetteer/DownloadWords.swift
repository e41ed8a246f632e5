import CommandSupport
import AgentInterface
import ArgumentParser
import GazetteerImport
import HunchModel
import Localization

/// The words about downloads of places.
enum DownloadWords {
    /// Returns the sentence about what is downloaded from whom and how large it is.
    ///
    /// - Parameter files: at least one file.
    static func announcement(of files: [DownloadFile]) -> String {
        let host = files.first.flatMap { WebAddress.host(of: $0.address) }.map(String.init) ?? localized("the server")
        let names = files.map { file in
            let size = file.length.map { "\(megabytes($0)) MB" } ?? localized("of unknown size")
            return file.received > 0
                ? localized("%1 (%2, of which %3 MB are here already)", file.name, size, megabytes(file.received))
                : "\(file.name) (\(size))"
        }
        return localized("from %1: %2", host, names.dropFirst().reduce(names[0]) { localized("%1 and %2", $0, $1) })
    }

    /// Returns a number of bytes in megabytes, with one digit after the point.
    static func megabytes(_ bytes: Int64) -> String {
        // A small file is not nothing.
        let tenths = max(bytes > 0 ? 1 : 0, Int(clamping: Double(bytes) / 100_000))
        return LocalNumber.decimal(tenths: tenths)
    }

    /// Returns the error of a command for a failed download.
    static func error(_ failure: DownloadFailure, _ source: DownloadSource) -> CommandError {
        let host = WebAddress.host(of: failure.address).map(String.init) ?? localized("the server")
        let (message, status): (String, ExitCode) =
            switch failure.code {
            case .notFound: (nothing(of: source, host, failure.address), ExitStatus.nothingFound)
            case .unreachable:
                (
                    localized("%1 cannot be reached: %2; check the network, then try again", host, failure.detail),
                    ExitStatus.systemFailure
                )
            case .refused:
                (
                    localized("%1 answered with the status %2; try again later", host, failure.detail),
                    ExitStatus.systemFailure
                )
            case .badRedirect:
                (
                    localized(
                        "%1 redirects to %2, which is not followed; give the right server with --url", host,
                        failure.detail),
                    ExitStatus.systemFailure
                )
            case .insecure:
                (
                    localized(
                        "%1 is not encrypted; give an address with https://, or allow it with “hunch online servers”",
                        failure.address), ExitStatus.badInput
                )
            case .tooLarge:
                (
                    localized(
                        "the file is larger than %1 GiB, the limit; choose a smaller region",
                        (failure.length ?? 0) >> 30),
                    ExitStatus.badInput
                )
            case .noSpace: (noSpace(failure), ExitStatus.systemFailure)
            case .incomplete:
                (
                    localized(
                        """
                        the connection to %1 ended before the end of the file; the same command continues the \
                        download
                        """, host),
                    ExitStatus.systemFailure
                )
            case .changed:
                (localized("%1 changed during the download; try again", failure.address), ExitStatus.systemFailure)
            case .wrongChecksum:
                (
                    localized(
                        "%1 does not have the checksum that its server gives; it was discarded, so try again",
                        failure.address),
                    ExitStatus.systemFailure
                )
            case .storage: (localized("the download cannot be stored: %1", failure.detail), ExitStatus.systemFailure)
            }
        return CommandError(message, status, code: failure.code.rawValue)
    }

    private static func nothing(of source: DownloadSource, _ host: String, _ address: String) -> String {
        switch source {
        case .country(let code): localized("%1 has no places of %2 (%3)", host, Country.name(of: code), address)
        case .openStreetMap(let region):
            localized(
                """
                %1 has no region “%2”; its name is the path of a page at https://download.geofabrik.de, \
                as in osm:europe/germany/berlin
                """, host, region)
        case .cities500, .cities15000: localized("%1 has no file %2; give another server with --url", host, address)
        }
    }

    private static func noSpace(_ failure: DownloadFailure) -> String {
        guard let length = failure.length, let available = failure.available else {
            return localized("the disk is full; make room, and the same command continues the download")
        }
        return
            localized(
                "%1 needs %2 MB of free space and has %3; make room first", failure.detail, megabytes(length),
                megabytes(available))
    }
}

import BulkFiles
import Files
import Glibc
import HunchModel
import Places

/// A KMZ archive: a ZIP archive whose first KML file in the root is the document. Source: OGC 12-007r2, section 6.4.
enum KMZArchive {
    /// Returns the place in an archive.
    ///
    /// - Throws: ``PlaceError``.
    static func place(in file: FileBytes) throws(PlaceError) -> ParsedPlace {
        guard let path = file.path else {
            return try ScratchCopy.lend(file) { (path) throws(PlaceError) in try place(in: file, at: path) }
        }
        return try place(in: file, at: path)
    }

    private static func place(in file: FileBytes, at path: String) throws(PlaceError) -> ParsedPlace {
        do {
            let archive = try ZipArchive(path: path, size: file.count)
            let document = archive.entries.first {
                !$0.name.utf8.contains(UInt8(ascii: "/")) && $0.name.lowercased().hasSuffix(".kml")
            }
            guard let document else {
                throw PlaceError(.unknownFormat, "\(file.name) is an archive without a KML file; give GPX, KML or KMZ")
            }
            let stream = try archive.open(document, limit: GeographicDocument.maximumLength)
            return try GeographicDocument.place(named: file.name) { (count) throws(PlaceError) in
                var failure: (any Error)?
                let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
                    do {
                        filled = try stream.read(into: UnsafeMutableRawBufferPointer(buffer))
                    } catch {
                        failure = error
                    }
                }
                if let failure { throw translated(failure, file.name) }
                return bytes
            }
        } catch {
            throw translated(error, file.name)
        }
    }

    /// Returns an error of the archive as a place error that names the file as the person did.
    private static func translated(_ error: any Error, _ name: String) -> PlaceError {
        if let error = error as? PlaceError { return error }
        switch (error as? ImportError)?.code {
        case .tooLong?:
            return PlaceError(.tooLong, "\(name) has more than 16 MiB of KML; give a smaller file", underlying: error)
        case .unknownFormat?:
            return PlaceError(
                .malformed, "\(name) is encrypted or uses an unsupported compression; unpack it and give its KML file",
                underlying: error)
        default:
            return PlaceError(.malformed, "\(name) is damaged; export or copy it again", underlying: error)
        }
    }
}

/// A copy of a pipe's content with a path, for readers that need one. No other process can open it.
private enum ScratchCopy {
    /// Calls `body` with the path of a copy of the file. The copy exists only during the call.
    static func lend(
        _ file: FileBytes, _ body: (String) throws(PlaceError) -> ParsedPlace
    ) throws(PlaceError) -> ParsedPlace {
        var template = Array("/tmp/hunch-XXXXXX".utf8CString)
        // -1 on failure, with errno. On success the template contains the name, which is unlinked at once.
        let descriptor = mkstemp(&template)
        if descriptor >= 0 { unlink(template) }
        defer { if descriptor >= 0 { close(descriptor) } }
        guard descriptor >= 0, (try? writeAll(file.memory, to: descriptor)) != nil else {
            throw PlaceError(.unreadable, "there is not enough space in /tmp to unpack \(file.name)")
        }
        return try body("/proc/self/fd/\(descriptor)")
    }
}

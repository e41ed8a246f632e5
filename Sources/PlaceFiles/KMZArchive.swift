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
            do {
                return try ScratchFile.lend(file.memory) { try place(in: file, at: $0) }
            } catch let error as PlaceError {
                throw error
            } catch {
                throw PlaceError(.unreadable, "there is not enough space in /tmp to unpack \(file.name)")
            }
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

import BulkFiles
import Coordinates
import Files
import Glibc
import HunchModel
import Localization
import MapLinks

/// A KMZ archive: a ZIP archive whose first KML file in the root is the document. Source: OGC 12-007r2, section 6.4.
///
/// Some apps put the document into a folder, or only links to the other documents of the archive into it, as Organic
/// Maps does in its backups. So the document's links are read next, and then the archive's other documents.
enum KMZArchive {
    /// The maximum number of documents of an archive that are read.
    private static let maximumDocuments = 32

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
                throw PlaceError(.unreadable, localized("there is not enough space in /tmp to unpack %1", file.name))
            }
        }
        return try place(in: file, at: path)
    }

    private static func place(in file: FileBytes, at path: String) throws(PlaceError) -> ParsedPlace {
        do {
            let archive = try ZipArchive(path: path, size: file.count)
            let documents = Self.documents(of: archive)
            var waiting = documents.map(\.path)
            var visited: Set<String> = []
            var fault: PlaceError?
            while !waiting.isEmpty, visited.count < maximumDocuments {
                let path = waiting.removeFirst()
                guard let document = documents.first(where: { $0.path == path }), visited.insert(path).inserted else {
                    continue
                }
                let stream = try archive.open(document.entry, limit: GeographicDocument.maximumLength)
                let (place, links) = try read(stream, named: file.name)
                switch place {
                case .success(let place): return place
                case .failure(let error): fault = fault ?? error
                }
                waiting.insert(contentsOf: links.compactMap { Self.path(of: $0, from: path) }, at: 0)
            }
            throw fault
                ?? PlaceError(
                    .unknownFormat, localized("%1 is an archive without a KML file; give GPX, KML or KMZ", file.name))
        } catch {
            throw translated(error, file.name)
        }
    }

    /// Returns the KML files of an archive, those of the root first, with `/` between the folders. Some programs on
    /// Windows write `\`. Copies by macOS keep attributes of files in a folder of their own.
    private static func documents(of archive: ZipArchive) -> [(path: String, entry: ZipArchive.Entry)] {
        let documents = archive.entries.map { (path: $0.name.replacing("\\", with: "/"), entry: $0) }
            .filter { $0.path.lowercased().hasSuffix(".kml") && !$0.path.hasPrefix("__MACOSX/") }
        func depth(_ path: String) -> Int { path.utf8.count { $0 == UInt8(ascii: "/") } }
        let least = documents.map { depth($0.path) }.min()
        return documents.filter { depth($0.path) == least } + documents.filter { depth($0.path) != least }
    }

    private static func read(
        _ stream: any ByteStream, named name: String
    ) throws(PlaceError) -> (Result<ParsedPlace, PlaceError>, [String]) {
        try GeographicDocument.read(named: name) { (count) throws(PlaceError) in
            var failure: (any Error)?
            let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
                do {
                    filled = try stream.read(into: UnsafeMutableRawBufferPointer(buffer))
                } catch {
                    failure = error
                }
            }
            if let failure { throw translated(failure, name) }
            return bytes
        }
    }

    /// Returns the path in the archive that a link in a document means; `nil` if the link leaves the archive.
    private static func path(of link: String, from document: String) -> String? {
        guard let link = PercentCoding.decode(link.prefix { $0 != "#" && $0 != "?" }) else { return nil }
        var folders = document.split(separator: "/").dropLast().map(String.init)
        for part in link.replacing("\\", with: "/").split(separator: "/") where part != "." {
            guard part == ".." else {
                folders.append(String(part))
                continue
            }
            guard folders.popLast() != nil else { return nil }
        }
        return folders.joined(separator: "/")
    }

    /// Returns an error of the archive as a place error that names the file as the user did.
    private static func translated(_ error: any Error, _ name: String) -> PlaceError {
        if let error = error as? PlaceError { return error }
        switch (error as? ImportError)?.code {
        case .tooLong?:
            return PlaceError(
                .tooLong, localized("%1 has more than 16 MiB of KML; give a smaller file", name), underlying: error)
        case .unknownFormat?:
            return PlaceError(
                .malformed,
                localized("%1 is encrypted or uses an unsupported compression; unpack it and give its KML file", name),
                underlying: error)
        default:
            return PlaceError(.malformed, localized("%1 is damaged; export or copy it again", name), underlying: error)
        }
    }
}

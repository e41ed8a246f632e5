public import Geocoding
public import HunchModel
import Localization
import Files
import FoundationEssentials
#if canImport(Glibc)
    import Glibc
#else
    import Musl
#endif

/// The file of the gazetteer, with atomic replacement.
///
/// A change is made in a copy next to the file, which then replaces the file. Readers continue with the previous file
/// until they open it again. A change that fails or is killed leaves the file unchanged.
public struct GazetteerFile: Hashable, Sendable {
    /// The path of the file.
    public let path: String

    /// Creates a reference to a file by its path, relative to the working directory unless absolute.
    public init(path: String) { self.path = path }

    /// Creates a reference to the user's gazetteer, `$XDG_DATA_HOME/hunch/gazetteer.sqlite`; XDG Base Directory
    /// Specification.
    ///
    /// - Throws: ``GeocoderError`` with `storage` if neither `XDG_DATA_HOME` nor `HOME` is an absolute path.
    public init(environment: [String: String]) throws(GeocoderError) {
        if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") {
            path = "\(data)/hunch/gazetteer.sqlite"
        } else if let home = environment["HOME"], home.hasPrefix("/") {
            path = "\(home)/.local/share/hunch/gazetteer.sqlite"
        } else {
            throw GeocoderError(
                .storage,
                localized("the gazetteer has no folder: neither HOME nor XDG_DATA_HOME is set; set one of them"))
        }
    }

    /// Whether the file exists.
    public var exists: Bool { access(path, F_OK) == 0 }

    /// Removes the file, if it exists.
    ///
    /// - Throws: ``GeocoderError`` with `storage`, or `busy` while an import runs.
    public func remove() throws(GeocoderError) {
        guard exists else { return }
        let lock = try lockFolder()
        defer { extendLifetime(lock) }
        guard unlink(path) == 0 || errno == ENOENT else {
            throw trouble(localized("cannot remove %1: %2", path, SystemError()))
        }
    }

    /// Returns the sources of the gazetteer; empty if there is none.
    ///
    /// - Throws: ``GeocoderError`` with `incompatible` or `storage`.
    public func sources() throws(GeocoderError) -> [GazetteerSource] {
        guard exists else { return [] }
        return try Gazetteer(self).sources()
    }

    /// The folder of the file.
    package var folder: String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// The path of the copy to change. The lock protects it. A copy left by a killed process is overwritten.
    private var partial: String { path + ".partial" }

    /// Calls `change` with the path of a copy or of a new file, which then replaces the file.
    ///
    /// - Parameter keepingContent: whether the copy begins with the current content.
    package func replace(keepingContent: Bool, change: (String) throws -> Void) throws {
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw GeocoderError(
                .storage, localized("the folder %1 cannot be created; check the permissions above it", folder),
                underlying: error)
        }
        let lock = try lockFolder()
        defer { extendLifetime(lock) }
        for leftover in [partial, partial + "-journal"] { unlink(leftover) }
        defer { unlink(partial) }
        if keepingContent, exists {
            do {
                try FileManager.default.copyItem(atPath: path, toPath: partial)
            } catch {
                throw GeocoderError(
                    .storage, localized("%1 cannot be copied; check the free disk space", path), underlying: error)
            }
        }
        try change(partial)
        try makeDurable(partial)
        guard rename(partial, path) == 0 else { throw trouble(localized("cannot replace %1: %2", path, SystemError())) }
        try makeDurable(folder)
    }

    /// Locks the folder against a second import.
    private func lockFolder() throws(GeocoderError) -> FileLock {
        do throws(FileLock.Failure) {
            return try FileLock(folder: folder)
        } catch {
            switch error {
            case .unavailable(let reason):
                throw GeocoderError(.storage, localized("cannot open %1: %2", folder, reason))
            case .held:
                throw GeocoderError(.busy, localized("another import is running; try again when it has ended"))
            }
        }
    }

    private func makeDurable(_ path: String) throws(GeocoderError) {
        // -1 on failure, with errno.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw trouble(localized("cannot open %1: %2", path, SystemError())) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw trouble(localized("cannot write %1: %2", path, SystemError())) }
    }

    private func trouble(_ message: String) -> GeocoderError { GeocoderError(.storage, message) }
}

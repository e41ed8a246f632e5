internal import CLinux
internal import FoundationEssentials
internal import Glibc
package import HunchModel

/// Decides which recently used documents may be recorded, by where they are.
///
/// Only existing files in the user's home directory count, on the same file system, so that nothing on removable,
/// network and encrypted volumes is recorded. Hidden folders and excluded ones do not count either.
package struct DocumentFilter: Sendable {
    private let home: String
    private let exclusions: Set<AppID>

    /// - Parameters:
    ///   - home: the absolute path of the home directory.
    ///   - exclusions: the excluded names; see ``isExcluded(_:by:)``.
    package init(home: String, exclusions: Set<AppID>) {
        self.home = home
        self.exclusions = exclusions
    }

    /// Returns whether a document is in an excluded folder.
    ///
    /// - Parameter exclusions: the excluded names. Those that begin with a slash are the absolute paths of folders and
    ///   files, the others are apps.
    package static func isExcluded(_ uri: String, by exclusions: Set<AppID>) -> Bool {
        Self.path(in: uri).map { isExcluded(path: $0, by: exclusions) } ?? false
    }

    private static func isExcluded(path: String, by exclusions: Set<AppID>) -> Bool {
        exclusions.contains { $0.rawValue.hasPrefix("/") && (path == $0.rawValue || isBelow($0.rawValue, path)) }
    }

    /// Returns the path of a `file:` URI on this machine (RFC 8089).
    package static func path(in uri: String) -> String? {
        guard uri.hasPrefix("file:///"), let path = PercentCoding.decode(uri.dropFirst(7)), !path.utf8.contains(0)
        else { return nil }
        return path
    }

    /// Returns the path of a document that may be recorded; `nil` for others. Reads the file system.
    package func path(of uri: String) -> String? {
        guard let path = Self.path(in: uri), Self.isBelow(home, path),
            !Self.isExcluded(path: path, by: exclusions),
            !path.dropFirst(home.utf8.count).split(separator: "/").contains(where: { $0.hasPrefix(".") })
        else { return nil }
        // A link in the home directory may lead to another volume.
        let file = URL(filePath: path).resolvingSymlinksInPath().path
        guard Self.isBelow(URL(filePath: home).resolvingSymlinksInPath().path, file),
            !Self.isExcluded(path: file, by: exclusions)
        else { return nil }
        var (own, status) = (stat(), stat())
        // −1: missing, or no access.
        guard stat(home, &own) == 0, stat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            status.st_dev == own.st_dev, hunch_is_encrypted(file) == hunch_is_encrypted(home)
        else { return nil }
        return path
    }

    private static func isBelow(_ folder: String, _ path: String) -> Bool {
        path.hasPrefix(folder.hasSuffix("/") ? folder : folder + "/")
    }
}

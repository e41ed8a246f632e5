public import HunchModel
internal import Glibc

/// A media item that is a file on this machine.
public struct LocalMedia: Hashable, Sendable {
    private let path: String

    /// The file's name without its folders.
    public var name: String { path.split(separator: "/").last.map(String.init) ?? path }

    /// Creates the file of an item; `nil` unless the item is a `file:` URI of this machine.
    public init?(item: ContentItem.ID) {
        guard let uri = ItemIdentity.uri(of: item), let path = LocalFile.path(ofURI: uri) else { return nil }
        self.path = path
    }

    /// Returns whether the file is missing. A file that cannot be accessed does not count as missing.
    ///
    /// Queries the file system, which may block.
    ///
    /// - Parameter sandbox: The sandbox of the app that named the file; `nil` if it has none.
    public func isMissing(in sandbox: SandboxPaths?) -> Bool {
        ([path] + (sandbox?.paths(of: path) ?? [])).allSatisfy { path in
            var status = stat()
            // −1: inaccessible. Only these two errors mean that the file is missing.
            return stat(path, &status) != 0 && (errno == ENOENT || errno == ENOTDIR)
        }
    }
}

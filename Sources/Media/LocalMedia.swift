public import HunchModel
internal import Glibc

/// An item that is a file of this machine.
public struct LocalMedia: Hashable, Sendable {
    private let path: String

    /// The file's name, without its folders.
    public var name: String { path.split(separator: "/").last.map(String.init) ?? path }

    /// The file that an item is; `nil` for anything but a `file:` URI of this machine.
    public init?(item: ContentItem.ID) {
        guard let uri = ItemIdentity.uri(of: item), let path = LocalFile.path(ofURI: uri) else { return nil }
        self.path = path
    }

    /// Whether the file is gone. One that may not be looked at is not known to be.
    ///
    /// Asks the file system, which may block.
    ///
    /// - Parameter sandbox: that of the app that named the file; `nil` when it has none.
    public func isMissing(in sandbox: SandboxPaths?) -> Bool {
        ([path] + (sandbox?.paths(of: path) ?? [])).allSatisfy { path in
            var status = stat()
            // −1: it cannot be looked at, which means that it is gone for these two reasons alone.
            return stat(path, &status) != 0 && (errno == ENOENT || errno == ENOTDIR)
        }
    }
}

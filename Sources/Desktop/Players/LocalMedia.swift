public import HunchModel
internal import Glibc

/// A media item that is a file on this machine.
public struct LocalMedia: Hashable, Sendable {
    /// The item.
    private let item: ContentItem.ID
    /// The path as the item's address names it, and its other possible readings, the likeliest first.
    private let paths: [[UInt8]]
    private let path: String

    /// The file's name without its folders.
    public var name: String { path.split(separator: "/").last.map(String.init) ?? path }

    /// Creates the file of an item; `nil` unless the item is a `file:` URI of this machine.
    public init?(item: ContentItem.ID) {
        guard let uri = ItemIdentity.uri(of: item), let bytes = LocalFile.bytes(ofURI: uri) else { return nil }
        self.item = item
        path = ItemTitle.text(bytes)
        let readings = Self.otherReadings(of: path).map { Array($0.utf8) }
        paths = [bytes] + readings.filter { $0 != bytes && !$0.contains(0) }
    }

    /// Returns what a player may have meant by a wrong encoding: a name in Latin-1 for one in UTF-8, an address that is
    /// encoded twice, or a plus for a space.
    private static func otherReadings(of path: String) -> [String] {
        [path, PercentCoding.decode(path) ?? path, path.replacing("+", with: " ")]
    }

    /// Returns the item, or its address in the encoding in which the file exists.
    ///
    /// Queries the file system, which may block.
    ///
    /// - Parameter sandbox: The sandbox of the app that named the file; `nil` if it has none.
    public func located(in sandbox: SandboxPaths?) -> ContentItem.ID {
        guard let found = paths.first(where: { !Self.isMissing($0, in: sandbox) }), found != paths[0],
            let path = String(validating: found, as: UTF8.self)
        else { return item }
        return LocalFile.uri(ofPath: path)
    }

    /// Returns whether the file is missing. A file that cannot be accessed does not count as missing.
    ///
    /// Queries the file system, which may block.
    ///
    /// - Parameter sandbox: The sandbox of the app that named the file; `nil` if it has none.
    public func isMissing(in sandbox: SandboxPaths?) -> Bool {
        paths.allSatisfy { Self.isMissing($0, in: sandbox) }
    }

    private static func isMissing(_ path: [UInt8], in sandbox: SandboxPaths?) -> Bool {
        let text = String(validating: path, as: UTF8.self)
        let outside = text.flatMap { sandbox?.paths(of: $0) } ?? []
        return ([path] + outside.map { Array($0.utf8) }).allSatisfy { path in
            var status = stat()
            let result = (path.map(CChar.init(bitPattern:)) + [0]).withUnsafeBufferPointer {
                $0.baseAddress.map { stat($0, &status) }
            }
            // −1: inaccessible. Only these two errors mean that the file is missing.
            return result != 0 && (errno == ENOENT || errno == ENOTDIR)
        }
    }
}

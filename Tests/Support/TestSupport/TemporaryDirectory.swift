import FoundationEssentials
import Glibc

/// A folder of a test's own, named by an absolute path short enough for sockets inside it.
public struct TemporaryDirectory: Sendable, CustomStringConvertible {
    /// The absolute path, without a slash at its end.
    public let path: String

    /// The path, so that `"\(directory)/x"` reads well.
    public var description: String { path }

    /// The absolute path of `name` in here.
    public func file(_ name: String) -> String { "\(path)/\(name)" }

    /// Writes `text` to `name`, making the folders between, and returns the absolute path.
    @discardableResult
    public func write(_ text: String, to name: String) throws -> String { try write(Array(text.utf8), to: name) }

    /// Writes `bytes` to `name`, making the folders between, and returns the absolute path.
    @discardableResult
    public func write(_ bytes: [UInt8], to name: String) throws -> String {
        let file = file(name)
        let folder = file.prefix(upTo: file.lastIndex(of: "/") ?? file.startIndex)
        try FileManager.default.createDirectory(atPath: String(folder), withIntermediateDirectories: true)
        try Data(bytes).write(to: URL(filePath: file))
        waitUntilWritten(file)
        return file
    }

    /// The text of `name`; throws when it cannot be read or is not UTF-8.
    public func read(_ name: String) throws -> String {
        try String(contentsOf: URL(filePath: file(name)), encoding: .utf8)
    }
}

/// Creates a folder, runs `body` and removes the folder with all that is in it, however the body ends.
public nonisolated(nonsending) func withTemporaryDirectory<Value>(
    _ body: nonisolated(nonsending) (TemporaryDirectory) async throws -> Value
) async throws -> Value {
    // All that uses libpulse needs a folder first.
    _ = libpulseIsElsewhere
    let base = FileManager.default.temporaryDirectory.path
    var template = Array("\(base.hasSuffix("/") ? String(base.dropLast()) : base)/hunch.XXXXXX".utf8CString)
    // NULL is failure; on success the template itself holds the name.
    guard mkdtemp(&template) != nil else { throw BenchError("no folder could be made under \(base) (errno \(errno))") }
    let directory = TemporaryDirectory(path: String(decoding: template.dropLast().map(UInt8.init), as: UTF8.self))
    Guardian.shared.add(folder: directory.path)
    defer {
        // A program that ends just now may write into the folder while it is removed, as Mesa does with its shader
        // cache.
        for _ in 0..<20 {
            try? FileManager.default.removeItem(atPath: directory.path)
            guard FileManager.default.fileExists(atPath: directory.path) else { break }
            usleep(100_000)
        }
        Guardian.shared.remove(folder: directory.path)
    }
    return try await body(directory)
}

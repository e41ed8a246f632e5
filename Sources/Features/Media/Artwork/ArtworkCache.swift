public import Players
internal import Files
public import HunchModel
internal import Glibc

/// Copies of the artwork that players name, in a folder of our own. They stay available and unchanged after the player
/// quits.
///
/// Only copies local regular files with a format and size that ``ImageHeader`` accepts. Decodes nothing. Stores equal
/// pictures once. All members block; call them on a thread for blocking work.
public struct ArtworkCache: Sendable {
    /// The limits of the cache and its pictures.
    public struct Limits: Sendable {
        /// The largest file, in bytes.
        public var fileSize = 10 << 20
        /// The largest width and height, in pixels.
        public var pixels = 4_096
        /// The most pictures. The least recently used ones beyond this limit are removed.
        public var count = 256
        /// The largest total size, in bytes. The least recently used pictures beyond this limit are removed.
        public var totalSize = 64 << 20

        /// Creates the default limits.
        public init() {}
    }

    /// The absolute path of the folder.
    public let folder: String
    private let limits: Limits

    /// Creates a cache without accessing the folder.
    ///
    /// - Parameter folder: The absolute path of a folder that only the cache uses. It and its missing parents are
    ///   created with mode 0700 when needed.
    public init(folder: String, limits: Limits = Limits()) {
        self.folder = folder
        self.limits = limits
    }

    /// A picture that was read and is within the limits.
    public struct Picture: Sendable {
        /// The absolute path of the source file; `nil` if the picture did not come from a file.
        let path: String?
        let bytes: [UInt8]
        let format: ImageHeader.Format
    }

    /// Copies a picture; see ``picture(at:in:)`` and ``keep(_:)``.
    public func copy(of url: String, in sandbox: SandboxPaths? = nil) throws(MediaError) -> String {
        try keep(picture(at: url, in: sandbox))
    }

    /// Reads a picture. Writes nothing.
    ///
    /// - Parameters:
    ///   - url: A `file:` URI of this machine.
    ///   - sandbox: The sandbox of the app that named the picture; `nil` if it has none.
    /// - Throws: ``MediaError`` with the code `unusableArtwork` for anything that is not a picture within the limits.
    public func picture(at url: String, in sandbox: SandboxPaths? = nil) throws(MediaError) -> Picture {
        guard let path = LocalFile.path(ofURI: url) else {
            throw MediaError(.unusableArtwork, "the picture is not a file on this machine")
        }
        return try picture(try contents(of: path, in: sandbox), from: path)
    }

    /// Stores a picture that did not come from a file.
    ///
    /// - Returns: The `file:` URI of the copy.
    /// - Throws: ``MediaError``, as ``copy(of:in:)``.
    public func keep(_ bytes: [UInt8]) throws(MediaError) -> String {
        guard bytes.count <= limits.fileSize else {
            throw MediaError(.unusableArtwork, "the picture has \(bytes.count) bytes; the limit is \(limits.fileSize)")
        }
        return try keep(try picture(bytes, from: nil))
    }

    /// - Parameter path: The source file; `nil` if the bytes did not come from a file.
    private func picture(_ bytes: [UInt8], from path: String?) throws(MediaError) -> Picture {
        let subject = path.map { "the picture \($0)" } ?? "the picture"
        guard let header = ImageHeader(bytes) else {
            throw MediaError(.unusableArtwork, "\(subject) is not a PNG, JPEG, WebP or GIF file")
        }
        guard header.width <= limits.pixels, header.height <= limits.pixels else {
            throw MediaError(
                .unusableArtwork,
                "\(subject) has \(header.width) × \(header.height) pixels; the limit is \(limits.pixels)")
        }
        return Picture(path: path, bytes: bytes, format: header.format)
    }

    /// Stores a picture in the folder.
    ///
    /// - Returns: The `file:` URI of the copy. A picture that was read from the folder is not copied again.
    /// - Throws: ``MediaError`` with the code `inputOutput` if the folder cannot be written.
    public func keep(_ picture: Picture) throws(MediaError) -> String {
        let name = Self.name(of: picture.bytes, picture.format)
        let copy = "\(folder)/\(name)"
        if picture.path != copy, utimensat(AT_FDCWD, copy, nil, AT_SYMLINK_NOFOLLOW) != 0 {
            try makeFolder()
            try write(picture.bytes, to: name)
            try trim(keeping: name)
        }
        return LocalFile.uri(ofPath: copy)
    }

    /// Removes all pictures.
    ///
    /// - Returns: The number of removed pictures.
    /// - Throws: ``MediaError`` with the code `inputOutput` if a picture cannot be removed.
    @discardableResult
    public func removeAll() throws(MediaError) -> Int {
        let entries = try entries()
        for entry in entries { try remove(entry.name) }
        return entries.count
    }

    /// Reads the file that an app named, first in its sandbox, then on this machine.
    private func contents(of path: String, in sandbox: SandboxPaths?) throws(MediaError) -> [UInt8] {
        for inside in sandbox?.paths(of: path) ?? [] {
            if let bytes = try? LocalFile.contents(of: inside, limit: limits.fileSize) { return bytes }
        }
        return try LocalFile.contents(of: path, limit: limits.fileSize)
    }

    // MARK: Files

    private struct Entry {
        var name: String
        var size: Int
        var used: timespec
    }

    /// Returns a unique file name: the hash and the number of the bytes.
    private static func name(of bytes: [UInt8], _ format: ImageHeader.Format) -> String {
        "\(StableHash(bytes).digits)-\(bytes.count).\(format.rawValue)"
    }

    private func makeFolder() throws(MediaError) {
        for end in folder.indices.dropFirst() where folder[end] == "/" { mkdir(String(folder[..<end]), 0o700) }
        if mkdir(folder, 0o700) != 0, errno != EEXIST { throw trouble("be made") }
    }

    /// Writes to a temporary name and renames it, so that a file under its own name is always complete.
    private func write(_ bytes: [UInt8], to name: String) throws(MediaError) {
        let temporary = "\(folder)/.\(name).\(getpid())"
        unlink(temporary)
        do throws(SystemError) {
            let file = try ReplacementFile(of: "\(folder)/\(name)", at: temporary, mode: 0o600)
            try file.write(bytes)
            try file.finish(isDurable: false)
        } catch {
            throw trouble("be written", error)
        }
    }

    private func trim(keeping kept: String) throws(MediaError) {
        var entries = try entries().sorted { ($0.used.tv_sec, $0.used.tv_nsec) > ($1.used.tv_sec, $1.used.tv_nsec) }
        var size = entries.reduce(0) { $0 + $1.size }
        while let oldest = entries.last(where: { $0.name != kept }),
            entries.count > limits.count || size > limits.totalSize
        {
            try remove(oldest.name)
            size -= oldest.size
            entries.removeAll { $0.name == oldest.name }
        }
    }

    private func entries() throws(MediaError) -> [Entry] {
        // NULL: the folder does not exist or cannot be read.
        guard let directory = opendir(folder) else {
            if errno == ENOENT { return [] }
            throw trouble("be read")
        }
        defer { closedir(directory) }
        var entries: [Entry] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            var status = stat()
            guard fstatat(dirfd(directory), name, &status, AT_SYMLINK_NOFOLLOW) == 0,
                status.st_mode & S_IFMT == S_IFREG
            else { continue }
            entries.append(Entry(name: name, size: Int(status.st_size), used: status.st_mtim))
        }
        return entries
    }

    private func remove(_ name: String) throws(MediaError) {
        if unlink("\(folder)/\(name)") != 0, errno != ENOENT { throw trouble("be emptied") }
    }

    private func trouble(_ what: String, _ error: SystemError = SystemError()) -> MediaError {
        MediaError(.inputOutput, "the picture folder \(folder) cannot \(what): \(error)")
    }
}

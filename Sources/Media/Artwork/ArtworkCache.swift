public import HunchModel
internal import Glibc

/// Pictures that players named, copied to a folder of our own, so that they can be shown when the player is gone and
/// are not what someone made of them meanwhile.
///
/// Only local regular files are copied, of a kind and size that ``ImageHeader`` tells; nothing is decoded. Equal
/// pictures are kept once. All members block: call them on a thread for such work.
public struct ArtworkCache: Sendable {
    /// Bounds of the cache and of what goes in.
    public struct Limits: Sendable {
        /// The largest file, in bytes.
        public var fileSize = 10 << 20
        /// The most pixels from left to right, and from top to bottom.
        public var pixels = 4_096
        /// The most pictures; beyond, the ones that were used longest ago are removed.
        public var count = 256
        /// The most bytes of all pictures; likewise.
        public var totalSize = 64 << 20

        /// The defaults above.
        public init() {}
    }

    /// The absolute path of the folder.
    public let folder: String
    private let limits: Limits

    /// Describes a cache; nothing is made yet.
    ///
    /// - Parameter folder: absolute path of a folder that is the cache's alone; it and those above it are made with
    ///   mode 0700 when they do not exist.
    public init(folder: String, limits: Limits = Limits()) {
        self.folder = folder
        self.limits = limits
    }

    /// A picture that was read and is within the limits.
    public struct Picture: Sendable {
        /// The absolute path that it was read from; `nil` for one that came from elsewhere.
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
    ///   - url: a `file:` URI of this machine.
    ///   - sandbox: of the app that named it; `nil` for one that has none.
    /// - Throws: ``MediaError`` with the code `unusableArtwork` for anything that is not a picture within the limits.
    public func picture(at url: String, in sandbox: SandboxPaths? = nil) throws(MediaError) -> Picture {
        guard let path = LocalFile.path(ofURI: url) else {
            throw MediaError(.unusableArtwork, "a picture that is not a file of this machine is not used")
        }
        return try picture(try contents(of: path, in: sandbox), from: path)
    }

    /// Keeps a picture that came from elsewhere.
    ///
    /// - Returns: the `file:` URI of the copy.
    /// - Throws: ``MediaError``, as ``copy(of:in:)``.
    public func keep(_ bytes: [UInt8]) throws(MediaError) -> String {
        guard bytes.count <= limits.fileSize else {
            throw MediaError(.unusableArtwork, "the picture has \(bytes.count) bytes; the limit is \(limits.fileSize)")
        }
        return try keep(try picture(bytes, from: nil))
    }

    /// - Parameter path: the file that it was read from.
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

    /// Keeps a picture in the folder.
    ///
    /// - Returns: the `file:` URI of the copy. A picture that was read from the folder is not copied again.
    /// - Throws: ``MediaError`` with the code `inputOutput` when the folder cannot be written.
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
    /// - Returns: how many there were.
    /// - Throws: ``MediaError`` with the code `inputOutput` when one cannot be removed.
    @discardableResult
    public func removeAll() throws(MediaError) -> Int {
        let entries = try entries()
        for entry in entries { try remove(entry.name) }
        return entries.count
    }

    /// What an app named, in its sandbox where that is, else of this machine.
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

    /// A name that tells pictures apart: the hash of the bytes, and their number.
    private static func name(of bytes: [UInt8], _ format: ImageHeader.Format) -> String {
        "\(StableHash(bytes).digits)-\(bytes.count).\(format.rawValue)"
    }

    private func makeFolder() throws(MediaError) {
        for end in folder.indices.dropFirst() where folder[end] == "/" { mkdir(String(folder[..<end]), 0o700) }
        if mkdir(folder, 0o700) != 0, errno != EEXIST { throw trouble("be made") }
    }

    /// Writes a file under a temporary name first, so that one under its own name is whole.
    private func write(_ bytes: [UInt8], to name: String) throws(MediaError) {
        let temporary = "\(folder)/.\(name).\(getpid())"
        unlink(temporary)
        // −1: nothing was made.
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw trouble("be written") }
        var count = 0
        while count < bytes.count {
            let size = bytes.withUnsafeBytes {
                Glibc.write(descriptor, $0.baseAddress?.advanced(by: count), $0.count - count)
            }
            if size < 0, errno == EINTR { continue }
            if size <= 0 { break }
            count += size
        }
        // Some file systems tell only when the file is closed that there was no space.
        let closed = close(descriptor) == 0
        guard count == bytes.count, closed, rename(temporary, "\(folder)/\(name)") == 0 else {
            let error = trouble("be written")
            unlink(temporary)
            throw error
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

    private func trouble(_ what: String) -> MediaError {
        MediaError(.inputOutput, "the picture folder \(folder) cannot \(what): \(String(cString: strerror(errno)))")
    }
}

import HunchModel
import FoundationEssentials
import Glibc
@testable import Media
@testable import Players
import SeededRandom
import TestSupport
import Testing

@Suite("Picture headers")
struct ImageHeaderTests {
    private static func big(_ number: Int, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    private static func little(_ number: Int, _ count: Int) -> [UInt8] { big(number, count).reversed() }

    static func png(_ width: Int, _ height: Int) -> [UInt8] {
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + big(13, 4) + Array("IHDR".utf8) + big(width, 4)
            + big(height, 4) + [8, 2, 0, 0, 0]
    }

    static func gif(_ width: Int, _ height: Int) -> [UInt8] {
        Array("GIF89a".utf8) + little(width, 2) + little(height, 2) + [0, 0, 0]
    }

    /// A JPEG file with a segment of metadata, then fill bytes, before its frame header.
    static func jpeg(_ width: Int, _ height: Int, metadata: Int = 60_000) -> [UInt8] {
        [0xFF, 0xD8, 0xFF, 0xE1] + big(metadata + 2, 2) + [UInt8](repeating: 0xC0, count: metadata)
            + [0xFF, 0xFF, 0xC2] + big(17, 2) + [8] + big(height, 2) + big(width, 2) + [3]
    }

    private static func riff(_ chunk: String, _ content: [UInt8]) -> [UInt8] {
        Array("RIFF".utf8) + little(content.count + 12, 4) + Array("WEBP".utf8) + Array(chunk.utf8)
            + little(content.count, 4) + content
    }

    static let webp: [[UInt8]] = [
        riff("VP8X", [0x10, 0, 0, 0] + little(639, 3) + little(479, 3)),
        riff("VP8L", [0x2F] + little(639 | 479 << 14, 4)),
        riff("VP8 ", [0x10, 0, 0, 0x9D, 0x01, 0x2A] + little(640, 2) + little(480, 2)),
    ]

    @Test("The format and size of each picture type are read")
    func kinds() {
        for (bytes, format) in [
            (Self.png(640, 480), ImageHeader.Format.png), (Self.gif(640, 480), .gif), (Self.jpeg(640, 480), .jpeg),
        ] + Self.webp.map({ ($0, .webp) }) {
            let header = ImageHeader(bytes)
            #expect(header?.format == format)
            #expect(header?.width == 640 && header?.height == 480, "\(format)")
        }
    }

    @Test("Truncated or changed headers never trap")
    func malformed() {
        var random = SplitMix64(seed: 7)
        for bytes in [Self.png(64, 48), Self.gif(64, 48), Self.jpeg(64, 48, metadata: 20)] + Self.webp {
            for end in bytes.indices { _ = ImageHeader(bytes[..<end]) }
            #expect(ImageHeader(bytes.prefix(9)) == nil)
            for _ in 0..<2_000 {
                var changed = bytes
                for _ in 0..<3 {
                    changed[.random(in: bytes.indices, using: &random)] = .random(in: 0...255, using: &random)
                }
                if let header = ImageHeader(changed) { #expect(header.width > 0 && header.height > 0) }
            }
        }
        #expect(ImageHeader([]) == nil)
        #expect(ImageHeader(Self.png(0, 5)) == nil)
        #expect(ImageHeader(Array("<svg xmlns='http://www.w3.org/2000/svg'/>".utf8)) == nil)
        #expect(ImageHeader([0xFF, 0xD8] + [UInt8](repeating: 0xFF, count: 10_000)) == nil)
    }
}

@Suite("Artwork cache")
struct ArtworkCacheTests {
    private func code(_ body: () throws -> Void) -> MediaError.Code? {
        do {
            try body()
            return nil
        } catch {
            return (error as? MediaError)?.code
        }
    }

    private func uri(_ path: String) -> String { "file://" + path }

    @Test("A picture is copied once and kept private")
    func copy() async throws {
        try await withTemporaryDirectory { directory in
            let cache = ArtworkCache(folder: directory.file("cache/hunch/artwork"))
            let picture = try directory.write(ImageHeaderTests.png(64, 64), to: "music/My Cover.png")
            let copy = try cache.copy(of: uri(picture.replacing(" ", with: "%20")))
            #expect(copy.hasPrefix("file://\(directory.path)/cache/hunch/artwork/"))
            #expect(copy.hasSuffix(".png"))
            let path = String(copy.dropFirst(7))
            #expect(try Data(contentsOf: URL(filePath: path)) == Data(ImageHeaderTests.png(64, 64)))
            var status = stat()
            #expect(stat(path, &status) == 0 && status.st_mode & 0o7777 == 0o600)
            #expect(stat(cache.folder, &status) == 0 && status.st_mode & 0o7777 == 0o700)
            #expect(try cache.copy(of: "file://localhost" + picture.replacing(" ", with: "%20")) == copy)
            #expect(try cache.copy(of: copy) == copy)
            try directory.write(ImageHeaderTests.png(65, 64), to: "music/My Cover.png")
            #expect(try cache.copy(of: uri(picture.replacing(" ", with: "%20"))) != copy)
            #expect(try cache.removeAll() == 2)
            #expect(try cache.removeAll() == 0)
        }
    }

    @Test("Anything but a local regular file is refused without waiting")
    func notFiles() async throws {
        try await withTemporaryDirectory { directory in
            let cache = ArtworkCache(folder: directory.file("cache"))
            let picture = try directory.write(ImageHeaderTests.png(64, 64), to: "cover.png")
            let (pipe, link) = (directory.file("pipe"), directory.file("link.png"))
            #expect(mkfifo(pipe, 0o600) == 0 && symlink(picture, link) == 0)
            for path in [pipe, link, directory.path, "/dev/zero", "/dev/tty", "/proc/self/mem", "/nonexistent"] {
                #expect(code { _ = try cache.copy(of: uri(path)) } == .unusableArtwork, "\(path)")
            }
            for address in [
                "https://example.org/a.png", "file://server" + picture, picture, "", "file:", "file://", "file:///%zz",
                "file:///a%00b", "data:image/png;base64,iVBORw0KGgo=",
            ] {
                #expect(code { _ = try cache.copy(of: address) } == .unusableArtwork, "\(address)")
            }
            #expect(access(cache.folder, F_OK) != 0)
        }
    }

    @Test("Empty, oversized and invalid pictures are refused")
    func limits() async throws {
        try await withTemporaryDirectory { directory in
            var limits = ArtworkCache.Limits()
            limits.fileSize = 1_000
            let cache = ArtworkCache(folder: directory.file("cache"), limits: limits)
            let fine = ImageHeaderTests.png(4_096, 4_096)
            let pictures: [(String, [UInt8], Bool)] = [
                ("fine", fine + [UInt8](repeating: 0, count: 1_000 - fine.count), true),
                ("large", fine + [UInt8](repeating: 0, count: 1_001 - fine.count), false), ("empty", [], false),
                ("wide", ImageHeaderTests.png(4_097, 1), false), ("high", ImageHeaderTests.png(1, 4_097), false),
                ("bomb", ImageHeaderTests.png(0x7FFF_FFFF, 0x7FFF_FFFF), false), ("text", Array("hello".utf8), false),
            ]
            for (name, bytes, isUsable) in pictures {
                let path = try directory.write(bytes, to: name)
                #expect(code { _ = try cache.copy(of: uri(path)) } == (isUsable ? nil : .unusableArtwork), "\(name)")
            }
        }
    }

    @Test("A full cache removes the least recently used pictures")
    func bounds() async throws {
        try await withTemporaryDirectory { directory in
            var limits = ArtworkCache.Limits()
            limits.count = 3
            let cache = ArtworkCache(folder: directory.file("cache"), limits: limits)
            func copy(_ size: Int) throws -> String {
                try cache.copy(of: uri(directory.write(ImageHeaderTests.png(size, 1), to: "\(size).png")))
            }
            /// Sets the modification time of a copy far back.
            func age(_ copy: String, to seconds: Int) {
                let time = timespec(tv_sec: seconds, tv_nsec: 0)
                #expect(utimensat(AT_FDCWD, String(copy.dropFirst(7)), [time, time], 0) == 0)
            }
            let copies = try (1...3).map(copy)
            for (copy, age_) in zip(copies, [200, 100, 300]) { age(copy, to: age_) }
            let fourth = try copy(4)
            let left = try FileManager.default.contentsOfDirectory(atPath: cache.folder)
            #expect(
                Set(left) == Set([copies[0], copies[2], fourth].map { String($0.split(separator: "/").last ?? "") }))

            limits.totalSize = 1
            let tiny = ArtworkCache(folder: directory.file("tiny"), limits: limits)
            for size in 1...3 {
                let path = try directory.write(ImageHeaderTests.png(size, 1), to: "\(size).png")
                let copy = try tiny.copy(of: uri(path))
                #expect(access(String(copy.dropFirst(7)), R_OK) == 0)
                #expect(try FileManager.default.contentsOfDirectory(atPath: tiny.folder).count == 1)
            }
        }
    }

    @Test("A folder that cannot be created is an error of its own")
    func noFolder() async throws {
        try await withTemporaryDirectory { directory in
            let picture = try directory.write(ImageHeaderTests.png(64, 64), to: "cover.png")
            let cache = ArtworkCache(folder: picture + "/cache")
            #expect(code { _ = try cache.copy(of: uri(picture)) } == .inputOutput)
        }
    }

    @Test("A database named as a picture keeps its locks")
    func database() async throws {
        try await withTemporaryDirectory { directory in
            let path = try directory.write("picture", to: "history.sqlite-shm")
            let database = open(path, O_RDWR | O_CLOEXEC)
            defer { close(database) }
            var lock = flock()
            lock.l_type = Int16(F_WRLCK)
            #expect(fcntl(database, F_SETLK, &lock) == 0)
            let error = #expect(throws: MediaError.self) { try LocalFile.contents(of: path, limit: 100) }
            #expect(error?.code == .unusableArtwork)
            let other = open(path, O_RDWR | O_CLOEXEC)
            defer { close(other) }
            // F_OFD_GETLK (fcntl.h), which also reports locks of the same process.
            #expect(fcntl(other, 36, &lock) == 0 && Int32(lock.l_type) != F_UNLCK)
            let picture = try directory.write("picture", to: "picture.png")
            #expect(try LocalFile.contents(of: picture, limit: 100) == Array("picture".utf8))
        }
    }
}

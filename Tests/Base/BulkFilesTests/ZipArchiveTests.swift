import BulkFiles
import FoundationEssentials
import HunchModel
import TestSupport
import Testing

@Suite("ZIP archives") struct ZipArchiveTests {
    private func read(_ stream: any ByteStream) throws -> Int {
        var total = 0
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 5_000, alignment: 1)
        defer { buffer.deallocate() }
        while case let count = try stream.read(into: buffer), count > 0 { total += count }
        return total
    }

    @Test("A file that unpacks to more than its limit is refused", arguments: [true, false])
    func limit(deflate: Bool) async throws {
        try await withTemporaryDirectory { directory in
            let content = String(repeating: "0", count: 1 << 20)
            try await zipArchive(of: ["zeros.txt": content], into: directory, as: "bomb.zip", deflate: deflate)
            let path = directory.file("bomb.zip")
            let size = try Data(contentsOf: URL(filePath: path)).count
            let archive = try ZipArchive(path: path, size: size)
            let entry = try #require(archive.entries.first)
            #expect(archive.entries.count == 1 && entry.name == "zeros.txt")
            #expect(try read(archive.open(entry)) == 1 << 20)
            #expect(try read(archive.open(entry, limit: 1 << 20)) == 1 << 20)
            let error = #expect(throws: ImportError.self) { try read(archive.open(entry, limit: (1 << 20) - 1)) }
            #expect(error?.code == .tooLong)
        }
    }
}

import BulkFiles
import HunchModel
import SeededRandom
import Testing

/// Gives bytes a few at a time.
private final class PiecewiseStream: ByteStream {
    private let bytes: [UInt8]
    private let step: Int
    private var done = 0

    init(_ bytes: [UInt8], step: Int) {
        self.bytes = bytes
        self.step = step
    }

    var fraction: Double { Double(done) / Double(max(bytes.count, 1)) }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(step, buffer.count, bytes.count - done)
        buffer.copyBytes(from: bytes[done..<(done + count)])
        done += count
        return count
    }
}

@Suite("Comma-separated values") struct CSVReaderTests {
    private func rows(_ text: String, step: Int = .max, limit: Int = 1 << 20) throws -> [[String?]] {
        try rows(Array(text.utf8), step: step, limit: limit)
    }

    private func rows(_ bytes: [UInt8], step: Int = .max, limit: Int = 1 << 20) throws -> [[String?]] {
        var rows: [[String?]] = []
        try CSVReader(PiecewiseStream(bytes, step: step), name: "t.csv", limit: limit).forEachRow { row in
            rows.append((0..<row.count).map(row.text))
        }
        return rows
    }

    @Test(
        "The examples of RFC 4180, section 2, are read",
        arguments: [
            ("aaa,bbb,ccc\r\nzzz,yyy,xxx\r\n", [["aaa", "bbb", "ccc"], ["zzz", "yyy", "xxx"]]),
            ("aaa,bbb,ccc\r\nzzz,yyy,xxx", [["aaa", "bbb", "ccc"], ["zzz", "yyy", "xxx"]]),
            ("\"aaa\",\"bbb\",\"ccc\"\r\nzzz,yyy,xxx", [["aaa", "bbb", "ccc"], ["zzz", "yyy", "xxx"]]),
            ("\"aaa\",\"b\r\nbb\",\"ccc\"\r\nzzz,yyy,xxx", [["aaa", "b\r\nbb", "ccc"], ["zzz", "yyy", "xxx"]]),
            ("\"aaa\",\"b\"\"bb\",\"ccc\"", [["aaa", "b\"bb", "ccc"]]),
            ("a,b\nc,\n\n,d\n", [["a", "b"], ["c", ""], ["", "d"]]),
            ("\"\",\"\"\"\"\n\"\"", [["", "\""], [""]]), ("\u{FEFF}a\nb", [["a"], ["b"]]), ("", []), ("\n", []),
            ("a b\"c,d", [["a b\"c", "d"]]), ("\"a\"\r", [["a"]]), ("a,\r\n", [["a", ""]]), ("ä,\"ö\"", [["ä", "ö"]]),
        ])
    func examples(_ text: String, _ expected: [[String]]) throws {
        for step in [1, 2, 3, Int.max] { #expect(try rows(text, step: step) == expected) }
    }

    @Test("Written tables are read back from chunks of any size")
    func roundTrip() throws {
        var random = SplitMix64(seed: 11)
        for _ in 0..<200 {
            let table = (0..<Int.random(in: 1...6, using: &random)).map { _ in
                (0..<Int.random(in: 2...5, using: &random)).map { _ in
                    String(
                        (0..<Int.random(in: 0...6, using: &random)).map { _ in
                            "a,\"\n é".randomElement(using: &random) ?? "a"
                        })
                }
            }
            let end = Bool.random(using: &random) ? "\r\n" : "\n"
            let text = table.map { row in
                row.map { "\"" + $0.replacing("\"", with: "\"\"") + "\"" }.joined(separator: ",")
            }.joined(separator: end)
            #expect(try rows(text, step: Int.random(in: 1...7, using: &random)) == table)
        }
    }

    @Test("Records give the line on which they begin")
    func lines() throws {
        var lines: [Int] = []
        let text = "a\n\"b\nc\",d\n\ne\r\n\"\n\n\"\nf"
        try CSVReader(PiecewiseStream(Array(text.utf8), step: 2), name: "t").forEachRow { lines.append($0.line) }
        #expect(lines == [1, 2, 5, 6, 9])
    }

    @Test("Missing fields are empty, and invalid UTF-8 is rejected")
    func odd() throws {
        try CSVReader(PiecewiseStream([0x61, 0x2C, 0xFF], step: 9), name: "t").forEachRow { row in
            #expect(row.count == 2 && row.text(0) == "a" && row.text(1) == nil && row.text(7) == "" && row[7].isEmpty)
        }
        #expect(CSVReader.firstRow(of: Array("a,\"b\"\r\nc".utf8)) == ["a", "b"])
        #expect(CSVReader.firstRow(of: Array("a,\"b".utf8)) == nil && CSVReader.firstRow(of: [0xFF]) == nil)
    }

    @Test(
        "Errors give the line",
        arguments: [
            ("a\n\"b\nc", ImportError.Code.malformed, "t.csv, line 2: a quoted field"),
            ("a\n\"b\nc\"d\n", .malformed, "t.csv, line 3, field 1: text follows"),
            ("a\n" + String(repeating: "x", count: 1 << 20), .tooLong, "t.csv, line 2: the record has more than"),
        ])
    func faults(_ text: String, _ code: ImportError.Code, _ message: String) {
        let error = #expect(throws: ImportError.self) { try rows(text, limit: 1 << 18) }
        #expect(error?.code == code && error?.message.hasPrefix(message) == true, "\(error?.message ?? "")")
    }

    @Test("No bytes crash the reader")
    func anyBytes() {
        var random = SplitMix64(seed: 12)
        for _ in 0..<3_000 {
            let bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in
                Array("\",\r\na\u{FEFF}".utf8).randomElement(using: &random) ?? 0
            }
            let whole = try? rows(bytes)
            #expect((try? rows(bytes, step: 1)) == whole)
        }
    }
}

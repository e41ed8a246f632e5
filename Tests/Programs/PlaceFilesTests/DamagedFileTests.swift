import Coordinates
import HunchModel
import MapLinks
import PlaceFiles
import SeededRandom
import Testing

@Suite("Damaged place files", .timeLimit(.minutes(15))) struct DamagedFileTests {
    private static let names = GoldenFileTests.places.keys.sorted() + GoldenFileTests.failures.keys.sorted()

    @Test("A file truncated at any byte yields a place or an error", arguments: names)
    func truncated(name: String) throws {
        let bytes = try TestFile.bytes(name)
        for length in 0..<bytes.count {
            if case .failure(let error) = outcome(Array(bytes[..<length])) {
                #expect(error.message.hasPrefix("it"), "\(length) bytes: \(error)")
            }
        }
    }

    @Test("A file with flipped bytes yields a place or an error", arguments: names)
    func flipped(name: String) throws {
        let bytes = try TestFile.bytes(name)
        var random = SplitMix64(seed: 2_026)
        for _ in 0..<400 {
            var changed = bytes
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let index = Int.random(in: 0..<changed.count, using: &random)
                changed[index] = Bool.random(using: &random) ? 0xFF : UInt8.random(in: .min ... .max, using: &random)
            }
            _ = outcome(changed)
        }
    }

    @Test("A truncated XML document is refused with its last line")
    func half() throws {
        guard case .failure(let error) = outcome(Array("<kml><Document>\n<Placemark>\n".utf8)) else {
            throw PlaceError(.notAPlace, "half a document has a place")
        }
        #expect(error.code == .malformed && error.message.hasPrefix("it is broken in line 3 (no element found)"))
    }

    @Test("A character at the end of a piece stays whole")
    func pieces() throws {
        // The reader takes pieces of 64 KiB, 128 KiB and so on.
        let (head, tail) = ("<gpx><!--", "--><wpt lat=\"1\" lon=\"2\"><name>")
        for length in 0..<8 {
            let padding = String(repeating: " ", count: 65_536 - head.utf8.count - tail.utf8.count - length)
            let text = "\(head)\(padding)\(tail)北é🏔北</name></wpt></gpx>"
            #expect(try outcome(Array(text.utf8)).get().item.name == "北é🏔北")
        }
    }
}

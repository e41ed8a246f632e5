import SeededRandom
import Testing

@testable import TestSupport

@Suite("Transcripts of child processes")
struct TranscriptTests {
    @Test("Lines are the same however the output is split", arguments: 0..<20 as Range<UInt64>)
    func pieces(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let lines = (0..<50).map { _ in String(repeating: "x", count: Int.random(in: 0...9, using: &random)) }
        let bytes = Array(lines.map { $0 + "\n" }.joined().utf8)
        var transcript = Transcript()
        var start = 0
        while start < bytes.count {
            let end = min(bytes.count, start + Int.random(in: 1...12, using: &random))
            transcript.append(Array(bytes[start..<end]), from: .output)
            start = end
        }
        #expect(transcript.lines == lines)
        #expect(transcript.count == lines.count)
    }

    @Test("The outputs stay separate, and unfinished lines are shown")
    func streams() {
        var transcript = Transcript()
        transcript.append(Array("out".utf8), from: .output)
        transcript.append(Array("err\n".utf8), from: .error)
        transcript.append(Array("put".utf8), from: .output)
        #expect(transcript.lines == ["err"])
        #expect(transcript.text == "err\noutput")
        transcript.finish()
        #expect(transcript.lines == ["err", "output"])
    }

    @Test("Invalid UTF-8 is shown as such")
    func malformed() {
        var transcript = Transcript()
        transcript.append([0x61, 0xFF, 0x62, 0x0A], from: .output)
        #expect(transcript.lines == ["a\u{FFFD}b"])
    }

    @Test("An endless line is cut and old lines are dropped")
    func limits() {
        var transcript = Transcript()
        transcript.append([UInt8](repeating: 65, count: 2 * Transcript.lineLimit + 5), from: .output)
        #expect(transcript.lines.map(\.utf8.count) == [Transcript.lineLimit, Transcript.lineLimit])
        let line = [UInt8](repeating: 66, count: 1023) + [0x0A]
        for _ in 0..<2000 { transcript.append(line, from: .error) }
        #expect(transcript.count == 2002)
        #expect(transcript.dropped > 900)
        #expect(transcript.lines.reduce(0) { $0 + $1.utf8.count } <= Transcript.limit)
        #expect(transcript.line(containing: "B", from: 0) != nil)
        #expect(transcript.line(containing: "B", from: 2002) == nil)
    }
}

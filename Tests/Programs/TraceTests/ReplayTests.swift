import Trace
import Foundation
import TestSupport
import Testing

/// Each file in `Traces` is a trace that was written from what BlueZ, PulseAudio, PipeWire, logind and MPRIS document
/// and what real devices were seen to do. The `.outcome` file next to it has the expected output.
@Suite("Trace replay", .timeLimit(.minutes(15)))
struct ReplayTests {
    static let folder = "\(Surroundings.packageRoot)/Tests/Programs/TraceTests/Traces"

    static var names: [String] {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return files.filter { $0.hasSuffix(".jsonl") }.map { String($0.dropLast(6)) }.sorted()
    }

    static func trace(_ name: String) throws -> Trace {
        let text = try String(contentsOfFile: "\(folder)/\(name).jsonl", encoding: .utf8)
        var trace = Trace()
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) { try trace.add(String(line)) }
        return trace
    }

    @Test("Each trace has exactly its expected outcome", arguments: names)
    func replayed(name: String) async throws {
        let expected = try String(contentsOfFile: "\(Self.folder)/\(name).outcome", encoding: .utf8)
        let report = try await TraceReplay.run(try Self.trace(name))
        let lines = report.outcomes.map { "\($0.line.drop { $0 == " " })\n" }.joined()
        #expect(lines == expected, "\(name)")
        #expect(report.uninvitedPlays == 0)
        #expect(report.duplicateOffers == 0)
    }

    @Test("Each trace has an outcome and each outcome has a trace")
    func complete() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder)
        let outcomes = files.filter { $0.hasSuffix(".outcome") }.map { String($0.dropLast(8)) }.sorted()
        #expect(Self.names.count >= 30)
        #expect(outcomes == Self.names)
    }

    @Test("The example in the documentation has its stated outcome")
    func documented() async throws {
        let text = try String(contentsOfFile: "\(Self.folder)/README.md", encoding: .utf8)
        let blocks = text.components(separatedBy: "```\n").enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
        try #require(blocks.count == 2)
        var trace = Trace()
        for line in blocks[0].split(separator: "\n") { try trace.add(String(line)) }
        let report = try await TraceReplay.run(trace)
        #expect(report.outcomes.map { "\($0.line.drop { $0 == " " })\n" }.joined() == blocks[1])
    }

    @Test("Replaying a trace twice yields the same outcome")
    func repeatable() async throws {
        let trace = try Self.trace("connect-usual")
        let first = try await TraceReplay.run(trace)
        let second = try await TraceReplay.run(trace)
        #expect(first.outcomes == second.outcomes)
        #expect(first.offers == 1)
    }
}

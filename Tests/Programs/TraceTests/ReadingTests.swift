@testable import Trace
import FoundationEssentials
import HunchDBus
import HunchModel
import SeededRandom
import TestSupport
import Testing
@testable import Triggers

@Suite("Reading traces", .timeLimit(.minutes(15)))
struct ReadingTests {
    private func fault(_ lines: String...) -> TraceFault? {
        var trace = Trace()
        for line in lines {
            do throws(TraceFault) { try trace.add(line) } catch { return error }
        }
        return nil
    }

    @Test("An unreadable line is one error with its line number")
    func faults() {
        let cases: [(String, String)] = [
            ("nonsense", "JSON object"), ("[1]", "JSON object"), ("{\"t\":1", "JSON object"), ("7", "JSON object"),
            ("{\"source\":\"wait\"}", "“t” is missing"), ("{\"t\":-1,\"source\":\"wait\"}", "“t” is missing"),
            ("{\"t\":1e300,\"source\":\"wait\"}", "“t” is missing"),
            ("{\"t\":\"1\",\"source\":\"wait\"}", "“t” must be"),
            ("{\"t\":1}", "“source” is missing"), ("{\"t\":1,\"source\":5}", "“source” must be a text"),
            ("{\"t\":1,\"source\":\"bluez\"}", "“event” is missing: one of objects,"),
            ("{\"t\":1,\"source\":\"bluez\",\"event\":\"conected\"}", "“conected”"),
            ("{\"t\":1,\"source\":\"bluez\",\"event\":\"changed\"}", "“path” is missing"),
            ("{\"t\":1,\"source\":\"bluez\",\"event\":\"changed\",\"path\":\"a b\"}", "not an object path"),
            (
                #"{"t":1,"source":"bluez","event":"changed","path":"/a","changed":{"Connected":"yes"}}"#,
                "“Connected” must be true or false"
            ),
            (
                #"{"t":1,"source":"bluez","event":"changed","path":"/a","changed":{"Class":-1}}"#,
                "“Class” must fit 32 bits"
            ),
            (
                #"{"t":1,"source":"bluez","event":"changed","path":"/a","changed":{"UUIDs":[1]}}"#,
                "“UUIDs” must be a list of texts"
            ),
            (#"{"t":1,"source":"bluez","event":"added","path":"/a"}"#, "“interfaces” is missing"),
            (#"{"t":1,"source":"audio","event":"state","sinks":[{}]}"#, "“name” is missing"),
            (#"{"t":1,"source":"audio","event":"state","sinks":7}"#, "“sinks” must be a list"),
            (
                #"{"t":1,"source":"audio","event":"state","sinks":[{"name":"a","ports":[{"name":"b","type":"x"}]}]}"#,
                "“type” is “x”"
            ),
            (#"{"t":1,"source":"player","event":"changed","name":"vlc"}"#, "below org.mpris.MediaPlayer2"),
            (
                #"{"t":1,"source":"player","event":"changed","name":"org.mpris.MediaPlayer2.a","properties":{"PlaybackStatus":"On"}}"#,
                "Playing, Paused, Stopped"
            ),
            (#"{"t":1,"source":"location","event":"at","latitude":91,"longitude":0}"#, "degrees"),
            (#"{"t":1,"source":"key","request":"Jump"}"#, "“Jump”"),
            (#"{"t":1,"source":"remembered","device":"a","application":"b"}"#, "“title” is missing"),
            (#"{"trace":2}"#, "version 2"), (#"{"trace":1,"settle":-1}"#, "“settle” must be seconds"),
            (#"{"trace":1,"begin":1e20}"#, "“begin”"),
            (String(repeating: "[", count: 100_000), "JSON object"),
        ]
        for (line, part) in cases {
            let fault = fault(#"{"t":0,"source":"wait"}"#, "", line)
            // A head is wrong anywhere but in the first line, too.
            #expect(fault?.line == 3, "\(line.prefix(80))")
            #expect(fault?.message.contains(part) == true, "\(line.prefix(80)): \(fault?.message ?? "no fault")")
        }
    }

    @Test("Times never decrease, and the header comes first")
    func order() {
        #expect(fault(#"{"t":2,"source":"wait"}"#, #"{"t":1,"source":"wait"}"#)?.line == 2)
        #expect(fault(#"{"t":2,"source":"wait"}"#, #"{"t":2,"source":"wait"}"#) == nil)
        #expect(fault(#"{"t":0,"source":"wait"}"#, #"{"trace":1}"#)?.message.contains("first line") == true)
        #expect(fault(#"{"trace":1}"#, #"{"t":0,"source":"wait"}"#) == nil)
    }

    @Test("A line over the limit is refused")
    func long() {
        let line = #"{"t":1,"source":"wait","note":"\#(String(repeating: "x", count: Trace.lineLimit))"}"#
        #expect(fault(line)?.message.contains("longer than") == true)
    }

    @Test("Unknown keys are ignored; unknown sources are counted")
    func tolerant() async throws {
        var trace = Trace()
        try trace.add(#"{"trace":1,"recordedWith":"another program","settle":null}"#)
        try trace.add("   ")
        try trace.add(#"{"t":0,"source":"smell","event":"coffee"}"#)
        try trace.add(#"{"t":0,"source":"audio","event":"state","sinks":[{"name":"a","colour":"red"}],"cards":[]}"#)
        try trace.add(
            #"{"t":5,"source":"bluez","event":"added","path":"/a","x":1,"interfaces":{"org.bluez.Device1":"#
                + #"{"Address":"00:11:22:33:44:55","Alias":null,"Icon":"audio-headset","RSSI":-60,"Connected":true},"y.Z":3}}"#
        )
        #expect(trace.unknownSources == ["smell": 3])
        let report = try await TraceReplay.run(trace)
        #expect(report.outcomes.map(\.text) == ["00:11:22:33:44:55: Sound cannot go to it yet."])
    }

    @Test("A recorded event is read back unchanged")
    func roundTrip() throws {
        var random = SplitMix64(seed: 7)
        for _ in 0..<500 {
            let given = Self.randomSign(using: &random)
            let observation = try #require(try TriggerObservation(source: try Self.source(given), TraceFields(given)))
            let written = observation.fields
            let line = try JSONEncoder().encode(written)
            let read = try JSONDecoder().decode([String: TraceValue].self, from: line)
            let again = try #require(try TriggerObservation(source: try Self.source(read), TraceFields(read)))
            #expect(again.fields == written)
        }
    }

    private static func source(_ fields: [String: TraceValue]) throws -> String {
        guard case .text(let source)? = fields["source"] else { throw BenchError("a sign without a source") }
        return source
    }

    private static func randomSign(using random: inout SplitMix64) -> [String: TraceValue] {
        func word(_ words: [String]) -> String { words.randomElement(using: &random) ?? "" }
        func text() -> TraceValue { .text(word(["", "Phones", "Ärger “x”", "a\u{1F3A7}b", "\u{7}\n"])) }
        func properties() -> TraceValue {
            var properties: [String: TraceValue] = [:]
            if Bool.random(using: &random) { properties["Address"] = .text("00:11:22:33:44:55") }
            if Bool.random(using: &random) { properties["Alias"] = text() }
            if Bool.random(using: &random) { properties["Connected"] = .boolean(.random(using: &random)) }
            if Bool.random(using: &random) {
                properties["Class"] = .integer(.random(in: 0..<0x100_0000, using: &random))
            }
            if Bool.random(using: &random) {
                properties["Appearance"] = .integer(.random(in: 0..<0x1_0000, using: &random))
            }
            if Bool.random(using: &random) { properties["UUIDs"] = .list([.text(word(["a", "b"]))]) }
            return .object(properties)
        }
        func port() -> TraceValue {
            .object([
                "name": .text("port"), "description": text(), "type": .integer(.random(in: 0..<40, using: &random)),
                "available": .text(word(["yes", "no", "unknown"])), "active": .boolean(.random(using: &random)),
            ])
        }
        switch Int.random(in: 0..<10, using: &random) {
        case 0:
            return [
                "source": .text("bluez"), "event": .text("objects"),
                "objects": .object(["/a/b": .object(["org.bluez.Device1": properties()])]),
            ]
        case 1:
            return [
                "source": .text("bluez"), "event": .text("changed"), "path": .text("/a"), "changed": properties(),
                "invalidated": .list([.text("Alias")]),
            ]
        case 2: return ["source": .text("bluez"), "event": .text(word(["gone", "unreachable"])), "reason": text()]
        case 3: return ["source": .text("bluez"), "event": .text("removed"), "path": .text("/a")]
        case 4:
            let sinks = ["a", "b", "c"].map { name in
                TraceValue.object([
                    "name": .text(name), "description": text(), "ports": .list([port(), port()]),
                    "properties": .object(
                        name == "a" ? ["device.master_device": .text("b")] : ["device.bus": .text("usb")]),
                ])
            }
            return [
                "source": .text("audio"), "event": .text("state"), "default": .text(word(["a", "b", "c", "d"])),
                "sinks": .list(sinks),
            ]
        case 5: return ["source": .text("audio"), "event": .text("unreachable"), "reason": text()]
        case 6: return ["source": .text("session"), "event": .text(word(["login", "unlock", "resume"]))]
        case 7:
            return [
                "source": .text("location"), "event": .text("at"),
                "latitude": .number(.random(in: -90...90, using: &random)),
                "longitude": .number(.random(in: -180...180, using: &random)), "accuracy": .number(12.5),
            ]
        case 8:
            return ["source": .text("app"), "event": .text(word(["began", "ended"])), "unit": .text("app-x.scope")]
        default: return ["source": .text("power"), "event": .text(word(["battery", "mains", "unknown"]))]
        }
    }
}

import Trace
import FoundationEssentials
import SeededRandom
import TestSupport
import Testing

/// Whatever happens in whatever order, nothing plays by itself and nothing is offered twice.
@Suite("Random traces", .serialized, .timeLimit(.minutes(15)))
struct RandomTraceTests {
    private static let address = "00:1B:66:A1:B2:C3"
    private static let path = "/org/bluez/hci0/dev_00_1B_66_A1_B2_C3"

    /// A day of a headset that connects, flaps and disconnects, of servers that restart, of players and of keys.
    private static func lines(seed: UInt64) -> [String] {
        var random = SplitMix64(seed: seed)
        var time = 0.0
        var lines = [
            #"{"t":0,"source":"audio","event":"state","default":"s","sinks":[{"name":"s","description":"Speakers"}]}"#,
            #"{"t":0,"source":"bluez","event":"objects","objects":{"\#(path)":{"org.bluez.Device1":{"Address":"\#(address)","#
                + #""Alias":"Phones","Icon":"audio-headset","Connected":false}}}}"#,
            #"{"t":1,"source":"remembered","device":"\#(address)","application":"app","title":"Item","item":"i"}"#,
        ]
        for _ in 0..<80 {
            time += [0.05, 0.4, 1, 3, 30, 900].randomElement(using: &random) ?? 1
            lines.append(line(at: time + 5, using: &random))
        }
        return lines
    }

    private static func line(at time: Double, using random: inout SplitMix64) -> String {
        let sinks =
            #"[{"name":"s","description":"Speakers"},{"name":"b","properties":{"api.bluez5.address":"\#(address)"}}]"#
        let player = #""source":"player","name":"org.mpris.MediaPlayer2.p""#
        let bodies = [
            #""source":"bluez","event":"changed","path":"\#(path)","changed":{"Connected":true}"#,
            #""source":"bluez","event":"changed","path":"\#(path)","changed":{"Connected":false}"#,
            #""source":"audio","event":"state","default":"b","sinks":\#(sinks)"#,
            #""source":"audio","event":"state","default":"b","sinks":\#(sinks)"#,
            #""source":"audio","event":"state","default":"s","sinks":\#(sinks)"#,
            #""source":"audio","event":"state","default":"s","sinks":[{"name":"s"}]"#,
            #""source":"audio","event":"unreachable""#, #""source":"bluez","event":"gone""#,
            #""source":"bluez","event":"objects","objects":{"\#(path)":{"org.bluez.Device1":{"Address":"\#(address)","#
                + #""Alias":"Phones","Icon":"audio-headset","Connected":true}}}"#,
            #"\#(player),"event":"changed","properties":{"PlaybackStatus":"Playing","Metadata":{"xesam:title":"T"}}"#,
            #"\#(player),"event":"changed","properties":{"PlaybackStatus":"Paused","Metadata":{"xesam:title":"T"}}"#,
            #"\#(player),"event":"gone""#, #""source":"key","request":"Play""#, #""source":"key","request":"Pause""#,
            #""source":"person","event":"dismiss""#, #""source":"session","event":"resume""#,
        ]
        return "{\"t\":\(time),\(bodies.randomElement(using: &random) ?? bodies[0])}"
    }

    @Test("Nothing is played uninvited, offered twice or over playback", arguments: 1...24)
    func invariants(seed: Int) async throws {
        var trace = Trace()
        for line in Self.lines(seed: UInt64(seed)) { try trace.add(line) }
        let report = try await TraceReplay.run(trace)
        #expect(report.uninvitedPlays == 0, "seed \(seed)")
        #expect(report.duplicateOffers == 0, "seed \(seed): \(report.outcomes.map(\.line).joined(separator: "\n"))")
        // A play follows a key that counted, and nothing else here can make one.
        let keys = report.outcomes.count { $0.event == "key" && $0.text.contains("the person accepts") }
        #expect(report.plays == keys, "seed \(seed)")
    }

    @Test("A damaged line gives an error or another trace, and never traps")
    func damaged() throws {
        var random = SplitMix64(seed: 11)
        let lines = Self.lines(seed: 3).map { Array($0.utf8) }
        for _ in 0..<3_000 {
            var line = lines.randomElement(using: &random) ?? []
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let index = Int.random(in: 0..<line.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: line[index] = UInt8.random(in: 0...255, using: &random)
                case 1: line.insert(line[index], at: index)
                default: line.remove(at: index)
                }
            }
            var trace = Trace()
            do throws(TraceFault) {
                try trace.add(String(decoding: line, as: UTF8.self))
            } catch {
                #expect(error.line == 1 && !error.message.isEmpty)
            }
        }
    }
}

import AgentInterface
import FoundationEssentials
import Glibc
import History
import EventLoops
import HunchDBus
import HunchKit
import HunchModel
import SearchIndexes
import TestSupport
import Testing

@testable import Agent
@testable import Services

@Suite("Exporting", .timeLimit(.minutes(15))) struct ExportTests {
    private struct Line: Decodable {
        var type: String
        var app: String?
        var kind: String?
        var parameters: [String: String]?
        var date: String?
        var context: Context?
        var identifier: String?
        var group: String?
        var lines: Int?
    }

    private func lines(_ text: String) throws -> [Line] {
        try text.split(separator: "\n").map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
    }

    @Test("An app is called “app” in all JSON")
    func appKey() async throws {
        struct Keys: Decodable { var app, application, applicationName: String? }
        try await withPrivacyAgent(prepare: { _ = try Planted.store(in: $0) }) { rig in
            _ = try await rig.agent.exclude("org.example.Excluded")
            for arguments in [
                ["export"], ["history"], ["history", "--suggestions"], ["apps"], ["muted"], ["exclude", "--list"],
            ] {
                let json = arguments == ["export"] ? [] : ["--json"]
                let result = try await run(
                    builtProduct("hunch"), arguments + json, environment: rig.environment)
                let lines = try result.output().split(separator: "\n")
                let keys = try lines.map { try JSONDecoder().decode(Keys.self, from: Data($0.utf8)) }
                #expect(keys.contains { $0.app != nil }, "\(arguments): \(lines)")
                #expect(keys.allSatisfy { $0.application == nil && $0.applicationName == nil }, "\(arguments)")
            }
        }
    }

    @Test("An export has everything once and can be imported")
    func whole() async throws {
        try await withPrivacyAgent(prepare: { home in
            let store = try Planted.store(in: home)
            try Planted.addStay(to: store)
            try store.exclude("org.example.Excluded")
            try store.setCategory(.calls, isAllowed: true)
            try store.setReader("org.example.Reader", isAllowed: true)
        }) { rig in
            let text = try await rig.hunch("export").output()
            let lines = try lines(text)
            let types = Dictionary(grouping: lines, by: \.type).mapValues(\.count)
            #expect(
                types == [
                    "export": 1, "settings": 1, "exclusion": 1, "donation": 8, "engagement": 6, "resumePoint": 4,
                    "mutedPair": 5, "announcement": 3, "seenPlace": 5, "script": 1, "reader": 1, "place": 1,
                    "stay": 1, "end": 1,
                ])
            #expect(lines.first?.type == "export" && lines.last?.type == "end")
            #expect(lines.last?.lines == lines.count - 1)
            let donation = try #require(lines.first { $0.identifier == "id-LeaveDevice" })
            #expect(donation.app == Planted.keptApp.rawValue && donation.kind == "playMedia")
            #expect(donation.parameters == ["item": "song LeaveDevice"] && donation.group == "group-LeaveDevice")
            #expect(donation.date == "2025-06-01T09:30:00.000Z")
            #expect(
                donation.context
                    == Context(
                        trigger: .device("LeaveDevice"), device: "LeaveDevice", hour: 9, weekday: 2,
                        further: ["mood": "mood of LeaveDevice"]))
            #expect(text.contains(#""calls":true"#) && text.contains(#""retentionDays":120"#))
            for setting in UserSetting.allCases { #expect(text.contains("\"\(setting.rawValue)\":false")) }
        }
    }

    @Test(
        "hunch donate restores an export from a file or a pipe",
        arguments: [true, false])
    func roundTrip(isPipe: Bool) async throws {
        try await withPrivacyAgent(prepare: { home in
            let store = try Planted.store(in: home)
            try store.exclude("org.example.Excluded")
            try store.setReader("org.example.Reader", isAllowed: true)
        }) { rig in
            let path = rig.home.directory.file("mine.jsonl")
            _ = try await rig.hunch("export", path).output()
            let whole = try rig.home.directory.read("mine.jsonl")
            let (before, status) = (try StoreFile(home: rig.home).counts(), try await rig.agent.status().transfer)
            let trigger = SimulatedTrigger(device: Planted.keptDevice)
            let offered = try await rig.agent.simulate(trigger).map(\.title)
            #expect(!offered.isEmpty)
            _ = try await rig.agent.forget(.everything)
            #expect(try await rig.agent.simulate(trigger).isEmpty)
            let result = try await run(
                builtProduct("hunch"), ["donate", isPipe ? "-" : path], environment: rig.environment,
                input: isPipe ? whole : "")
            // Settings, an exclusion, a script and a reader were there.
            let lines = whole.split(separator: "\n").count - 2
            #expect(result.standardOutput == "\(lines - 4) imported\n4 there already\n", "\(result)")
            #expect(try StoreFile(home: rig.home).counts() == before)
            #expect(try await rig.agent.status().transfer["donations"] == status["donations"])
            #expect(try await rig.hunch("export").output() == whole)
            // Imported rows are learned, too.
            #expect(try await rig.agent.simulate(trigger).map(\.title) == offered)
            let json = try await rig.hunch("donate", path, "--json").output()
            #expect(
                json
                    == #"{"accepted":0,"receipt":{"content":0,"known":\#(lines),"permissions":0,"tooOld":0,"unknown":0,"withheld":0},"#
                    + #""refused":[],"skipped":\#(lines)}"# + "\n")
        }
    }

    @Test("An export has the search index, with and without an agent")
    func index() async throws {
        try await withPrivacyAgent(prepare: { _ = try Planted.store(in: $0) }) { rig in
            let before = try await rig.hunch("export").output().split(separator: "\n").count
            let items = (1...700).map { #"{"id":"\#($0)","title":"Note \#($0)","text":"é\n\"","public":true}"# }
            let file = try rig.home.directory.write(items.joined(separator: "\n"), to: "items.jsonl")
            _ = try await rig.hunch("index", "import", file, "--index", "notes").output()
            let writer = try IndexStore.open(
                at: IndexStore.defaultPath(environment: rig.environment), language: "en", isFixed: true)
            try writer.learnOpening(
                of: "7", in: IndexSource(application: AppID("script:notes"), name: "notes"), for: "note",
                SearchOptions(now: Planted.now))
            writer.close()
            let text = try await rig.hunch("export").output()
            struct Head: Decodable {
                let type: String
                let lines: Int?
            }
            let exported = try text.split(separator: "\n").map {
                try JSONDecoder().decode(Head.self, from: Data($0.utf8))
            }
            #expect(exported.count { $0.type == "item" } == 700 && exported.contains { $0.type == "opened" })
            let opened = exported.count { $0.type == "opened" }
            #expect(exported.count == before + 700 + opened && exported.last?.lines == exported.count - 1)
            #expect(
                text.contains(#"{"type":"item","app":"script:notes","index":"notes","id":"700","title":"Note 700""#))
            let alone = try await run(
                builtProduct("hunch"), ["export"],
                environment: rig.environment.merging(["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere"]) { $1 })
            func rest(_ text: String) -> [Substring] {
                text.split(separator: "\n").filter { !$0.contains(#""type":"export""#) }
            }
            #expect(rest(alone.standardOutput) == rest(text))
            let receipt = try await run(
                builtProduct("hunch"), ["donate", "-"], environment: rig.environment, input: text)
            #expect(
                receipt.standardOutput.contains("\(700 + opened) of the search index; apps and “hunch index import”"),
                "\(receipt)")
        }
    }

    @Test("A broken or truncated export is refused with the line")
    func broken() async throws {
        try await withPrivacyAgent(prepare: { _ = try Planted.store(in: $0) }) { rig in
            let whole = try await rig.hunch("export").output()
            _ = try await rig.agent.forget(.everything)
            var lines = whole.split(separator: "\n").map(String.init)
            let cut = try rig.home.directory.write(lines.dropLast(3).joined(separator: "\n") + "\n", to: "cut.jsonl")
            lines[5] = lines[5].replacing("\"parameters\"", with: "\"perimeters\"")
            let broken = try rig.home.directory.write(lines.joined(separator: "\n") + "\n", to: "broken.jsonl")
            for (path, text) in [
                (cut, "line \(lines.count - 2): the last line is missing, so the export was cut short"),
                (broken, "line 6: it is not a JSON object with the keys of its type"),
            ] {
                let result = try await rig.hunch("donate", path)
                #expect(result.status == .exited(2) && result.standardOutput.isEmpty)
                #expect(result.standardError == "hunch: \(text); nothing was imported\n")
                #expect(try StoreFile(home: rig.home).counts()["donation"] == 0)
            }
            _ = try await rig.hunch("pause").output()
            let paused = try await rig.hunch("donate", cut)
            #expect(paused.status == .exited(3) && paused.standardError.contains("hunch unpause"), "\(paused)")
        }
    }

    @Test("An export file is complete, private and never overwritten")
    func file() async throws {
        try await withPrivacyAgent(prepare: { _ = try Planted.store(in: $0) }) { rig in
            let path = rig.home.directory.file("mine.jsonl")
            let result = try await rig.hunch("export", path, "--json").output()
            let text = try rig.home.directory.read("mine.jsonl")
            let count = text.split(separator: "\n").count
            #expect(result == "{\"file\":\"\(path)\",\"lines\":\(count)}\n")
            var status = stat()
            #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
            let again = try await rig.hunch("export", path)
            #expect(again.status == .exited(2) && again.standardError.contains("exists already"), "\(again)")
            #expect(try rig.home.directory.read("mine.jsonl") == text)
            let nowhere = try await rig.hunch("export", "/nonexistent/mine.jsonl")
            #expect(nowhere.status == .exited(2), "\(nowhere)")
        }
    }

    /// More than fits into a pipe.
    private func fill(_ home: TemporaryHome) throws {
        let store = try Planted.store(in: home)
        let title = String(repeating: "x", count: 400)
        let donations = (0..<2_000).map {
            Donation(
                application: Planted.keptApp, kind: .playMedia, parameters: ["item": "\($0) \(title)"],
                date: Planted.now)
        }
        try store.record(donations, now: Planted.now)
        try store.close()
    }

    private func read(_ pipe: UnixDescriptor, upTo limit: Int = .max) -> [UInt8] {
        var all: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while all.count < limit {
            let count = pipe.withDescriptor { Glibc.read($0, &buffer, min(buffer.count, limit - all.count)) }
            guard count > 0 else { break }
            all += buffer[..<count]
        }
        return all
    }

    /// An export, once another one may run.
    private func export(_ rig: AgentRig) async throws -> UnixDescriptor {
        try await eventually("room for another", because: "the end of an export is not told") {
            do {
                return try await rig.agent.export()
            } catch let error as DBusError where error.name == .limitsExceeded {
                return nil
            }
        }
    }

    @Test("Slow, leaving or numerous readers delay nothing")
    func readers() async throws {
        try await withPrivacyAgent(prepare: fill) { rig in
            let idle = try await rig.agent.export()
            // Meanwhile, the store still answers.
            #expect(try await rig.agent.status().transfer.value("donations") == UInt64(2_007))
            for _ in 0..<8 {
                let leaving = try await export(rig)
                _ = read(leaving, upTo: 10)
                close(leaving.take())
            }
            let all = try await export(rig)
            let thread = try WorkerThread(name: "reader")
            defer { thread.stop() }
            let text = try await thread.run { String(decoding: read(all), as: UTF8.self) }
            #expect(try lines(text).filter { $0.type == "donation" }.count == 2_007)
            withExtendedLifetime(idle) {}

            var held: [UnixDescriptor] = []
            var refusal: DBusError?
            for _ in 0..<5 where refusal == nil {
                do { held.append(try await rig.agent.export()) } catch let error as DBusError { refusal = error }
            }
            #expect(refusal?.name == .limitsExceeded)
            // Forgotten rows are no longer exported.
            _ = try await rig.agent.forget(.everything)
            for pipe in held + [idle] {
                let rest = try await thread.run { String(decoding: read(pipe), as: UTF8.self) }
                #expect(!rest.contains(#""type":"end""#))
            }
            let after = try await export(rig)
            let left = try await thread.run { String(decoding: read(after), as: UTF8.self) }
            #expect(try lines(left).map(\.type) == ["export", "settings", "script", "end"])
        }
    }

    @Test("An export to a stalled reader is abandoned")
    func patience() async throws {
        try await withTemporaryHome { home in
            try fill(home)
            try await withPrivateBus { bus in
                try await withPrivacyAgent(on: bus, in: home, exportPatience: .milliseconds(50)) { rig in
                    var idle: [UnixDescriptor] = []
                    for _ in 0..<12 {
                        idle.append(try await export(rig))
                    }
                    // The bytes in the pipe can still be read. Then the export ends without its last line.
                    let text = String(decoding: read(idle[0]), as: UTF8.self)
                    #expect(text.hasPrefix("{") && !text.contains(#""type":"end""#))
                }
            }
        }
    }

    @Test("hunch export reads the store without an agent")
    func withoutAgent() async throws {
        try await withTemporaryHome { home in
            let fresh = try await run(builtProduct("hunch"), ["export"], environment: home.environment)
            #expect(fresh.status == .exited(1) && fresh.standardError == "hunch: nothing was ever recorded\n")
            try Planted.store(in: home).close()
            let text = try await run(builtProduct("hunch"), ["export", "-"], environment: home.environment).output()
            #expect(try lines(text).filter { $0.type == "donation" }.count == 7)
            #expect(try lines(text).last?.type == "end")
        }
    }
}

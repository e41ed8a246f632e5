import Foundation
import Glibc
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(15))) struct EvaluateCommandTests {
    private struct Report: Decodable {
        struct Method: Decodable {
            let micro: [String: Double]
            let macro: [String: Double]
        }
        let users: Int
        let events: Int
        let predicted: Int
        let learned: Int
        let unseen: Int
        let offers: Int
        let falseOffers: Int
        let falseOfferRate: Double
        let methods: [String: Method]
        let microsecondsPerPrediction: Double
        let microsecondsPerUpdate: Double
        let bytesPerUser: Int
        let greatestBytesPerUser: Int
    }

    private static let log = """
        {"user":"ann","action":"mail","at":"2025-06-02T08:30:00+02:00","context":{"place":"home","trigger":"unlock"}}
        {"user":"ann","action":"mail","at":1748846000.5,"other":1}

        {"user":"bob","action":"music","phase":"learn","context":{"place":null,"device":""}}
        {"user":"bob","action":"music","phase":"predict","context":null,"at":null}

        """

    @Test("A log is evaluated")

    func aLogIsEvaluated() async throws {
        try await withHunch("hunch-dev") { hunch async throws in
            let report = try #require(
                try await hunch.json(
                    Report.self, "evaluate", "-", "--json", "--ranked", "out.jsonl", input: Self.log
                ).first)
            #expect(report.users == 2 && report.events == 4 && report.predicted == 3 && report.learned == 3)
            #expect(report.unseen == 1)
            #expect(report.falseOffers <= report.offers && report.offers <= report.predicted)
            #expect(
                report.falseOfferRate == (report.offers == 0 ? 0 : Double(report.falseOffers) / Double(report.offers)))
            #expect(Set(report.methods.keys) == ["hunch", "mfu", "mru", "markov1", "contextMFU"])
            for (name, method) in report.methods {
                #expect(Set(method.micro.keys) == ["hr1", "hr3", "hr4", "hr5", "mrr10"])
                #expect(abs((method.micro["hr1"] ?? 0) - 2.0 / 3) < 1e-9, "\(name)")
                #expect(method.macro["mrr10"] == 0.75, "\(name)")
            }
            #expect(report.bytesPerUser > 0 && report.greatestBytesPerUser >= report.bytesPerUser)
            let ranked = try String(contentsOfFile: hunch.home.directory.path + "/out.jsonl", encoding: .utf8)
            #expect(
                ranked == """
                    {"line":1,"ranked":[]}
                    {"line":2,"ranked":["mail"]}
                    {"line":5,"ranked":["music"]}

                    """)
        }
    }

    @Test("The report for people is a table")

    func peopleGetATable() async throws {
        try await withHunch("hunch-dev") { hunch async throws in
            try hunch.home.directory.write(Self.log, to: "log.jsonl")
            let result = try await hunch("evaluate", "log.jsonl")
            #expect(result.standardOutput.hasPrefix("Hunch\t0.667\t0.667\t0.667\t0.667\t0.667\t0.750\t"))
            #expect(
                result.standardOutput.contains("4 events of 2 users: 3 predicted, 1 of them done for the first time"))
            #expect(result.standardOutput.contains("Hunch would have suggested nothing: it was never sure enough"))
            #expect(result.status == .exited(0))
            // The first is new, and the second may be.
            let mail = #"{"user":"ann","action":"mail"}"# + "\n"
            let often = try await hunch("evaluate", "-", input: String(repeating: mail, count: 4))
            #expect(
                often.standardOutput.contains(
                    "Hunch would have suggested something 2 times; 0 % of the suggestions were wrong"))
        }
    }

    @Test("evaluate --help states the limits and the use of --history")
    func help() async throws {
        try await withHunch("hunch-dev") { hunch async throws in
            let help = try await hunch("evaluate", "--help").output()
            let words = help.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            for text in [
                "65536 bytes a line", "“user” 1024 bytes", "“action” 4096", "32 keys of 128 bytes with values of 512",
                "--history evaluates the donations that “hunch history” lists",
            ] {
                #expect(words.contains(text), "\(text)")
            }
        }
    }

    @Test(arguments: [
        ("{", "line 2: it is not a JSON object"), ("[1]", "line 2: it is not a JSON object"),
        (
            #"{"user":"a","action":"b",}"#,
            "line 2: it is not a JSON object: expected a name in double quotation marks"
        ),
        (#"{"user":"a","action":"b"} // c"#, "line 2: it is not a JSON object: expected the end of the text"),
        (#"{"user":"a"}"#, "line 2: “action” must be a text"), (#"{"user":1,"action":"b"}"#, "line 2: “user” must be"),
        (#"{"user":"","action":"b"}"#, "line 2: “user” must be"),
        (#"{"user":"a","action":"b","at":"yesterday"}"#, "line 2: “at” must be ISO 8601"),
        (#"{"user":"a","action":"b","at":"2025-02-30"}"#, "line 2: “at” must be ISO 8601"),
        (#"{"user":"a","action":"b","at":1e300}"#, "line 2: “at” must be"),
        (#"{"user":"a","action":"b","at":true}"#, "line 2: “at” must be"),
        (#"{"user":"a","action":"b","context":{"k":1}}"#, "line 2: “context” must be an object"),
        (#"{"user":"a","action":"b","context":"k"}"#, "line 2: “context” must be an object"),
        (#"{"user":"a","action":"b","phase":"guess"}"#, "line 2: “phase” must be"),
        (#"{"user":"a","action":"\#(String(repeating: "b", count: 5_000))"}"#, "line 2: “action” is longer than 4096"),
        (String(repeating: "x", count: 70_000), "line 2: it is longer than 65536 bytes"),
    ])
    func aMalformedLineIsToldWithItsNumber(line: String, message: String) async throws {
        try await withHunch("hunch-dev") { hunch async throws in
            try hunch.home.directory.write("before", to: "out.jsonl")
            let result = try await hunch(
                "evaluate", "-", "--ranked", "out.jsonl", input: #"{"user":"a","action":"b"}"# + "\n" + line + "\n")
            #expect(result.status == .exited(2))
            #expect(result.standardError.hasPrefix("hunch: " + message), "\(result.standardError)")
            #expect(result.standardError.split(separator: "\n").count == 1)
            #expect(result.standardOutput.isEmpty)
            // There is no partial file, and no other file next to it.
            #expect(try String(contentsOfFile: hunch.home.directory.path + "/out.jsonl", encoding: .utf8) == "before")
            let files = try FileManager.default.contentsOfDirectory(atPath: hunch.home.directory.path)
            #expect(!files.contains { $0.hasSuffix(".partial") })
        }
    }

    @Test("Input that cannot be evaluated is reported")

    func whatCannotBeEvaluatedIsTold() async throws {
        try await withHunch("hunch-dev") { hunch async throws in
            #expect(try await hunch("evaluate").status == .exited(2))
            #expect(try await hunch("evaluate", "log", "--history").status == .exited(2))
            #expect(try await hunch("evaluate", "nowhere.jsonl").standardError.contains("nowhere.jsonl"))
            #expect(try await hunch("evaluate", ".").status == .exited(2))
            #expect(try await hunch("evaluate", "-").status == .exited(1))
            #expect(try await hunch("evaluate", "--history").status == .exited(1))
            let result = try await hunch("evaluate", "-", "--ranked", "no/such/out", input: Self.log)
            #expect(result.status == .exited(3))
            // The log is never overwritten, whatever its name is.
            try hunch.home.directory.write(Self.log, to: "log.jsonl")
            // A symbolic link is followed, and a device is written to.
            let directory = hunch.home.directory
            try FileManager.default.createSymbolicLink(
                atPath: directory.path + "/link", withDestinationPath: "target.jsonl")
            try "old".write(toFile: directory.path + "/target.jsonl", atomically: true, encoding: .utf8)
            let linked = try await hunch("evaluate", "-", "--ranked", "link", input: Self.log)
            #expect(linked.status == .exited(0))
            let target = try String(contentsOfFile: directory.path + "/target.jsonl", encoding: .utf8)
            #expect(target.hasPrefix(#"{"line":1,"ranked":[]}"#))
            #expect(
                try FileManager.default.destinationOfSymbolicLink(atPath: directory.path + "/link") == "target.jsonl")
            #expect(mkfifo(directory.path + "/pipe", 0o600) == 0)
            let reader = open(directory.path + "/pipe", O_RDWR | O_CLOEXEC)
            defer { close(reader) }
            #expect(try await hunch("evaluate", "-", "--ranked", "pipe", input: Self.log).status == .exited(0))
            var buffer = [UInt8](repeating: 0, count: 4_096)
            let count = read(reader, &buffer, buffer.count)
            #expect(String(decoding: buffer[..<max(count, 0)], as: UTF8.self) == target)
            let over = try await hunch("evaluate", "log.jsonl", "--ranked", "./log.jsonl")
            #expect(over.status == .exited(2))
            #expect(over.standardError == "hunch: “./log.jsonl” is the log itself; give --ranked another file\n")
            let kept = try String(contentsOfFile: hunch.home.directory.path + "/log.jsonl", encoding: .utf8)
            #expect(kept == Self.log)
        }
    }
}

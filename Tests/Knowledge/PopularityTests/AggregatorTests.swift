import FoundationEssentials
import GRDB
import SeededRandom
import TestSupport
import Testing

@testable import Popularity

/// The aggregator, run as a web server runs it (RFC 3875).
@Suite("Aggregator of popularity", .timeLimit(.minutes(15))) struct AggregatorTests {
    /// Runs the aggregator with a request. Returns the status, the body and what went to the server's log.
    private func request(
        _ method: String, _ body: String = "", in folder: TemporaryDirectory, _ variables: [String: String] = [:]
    ) async throws -> (status: Int, body: String, log: String) {
        var environment = [
            "GATEWAY_INTERFACE": "CGI/1.1", "REQUEST_METHOD": method,
            "HUNCH_AGGREGATOR_DATABASE": folder.file("reports.sqlite"),
        ]
        if method == "POST" {
            environment["CONTENT_LENGTH"] = "\(body.utf8.count)"
            environment["CONTENT_TYPE"] = "application/x-ndjson; charset=utf-8"
        }
        let result = try await run(
            builtProduct("hunch-aggregator"), ["word", "of", "the", "query"],
            environment: environment.merging(variables) { $1 }, input: body)
        #expect(result.status == .exited(0))
        let text = result.standardOutput
        let end = try #require(text.firstRange(of: "\r\n\r\n"))
        let status = try #require(text.firstMatch(of: /^Status: ([0-9]+) [A-Z][A-Za-z ]+\r\n/))
        return (try #require(Int(status.1)), String(text[end.upperBound...]), result.standardError)
    }

    private func reports(_ count: Int, epsilon: Double = 1, seed: UInt64 = 1) throws -> [PopularityReport] {
        var random = SplitMix64(seed: seed)
        let encoding = try #require(UnaryEncoding(epsilon: epsilon))
        return (0..<count).map { _ in PopularityReport(about: nil, encoding: encoding, using: &random) }
    }

    private func text(_ reports: [PopularityReport]) -> String { reports.map { $0.json + "\n" }.joined() }

    @Test("Concurrent processes add up all reports")
    func sums() async throws {
        try await withTemporaryDirectory { folder in
            let all = try (1...8).map { try reports(20, seed: $0) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for part in all {
                    group.addTask {
                        let answer = try await request("POST", text(part), in: folder)
                        #expect(answer.status == 204)
                    }
                }
                try await group.waitForAll()
            }
            var expected = PopularitySketch(encoding: try #require(UnaryEncoding(epsilon: 1)))
            for report in all.joined() { try expected.add(report) }
            let (status, body, _) = try await request("GET", in: folder)
            #expect(status == 200)
            let sums = try PopularitySketch(json: Array(body.utf8))
            #expect(sums == expected)
            #expect(try await request("HEAD", in: folder).body.isEmpty)
            let words = try await run(
                builtProduct("hunch-aggregator"), ["status"],
                environment: ["HUNCH_AGGREGATOR_DATABASE": folder.file("reports.sqlite")]
            ).output()
            #expect(words == "160 reports with ε = 1.0 in the last 4 weeks\n")
        }
    }

    @Test("An invalid request adds nothing and gives the reason")
    func refusals() async throws {
        try await withTemporaryDirectory { folder in
            let good = text(try reports(1))
            let other = text(try reports(1, epsilon: 2))
            let cases: [(body: String, variables: [String: String], status: Int, words: String)] = [
                (good + "\n{}\n", [:], 400, "line 3: the report is not"),
                (other, [:], 400, "line 1: “epsilon” must be 1.0"),
                (good, ["CONTENT_TYPE": "text/plain"], 415, "must be application/x-ndjson"),
                ("", [:], 400, "no report"), (good, ["CONTENT_LENGTH": ""], 411, "the length of the body"),
                (good, ["CONTENT_LENGTH": "-5"], 411, "the length of the body"),
                (good, ["CONTENT_LENGTH": "9999999999"], 413, "more than 1048576 bytes"),
                (good, ["CONTENT_LENGTH": "999"], 400, "shorter than its length"),
                (String(repeating: " ", count: 600), [:], 400, "line 1 has more than 512 bytes"),
            ]
            for (body, variables, status, words) in cases {
                let answer = try await request("POST", body, in: folder, variables)
                #expect(answer.status == status && answer.body.contains(words), "\(answer)")
            }
            #expect(try await request("DELETE", in: folder).status == 405)
            let sketch = try PopularitySketch(json: Array(try await request("GET", in: folder).body.utf8))
            #expect(sketch.total == 0)
        }
    }

    @Test("Reports count for the set number of weeks only")
    func weeks() async throws {
        try await withTemporaryDirectory { folder in
            let path = folder.file("reports.sqlite")
            func total(_ weeks: String) async throws -> Double {
                let (_, body, _) = try await request("GET", in: folder, ["HUNCH_AGGREGATOR_WEEKS": weeks])
                return try PopularitySketch(json: Array(body.utf8)).total
            }
            for age in [5, 3, 0] {
                let answer = try await request(
                    "POST", text(try reports(10)), in: folder, ["HUNCH_AGGREGATOR_WEEKS": "52"])
                #expect(answer.status == 204)
                let database = try DatabaseQueue(path: path)
                try await database.write { try $0.execute(sql: "UPDATE line SET week = week - \(age)") }
                try database.close()
            }
            // They are 8, 3 and 0 weeks old now.
            #expect(try await total("1") == 10)
            #expect(try await total("4") == 20)
            #expect(try await total("52") == 30)
            #expect(try await request("POST", text(try reports(1)), in: folder).status == 204)
            #expect(try await total("52") == 21)
        }
    }

    @Test("A wrong setting is in the server's log, not in the answer")
    func settings() async throws {
        try await withTemporaryDirectory { folder in
            #expect(try await request("GET", in: folder).status == 200)
            let cases = [
                (["HUNCH_AGGREGATOR_EPSILON": "2"], "has reports with ε = 1.0, not 2.0"),
                (["HUNCH_AGGREGATOR_EPSILON": "x"], "HUNCH_AGGREGATOR_EPSILON is not a number from 0.1 to 8.0"),
                (["HUNCH_AGGREGATOR_WEEKS": "0"], "HUNCH_AGGREGATOR_WEEKS is not a number from 1 to 52"),
                (["HUNCH_AGGREGATOR_DATABASE": "reports"], "is not the absolute path of a file"),
                (
                    ["HUNCH_AGGREGATOR_DATABASE": "/nowhere/reports"],
                    "/nowhere/reports cannot be used: unable to open database file; check it"
                ),
            ]
            for (variables, words) in cases {
                let answer = try await request("GET", in: folder, variables)
                #expect(answer.status == 500 && answer.body == "the aggregator failed; its log says why\n")
                #expect(answer.log.contains(words), "\(answer.log)")
            }
            let missing = try await run(
                builtProduct("hunch-aggregator"), ["status"],
                environment: ["HUNCH_AGGREGATOR_DATABASE": folder.file("other.sqlite")])
            #expect(missing.status == .exited(3) && missing.standardError.contains("there is no file"))
            #expect(!FileManager.default.fileExists(atPath: folder.file("other.sqlite")))
            let outside = try await run(builtProduct("hunch-aggregator"), [], environment: [:])
            #expect(outside.status == .exited(2) && outside.standardError.contains("--help"))
        }
    }
}

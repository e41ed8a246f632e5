import FoundationEssentials
import TestSupport
import Testing

/// Tests of message storms in a separate process, whose descriptors and memory can be counted.
@Suite("Load tests", .serialized, .timeLimit(.minutes(15)))
struct StormTests {
    @Test("100,000 signals arrive in order without a leak")
    func signals() async throws { try await storm("signals") }

    @Test("100,000 calls, 1,000 at once, are answered without a leak")
    func calls() async throws { try await storm("calls") }

    @Test("1,000 connections, subscriptions and servers leave no leak")
    func connections() async throws { try await storm("connections") }

    /// Runs the storm twice on a bus of its own.
    private func storm(_ kind: String) async throws {
        try await withPrivateBus { bus in
            let output = try await run(
                builtProduct("dbus-storm"), [kind, bus.address], within: .seconds(500)
            ).output()
            let words = output.split(whereSeparator: \.isWhitespace)
            try #require(words.count == 4, "\(output)")
            #expect(words[1] == "0", "\(output)")
            // After the first storm, caches grow by a few pages at most. A leak of 5 bytes a message would be more.
            #expect(try #require(Int(words[3])) < 500_000, "\(output)")
        }
    }
}

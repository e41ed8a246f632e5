import FoundationEssentials
import TestSupport
import Testing

/// Storms in a process of their own, whose descriptors and memory are nobody else's.
@Suite("Load tests", .serialized, .timeLimit(.minutes(10)))
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
            // What is cached beyond the first storm is a few pages; a leak of 5 bytes a message would be more.
            #expect(try #require(Int(words[3])) < 500_000, "\(output)")
        }
    }
}

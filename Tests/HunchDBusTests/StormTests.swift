import FoundationEssentials
import TestSupport
import Testing

/// Storms in a process of their own, whose descriptors and memory are nobody else's.
@Suite("Storm", .serialized, .timeLimit(.minutes(10)))
struct StormTests {
    @Test("100,000 signals between two connections: none lost, none out of order, nothing left behind")
    func signals() async throws { try await storm("signals") }

    @Test("100,000 calls, 1,000 of them at once: every one answered with its own answer, nothing left behind")
    func calls() async throws { try await storm("calls") }

    @Test("1,000 connections, subscriptions and servers come and go and leave nothing")
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

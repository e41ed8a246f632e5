import AgentInterface
import FoundationEssentials
import History
import HunchDBus
import HunchKit
import HunchModel
import TestSupport
import Testing

@testable import Agent
@testable import Services

/// Tests of other time zones, clocks that are set back, and weeks of absence.
@Suite("Changes of clock and time zone", .timeLimit(.minutes(15))) struct TimeTests {
    @Test("Hour and weekday follow the user's time zone")
    func zones() async throws {
        try await withTemporaryHome { home in
            try prepareEnabled(home)
            // The day before yesterday in UTC, at 02:30. These zones have no daylight saving time.
            let day = Int(Date().timeIntervalSince1970 / 86_400) - 2
            let date = Date(timeIntervalSince1970: Double(day) * 86_400 + 9_000)
            let lines = try home.directory.write(
                """
                {"application":"a","kind":"playMedia","parameters":{"item":"x"},"date":"\(date.formatted(.iso8601))"}
                """, to: "lines.jsonl")
            for zone in ["Asia/Kolkata", "America/Phoenix", "Pacific/Kiritimati"] {
                try await withPrivateBus { bus in
                    try await withAgent(on: bus, in: home, also: ["TZ": zone]) { rig, _ in
                        _ = try await rig.hunch("donate", lines).output()
                    }
                }
            }
            let contexts = try StoreFile(home: home).use { try $0.donations(limit: 10) }.reversed().map(\.context)
            // 1970 began on a Thursday, the fifth day.
            let weekday = (day + 4) % 7 + 1
            let former = (day + 3) % 7 + 1
            #expect(contexts.map(\.hour) == [8, 19, 16])
            #expect(contexts.map(\.weekday) == [weekday, former, weekday])
        }
    }

    /// Returns the suggested map apps, the likeliest first.
    private func ranked(_ rig: AgentRig) async throws -> [AppID] {
        _ = try await rig.suggest(["uri": .string("geo:48.8584,2.2945")])
        let offered = try await rig.agent.suggestions().filter { $0.application.rawValue.hasPrefix("org.example.") }
        return offered.sorted { $0.score > $1.score }.map(\.application)
    }

    private func open(_ application: AppID, _ rig: AgentRig) async throws {
        let parameters = ["latitude": "48.8584", "longitude": "2.2945"]
        let method = Item.of("getDirections", parameters, more: ["app": application.dbusValue])
        #expect(try await rig.codes([method]) == [""])
    }

    @Test("A habit survives clock changes, absences and restarts")
    func jumps() async throws {
        let day = 86_400.0
        let clock = Watched(Planted.now)
        try await withTemporaryHome { home in
            try prepareEnabled(home)
            let before = Watched<[AppID]>([])
            try await withPrivateBus { bus in
                try await withPrivacyAgent(on: bus, in: home, now: { clock.state }) { rig in
                    for app: AppID in ["org.example.Left", "org.example.Right"] { try rig.installMapApp(app) }
                    for _ in 0..<5 {
                        try await open("org.example.Right", rig)
                        clock.update { $0 += day }
                    }
                    try await open("org.example.Left", rig)
                    #expect(try await ranked(rig).first == "org.example.Right")
                    // Actions with dates in the future do not keep current actions from counting.
                    clock.update { $0 -= 30 * day }
                    #expect(try await ranked(rig).first == "org.example.Right")
                    for _ in 0..<9 { try await open("org.example.Left", rig) }
                    #expect(try await ranked(rig).first == "org.example.Left")
                    clock.update { $0 += 79 * day }
                    let last = try await ranked(rig)
                    #expect(last.first == "org.example.Left")
                    before.update { $0 = last }
                }
            }
            try await withPrivateBus { bus in
                try await withPrivacyAgent(on: bus, in: home, now: { clock.state }) { rig in
                    let ranked = try await ranked(rig)
                    #expect(ranked == before.state)
                }
            }
            #expect(try StoreFile(home: home).counts()["donation"] == 15)
        }
    }

    @Test("A suggestion expires by wall clock, even when set back")
    func suggestionsEnd() async throws {
        let clock = Watched(Planted.now)
        try await withPrivacyAgent(now: { clock.state }, prepare: prepareEnabled) { rig in
            try rig.installMapApp("org.example.Maps")
            clock.update { $0 -= 86_400 }
            #expect(try await ranked(rig) == ["org.example.Maps"])
            clock.update { $0 += 86_400 * 30 }
            let stale = try #require(try await rig.agent.suggestions().first { $0.application == "org.example.Maps" })
            let refusal = try await rig.refusal { try await $0.agent.accept(stale.id) }
            #expect([.notOffered, .unknownObject].contains(refusal?.name))
        }
    }
}

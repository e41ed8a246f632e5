import FoundationEssentials
import History
import HunchDBus
import HunchKit
import HunchModel
import TestSupport
import Testing

@testable import Agent
@testable import Services
@testable import Media

/// Tests of the second candidate.
@Suite("Second media suggestion", .serialized, .timeLimit(.minutes(15)))
struct SecondChoiceTests {
    private static let radio: AppID = "org.example.Radio"

    /// A scene with two running apps that one drop of the headset's link interrupted.
    private func withTwoApps(
        _ body: nonisolated(nonsending) (MediaScene, _ podcasts: Daemon, _ radio: Daemon) async throws -> Void
    ) async throws {
        try await withMediaScene(
            played: [MediaScene.podcasts, Self.radio], configure: { $0.preparationTime = .seconds(20) }
        ) { scene in
            try StoreFile(home: scene.rig.home).use { store in
                for (app, age) in [(MediaScene.podcasts, 60.0), (Self.radio, 120)] {
                    let point = ResumePoint(
                        device: AudioDevice.ID(scene.headset.address), application: app, item: "show-1/episode-1",
                        info: NowPlayingInfo(title: "Episode 1"), pausedByDisconnect: true,
                        date: Date(timeIntervalSinceNow: -age))
                    let outcome = try store.remember(point, now: Date())
                    #expect(outcome.isRecorded)
                }
            }
            try await scene.withApp { podcasts in
                try await scene.withApp(Self.radio, name: "Radio") { radio in
                    try await body(scene, podcasts, radio)
                }
            }
        }
    }

    @Test("A dismissed suggestion leaves the notification of the other one")
    func dismissed() async throws {
        try await withTwoApps { scene, _, _ in
            try await scene.putOn()
            _ = try await scene.notifications.request(1)
            let other = try await scene.rig.waitForSuggestions("both") {
                $0.count == 2 ? $0.first { $0.application == Self.radio } : nil
            }
            _ = try await scene.rig.hunch("dismiss", other.id).output()
            let shown = try await scene.notifications.request(2)
            #expect(!shown.actions.contains("instead-0") && !shown.body.contains("or:"), "\(shown)")
        }
    }

    @Test("Two apps interrupted by one disconnect are suggested")
    func together() async throws {
        try await withTwoApps { scene, podcasts, radio in
            try await scene.putOn()
            let shown = try await scene.notifications.request(1)
            #expect(shown.summary == "Resume “Episode 1”")
            #expect(shown.body.hasPrefix("Show 1 · Podcasts · 30 min left\n"))
            #expect(shown.body.hasSuffix("\nor: Episode 1 · Radio"))
            #expect(shown.actions.contains("instead-0"))
            let listed = try await scene.rig.hunch("suggestions").output().split(separator: "\n")
            #expect(listed.count == 2 && listed[0].contains("Podcasts") && listed[1].contains("Radio"), "\(listed)")
            #expect(try await scene.rig.hunch("explain").output().contains("Podcasts"))

            try await scene.notifications.activate(shown.number, "instead-0")
            try await radio.waitForLine(containing: "playing show-1/episode-1")
            #expect(podcasts.count(of: "initiate") == 0)
            try await scene.rig.waitForSuggestions("both being over") { $0.isEmpty ? () : nil }
        }
    }

    @Test("Not now dismisses both, and counts only for the first")
    func notNow() async throws {
        try await withTwoApps { scene, _, _ in
            try await scene.putOn()
            let shown = try await scene.notifications.request(1)
            try await scene.notifications.activate(shown.number, "not-now")
            try await scene.rig.waitForSuggestions("both being over") { $0.isEmpty ? () : nil }
            #expect(try StoreFile(home: scene.rig.home).outcomes() == ["shown", "dismissed"])
        }
    }

    private func candidate(_ application: AppID, _ score: Double) -> MediaCandidate {
        MediaCandidate(application: application, item: nil, info: nil, score: score, explanation: [])
    }

    @Test(
        "The second is nearly as likely and of another app",
        arguments: [
            ([("b", 0.3)], nil), ([("b", 0.35)], "b"), ([("a", 0.5), ("b", 0.4)], "b"), ([("a", 0.5)], nil),
            ([("b", 0.36), ("c", 0.4)], "c"), ([], nil),
        ] as [([(AppID, Double)], AppID?)])
    func rule(_ others: [(AppID, Double)], _ second: AppID?) {
        let candidates = others.map { candidate($0.0, $0.1) }
        #expect(CompanionRule.second(to: candidate("a", 0.5), among: candidates)?.application == second)
    }

    @Test(
        "The subtitle says how far playback got",
        arguments: [
            (100, 300, "1:40 of 5:00"), (6, 599, "0:06 of 9:59"), (1_800, 2_520, "12 min left"),
            (1_799, 2_520, "12 min left"), (1_657, 2_520, "14 min left"), (1_640, 2_520, "15 min left"),
            (3_560, 3_600, "1 min left"), (3_599, 3_600, nil),
            (60, 3_960, "1 h 5 min left"),
            (60, 7_260, "2 h left"), (60, 1_200, "19 min left"), (60, 1_967, "30 min left"), (60, 2_100, "35 min left"),
            (60, 3_560, "1 h left"), (60, 3_900, "1 h 5 min left"), (60, 10_000, "2 h 45 min left"), (5, 300, nil),
            (300, 300, nil), (400, 300, nil), (100, nil, nil), (nil, 300, nil),
        ] as [(Int64?, Int64?, String?)])
    func progress(_ position: Int64?, _ length: Int64?, _ words: String?) {
        let info = NowPlayingInfo(
            title: "The Daily", artists: ["The Times"], length: length.map { $0 * 1_000_000 },
            position: position.map { $0 * 1_000_000 })
        let expected = ["The Times", "Podcasts", words].compactMap { $0 }.joined(separator: " · ")
        #expect(MediaWording.subtitle(info, app: "Podcasts") == expected)
    }
}

import AgentInterface
import FoundationEssentials
import History
import HunchDBus
import HunchKit
import HunchModel
import TestSupport
import Testing

@testable import Agent
@testable import Learning
@testable import Services

/// The reasons for nothing that the user caused, and those without a known cause.
@Suite("Why nothing is suggested", .serialized, .timeLimit(.minutes(15)))
struct WhyNothingTests {
    @Test("After forgetting and excluding, the answer names the time since then")
    func dropped() async throws {
        try await withMediaScene { scene in
            try await scene.withApp { _ in
                try await scene.putOn()
                _ = try await scene.notifications.request(1)
                try await scene.takeOff()
                try await scene.rig.waitForSuggestions("the suggestion going") { $0.isEmpty ? () : nil }
                let nothing = "hunch: nothing that could lead to a suggestion has happened since you "
                for (command, words) in [
                    (["forget", "--app", MediaScene.podcasts.rawValue, "--yes"], "forgot something at "),
                    (["exclude", MediaScene.podcasts.rawValue], "excluded Podcasts at "),
                ] {
                    let done = try await run(builtProduct("hunch"), command, environment: scene.rig.environment)
                    #expect(done.status == .exited(0), "\(done)")
                    let told = try await scene.rig.hunch("why-not")
                    #expect(told.status == .exited(1) && told.standardError.hasPrefix(nothing + words), "\(told)")
                }
            }
        }
    }

    /// A wish of the user that holds suggestions at the headset.
    enum Wish: CaseIterable {
        case never, excluding, muting

        var command: String {
            switch self {
            case .never: "hunch device WH-1000 --suggest on"
            case .excluding: "hunch exclude --undo org.example.Podcasts"
            case .muting: "hunch muted --undo Podcasts"
            }
        }
    }

    @Test("Status and suggestions name what the user does not want, and how to undo it", arguments: Wish.allCases)
    func wish(_ wish: Wish) async throws {
        try await withMediaScene { scene in
            try await scene.withApp { _ in
                try await scene.putOn()
                _ = try await scene.notifications.request(1)
                switch wish {
                case .never: _ = try await scene.rig.hunch("dismiss", "--never").output()
                case .excluding: _ = try await scene.rig.hunch("exclude", MediaScene.podcasts.rawValue).output()
                case .muting:
                    for number in 1...3 {
                        _ = try await scene.rig.hunch("dismiss").output()
                        guard number < 3 else { break }
                        try await scene.takeOff()
                        try await scene.putOn()
                        _ = try await scene.rig.waitForSuggestions("the next one") { $0.first }
                    }
                }
                try await scene.rig.waitForSuggestions("the suggestion going") { $0.isEmpty ? () : nil }
                let status = try await scene.rig.hunch("status").output()
                #expect(status.contains("“\(wish.command)” undoes that"), "\(status)")
                let listed = try await scene.rig.hunch("suggestions")
                #expect(listed.standardError.contains("“\(wish.command)” undoes that"), "\(listed)")
                let words = wish.command.split(separator: " ").dropFirst().map(String.init)
                let undone = try await run(builtProduct("hunch"), words, environment: scene.rig.environment)
                #expect(undone.status == .exited(0), "\(undone)")
                let later = try await scene.rig.hunch("suggestions")
                #expect(!later.standardError.contains("undoes that"), "\(later)")
            }
        }
    }

    @Test("A paused player that was never played is reported as such")
    func neverPlayed() async throws {
        try await withMediaScene(played: []) { scene in
            let sound = try scene.rig.home.directory.write(
                WaveFile(seconds: 60, title: "Lecture", artist: "University").bytes, to: "lecture.wav")
            let player = Command(
                "mpv",
                [
                    "--no-config", "--no-video", "--ao=null", "--pause", "--script=/usr/lib/mpv-mpris/mpris.so", sound,
                ], environment: scene.rig.environment, ready: .busName("org.mpris.MediaPlayer2.mpv", on: scene.rig.bus))
            try await withDaemon(player) { _ in
                try await scene.putOn()
                try await scene.waitForHold("nothing had been played")
                let told = try await scene.rig.hunch("why-not").output()
                let words = "is paused, but was not played on it yet, so there is nothing to resume.\n"
                #expect(told.hasPrefix("Now, \(scene.headset.name): mpv") && told.contains(words), "\(told)")
            }
        }
    }

    @Test("A problem replaces the earlier one of its subject, until it is solved")
    func problems() {
        let reporter = ProblemReporter()
        reporter.report("the disk is full", about: "disk")
        reporter.report("no player")
        reporter.report("the disk is read-only", about: "disk")
        #expect(reporter.lines == ["no player", "the disk is read-only"])
        reporter.settle("disk")
        reporter.settle("no player")
        #expect(reporter.lines.isEmpty)
    }

    @Test("At the hourly limit, the status of a device in use and why-not agree")
    func enough() async throws {
        try await withMediaScene { scene in
            try StoreFile(home: scene.rig.home).use { store in
                for number in 1...6 {
                    let shown = Engagement(
                        suggestion: "s\(number)", application: "org.example.Maps", kind: .directions, outcome: .shown,
                        date: Date() - 600, context: Context(trigger: .move))
                    guard try store.record(shown, now: Date()).isRecorded else { throw BenchError("not recorded") }
                }
            }
            // The limits are read again.
            _ = try await scene.rig.agent.forget(.place("Nowhere"))
            try await scene.withApp { _ in
                try await scene.putOn()
                try await eventually("the hold", because: "Status has no signal") {
                    let holds = try await scene.rig.agent.status().holds ?? []
                    return holds.contains { if case .tooMany = $0 { true } else { false } } ? () : nil
                }
                #expect(try await scene.rig.hunch("why-not").output().contains("Enough was suggested"))
            }
        }
    }
}

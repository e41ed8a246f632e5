import FoundationEssentials
import History
import HunchDBus
import HunchKit
import HunchModel
import TestSupport
import Testing

@testable import Agent
@testable import Services

/// Tests of muting.
@Suite("Mutes", .serialized, .timeLimit(.minutes(15)))
struct MuteTests {
    private func trigger(_ scene: MediaScene) -> Trigger { .device(AudioDevice.ID(scene.headset.address)) }

    @Test("The Not now that begins a mute says so once, with Undo")
    func notice() async throws {
        try await withMediaScene { scene in
            try await scene.withApp { _ in
                for visit in 1...3 {
                    try await scene.putOn()
                    let shown = try await scene.notifications.request(visit)
                    #expect(shown.actions.contains("play"))
                    try await scene.notifications.activate(shown.number, "not-now")
                    try await scene.rig.waitForSuggestions("the suggestion going") { $0.isEmpty ? () : nil }
                    if visit < 3 { try await scene.takeOff() }
                }
                let told = try await scene.notifications.request(4)
                #expect(told.summary == "No more suggestions of Podcasts")
                let body =
                    "You dismissed them several times for \(scene.headset.name). They may come back in 30 days."
                #expect(told.body == body)
                #expect(
                    told.actions == ["undo", "Undo", "settings", "Settings"]
                        && told.hints["transient"] == .boolean(true))
                #expect(try await scene.rig.agent.mutedPairs().map(\.trigger) == [trigger(scene)])
                try await scene.notifications.activate(told.number, "undo")
                try await eventually("the mute being undone", because: "Muted has no signal") {
                    try await scene.rig.agent.mutedPairs().isEmpty ? () : nil
                }
                // The press is undone, and the earlier ones stay in the history.
                let listed = try await scene.rig.hunch("history", "--suggestions").output()
                let outcomes = listed.split(separator: "\n").compactMap { $0.split(separator: "\t").last }
                #expect(outcomes == ["Shown", "Dismissed", "Dismissed"], "\(listed)")
                let why = try await scene.rig.hunch("why-not").output()
                #expect(why.hasSuffix(": something was suggested.\n"), "\(why)")
                try await scene.takeOff()
                try await scene.putOn()
                let again = try await scene.notifications.request(5)
                #expect(again.actions.contains("play"))
                // One more dismissal is the first one.
                try await scene.notifications.activate(again.number, "not-now")
                try await scene.rig.waitForSuggestions("the suggestion going") { $0.isEmpty ? () : nil }
                #expect(try await scene.rig.agent.mutedPairs().isEmpty)
            }
        }
    }

    @Test("Closing a notification ends its suggestion, and is not a refusal")
    func closing() async throws {
        try await withMediaScene { scene in
            try await scene.withApp { _ in
                for visit in 1...4 {
                    try await scene.putOn()
                    let shown = try await scene.notifications.request(visit)
                    #expect(shown.actions.contains("play"))
                    // GNOME Shell reports the same for “Clear all”.
                    try await scene.notifications.tellClosed(shown.number, reason: 2)
                    try await scene.rig.waitForSuggestions("the suggestion going") { $0.isEmpty ? () : nil }
                    try await scene.takeOff()
                }
                #expect(try await scene.rig.agent.mutedPairs().isEmpty)
                let outcomes = try StoreFile(home: scene.rig.home).outcomes()
                #expect(Set(outcomes) == ["shown", "closed"])
            }
        }
    }

    @Test("A muted place is listed and unmuted by its name")
    func place() async throws {
        try await withMediaScene(isEnabled: false) { scene in
            try StoreFile(home: scene.rig.home).use { store in
                let subject = SuggestionSubject(MapItem(name: "Old Town Hall"))
                let pair = SuggestionPair(
                    trigger: .activity("org.example.Browser"), application: "org.example.Maps", kind: .directions,
                    subject: subject)
                try store.mute(MutedPair(pair, date: Date()))
            }
            let listed = try await scene.rig.hunch("muted").output()
            #expect(listed == "Old Town Hall\tactivity:org.example.Browser\tdirections\n")
            let app = try await scene.rig.hunch("muted", "--undo", "org.example.Maps")
            #expect(app.status == .exited(1))
            let undone = try await scene.rig.hunch("muted", "--undo", "old town hall").output()
            #expect(undone == "Old Town Hall may be suggested again after using org.example.Browser.\n")
            #expect(try await scene.rig.agent.mutedPairs().isEmpty)
        }
    }

    @Test("A muted appointment in the past is listed as one, and unmuted by its identifier")
    func event() async throws {
        try await withMediaScene(isEnabled: false) { scene in
            let subject = SuggestionSubject(CalendarEvent(title: "Weekly", start: Date()))
            try StoreFile(home: scene.rig.home).use { store in
                let pair = SuggestionPair(
                    trigger: .appointment, application: "org.example.Browser", kind: .meeting, subject: subject)
                try store.mute(MutedPair(pair, date: Date()))
            }
            let listed = try await scene.rig.hunch("muted").output()
            let words = "an appointment that is not among the next ones (\(subject.name))"
            #expect(listed == "\(words)\tappointment\tmeeting\n")
            _ = try await scene.rig.hunch("muted", "--undo", subject.name).output()
            #expect(try await scene.rig.agent.mutedPairs().isEmpty)
        }
    }

    @Test("A mute ends after thirty days", arguments: [29, 31])
    func fades(days: Int) async throws {
        try await withMediaScene(isEnabled: false) { scene in
            try StoreFile(home: scene.rig.home).use { store in
                let date = Date(timeIntervalSinceNow: Double(-86_400 * days))
                try store.mute(
                    MutedPair(trigger: trigger(scene), application: MediaScene.podcasts, date: date))
            }
            _ = try await scene.rig.agent.forget(.application("org.example.Nobody"))
            try await scene.rig.watch()
            #expect(try await scene.rig.agent.mutedPairs().isEmpty == (days > 30))
            try await scene.withApp { _ in
                try await scene.putOn()
                if days > 30 {
                    _ = try await scene.notifications.request(1)
                } else {
                    try await scene.waitForHold("muted")
                }
            }
        }
    }
}

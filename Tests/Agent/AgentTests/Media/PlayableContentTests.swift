import Agent
import Services
import FoundationEssentials
import Glibc
import History
import HunchDBus
import HunchKit
import HunchModel
import TestSupport
import Testing

/// Tests of apps with playable content.
@Suite(.serialized, .timeLimit(.minutes(15))) struct PlayableContentTests {
    @Test func `The tree of an app without a choice is read`()
        async throws
    {
        try await withMediaScene(configure: { $0.preparationTime = .seconds(20) }) { scene in
            try await scene.withApp(mode: "undecided") { app in
                try await scene.putOn()
                let shown = try await scene.notifications.request(1)
                #expect(shown.summary.contains("Episode 3") && shown.body.contains("Show 2"))
                try await app.waitForLine(containing: "prepare [show-2/episode-3] for headset")
                #expect(app.count(of: "list root from 0") == 1 && app.count(of: "list show-3") == 0)
                try await scene.notifications.activate(shown.number, "play")
                try await app.waitForLine(containing: "playing show-2/episode-3")
            }
        }
    }

    @Test func `Nothing is suggested while an app reports playback`() async throws {
        try await withMediaScene(configure: { $0.preparationTime = .seconds(20) }) { scene in
            try await scene.withApp(mode: "busy") { app in
                try await scene.putOn()
                try await scene.waitForHold("Podcasts is already playing")
                #expect(app.count(of: "prepare") == 0)
                #expect(scene.notifications.record.state.requests.isEmpty)
            }
        }
    }

    @Test(arguments: ["hang", "stopped", "crash"])
    func `The next app is suggested if the likeliest hangs`(fault: String) async throws {
        let awful: AppID = "org.example.Awful"
        try await withMediaScene(played: [MediaScene.podcasts, awful, awful]) { scene in
            let device = scene.headset.address
            try StoreFile(home: scene.rig.home).use { store in
                // Awful was interrupted there a moment ago, so that it comes first.
                for (app, isFirst) in [(awful, true), (MediaScene.podcasts, false)] {
                    let point = ResumePoint(
                        device: AudioDevice.ID(device), application: app, item: "show-1/episode-2",
                        info: NowPlayingInfo(title: "Episode 2"), pausedByDisconnect: isFirst, date: Date())
                    let outcome = try store.remember(point, now: Date())
                    #expect(outcome.isRecorded)
                }
            }
            try await scene.withApp(awful, name: "Awful", mode: fault == "stopped" ? "normal" : fault) { app in
                try await scene.withApp { podcasts in
                    if fault == "stopped" { app.signal(SIGSTOP) }
                    defer { if fault == "stopped" { app.signal(SIGCONT) } }
                    try await scene.putOn()
                    let shown = try await scene.notifications.request(1)
                    #expect(shown.body.contains("Podcasts"))
                    #expect(app.count(of: "initiate") + podcasts.count(of: "initiate") == 0)
                }
            }
        }
    }

    @Test func `A removed item withdraws its suggestion`() async throws {
        try await withMediaScene(configure: { $0.preparationTime = .seconds(20) }) { scene in
            try await scene.withApp { app in
                try await scene.putOn()
                let shown = try await scene.notifications.request(1)
                app.signal(SIGUSR1)
                try await app.waitForLine(containing: "lost show-1")
                try await scene.notifications.waitForClosing(of: shown.number)
                try await scene.rig.waitForSuggestions("the suggestion going") { $0.isEmpty ? () : nil }
                // The user did not dismiss it.
                let outcomes = try StoreFile(home: scene.rig.home).outcomes()
                #expect(Set(outcomes).isSubset(of: ["shown", "withdrawn"]) && outcomes.first == "shown", "\(outcomes)")
            }
        }
    }

    @Test func `Endless changes are checked at intervals`()
        async throws
    {
        try await withMediaScene(configure: { $0.preparationTime = .seconds(20) }) { scene in
            try await scene.withApp { app in
                try await scene.putOn()
                let shown = try await scene.notifications.request(1)
                try await app.waitForLine(containing: "item show-1/episode-1")
                app.signal(SIGUSR2)
                try await app.waitForLine(containing: "told too much")
                #expect(try await scene.rig.agent.suggestions().count == 1)
                app.signal(SIGUSR1)
                try await scene.notifications.waitForClosing(of: shown.number)
                // At most twice a second, and not for each change.
                #expect(app.count(of: "item ") < 200)
            }
        }
    }

    @Test func `Running apps get the context, excluded ones do not`()
        async throws
    {
        let other: AppID = "org.example.Other"
        try await withMediaScene { scene in
            try await scene.withApp { app in
                try await scene.withApp(other, name: "Other") { excluded in
                    _ = try await scene.rig.hunch("exclude", other.rawValue).output()
                    try await scene.putOn()
                    try await app.waitForLine(containing: "context: device, limits none")
                    try await scene.takeOff()
                    try await app.waitForLine(containing: "context: no device, limits none")
                    #expect(app.count(of: "context: ") == 2 && excluded.count(of: "context: ") == 0)
                }
            }
        }
    }
}

import AgentInterface
import FoundationEssentials
import Glibc
import EventLoops
import HunchDBus
import HunchKit
import TestSupport
import Testing

@testable import Agent
@testable import Services

/// A notification server that starts after Hunch, or restarts.
@Suite("Restarts of the notification server", .serialized, .timeLimit(.minutes(15)))
struct NotificationRestartTests {
    private func problems(_ scene: MediaScene) async throws -> [String] {
        try await scene.rig.agent.status().transfer.value("problems") ?? []
    }

    /// Runs dunst on the scene's bus while `body` runs, and then kills it, as in a crash.
    private func withDunst(_ scene: MediaScene, _ display: Display, _ body: (Dunst) async throws -> Void) async throws {
        try await TestSupport.withDunst(on: scene.rig.bus, display: display) { dunst in
            try await body(dunst)
            dunst.daemon.signal(SIGKILL)
            try await dunst.daemon.waitForExit()
        }
    }

    @Test("A server that starts late shows open suggestions")
    func late() async throws {
        try await withMediaScene { scene in
            await scene.notifications.stop()
            try await scene.withApp { _ in
                try await scene.putOn()
                try await eventually("the problem", because: "Status has no signal") {
                    try await problems(scene).contains { $0.contains("no notification server runs") } ? () : nil
                }
                try await withDisplay { display in
                    try await withDunst(scene, display) { dunst in
                        try await dunst.waitForDisplayed(1)
                        try await scene.rig.waitForSuggestions("it being shown") {
                            $0.first?.state == "shown" ? () : nil
                        }
                        #expect(try await problems(scene) == [])
                    }
                }
            }
        }
    }

    @Test("A restarted server shows each suggestion once")
    func restarted() async throws {
        try await withMediaScene { scene in
            await scene.notifications.stop()
            try await withDisplay { display in
                try await scene.withApp { _ in
                    try await withDunst(scene, display) { dunst in
                        try await scene.putOn()
                        try await dunst.waitForDisplayed(1)
                    }
                    try await withDunst(scene, display) { dunst in
                        try await dunst.waitForDisplayed(1)
                        #expect(try StoreFile(home: scene.rig.home).outcomes() == ["shown"])
                    }
                    let loop = try EventLoop()
                    try loop.start(name: "recorder")
                    defer { loop.stop() }
                    let third = try await NotificationRecorder.start(on: scene.rig.bus, loop: loop)
                    // The signal of its start arrives before the reply to this call.
                    for _ in 0..<20 { _ = try await scene.rig.agent.suggestions() }
                    #expect(third.record.state.requests.isEmpty)
                    await third.stop()
                }
            }
        }
    }

    @Test("A notification closed before the restart stays closed")
    func recovery() {
        var recovery = NotificationRecovery()
        // The first server shows it late, and crashes; so does the next one.
        var shown = [recovery.shows("a", wasShown: false)]
        for _ in 0..<2 {
            recovery.lose("a")
            shown.append(recovery.shows("a", wasShown: true))
        }
        #expect(shown == [true, true, false])
        // It was closed before its server ended.
        let closed = recovery.shows("b", wasShown: true)
        #expect(!closed)
        // No server can show it.
        let refused = [recovery.shows("c", wasShown: false), recovery.shows("c", wasShown: false)]
        #expect(refused == [true, false])
    }
}

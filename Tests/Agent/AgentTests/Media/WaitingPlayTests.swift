import FoundationEssentials
import AgentInterface
import History
import HunchDBus
import HunchKit
import HunchModel
import TestSupport
import Testing

@testable import Agent
@testable import Services

/// Tests of an accepted suggestion whose device is away for a moment.
@Suite("Playback that waits for its device", .serialized, .timeLimit(.minutes(15)))
struct WaitingPlayTests {
    /// An event that ends the wait.
    enum End: CaseIterable {
        case forgettingApp, forgettingAll, forgettingRecent, excluding, dismissing, switchingOff, pausing, disabling

        var reason: String {
            switch self {
            case .forgettingApp, .forgettingAll, .forgettingRecent: "it was forgotten before WH-1000 came back"
            case .excluding: "its app was excluded before WH-1000 came back"
            case .dismissing: "it was cancelled before WH-1000 came back"
            case .switchingOff: "suggestions were switched off for WH-1000"
            case .pausing: "Hunch was paused before WH-1000 came back"
            case .disabling: "Hunch was switched off before WH-1000 came back"
            }
        }

        /// Whether a notification gives the reason.
        var isTold: Bool { self == .pausing || self == .disabling }

        func happen(in scene: MediaScene) async throws {
            let agent = scene.rig.agent
            switch self {
            case .forgettingApp: _ = try await agent.forget(.application(MediaScene.podcasts))
            case .forgettingAll: _ = try await agent.forget(.everything)
            case .forgettingRecent: _ = try await agent.forget(.since(Date(timeIntervalSinceNow: -600)))
            case .excluding: _ = try await agent.exclude(MediaScene.podcasts)
            case .dismissing: #expect(try await scene.rig.hunch("dismiss").status == .exited(0))
            case .switchingOff:
                let device = AudioDevice.ID(scene.headset.address)
                try await agent.setDevicePolicy(DevicePolicyChange(suggests: false), of: device)
            case .pausing: try await agent.pause(until: nil)
            case .disabling: try await agent.disable()
            }
        }
    }

    @Test("The reason for ending the wait is shown, and nothing plays on return", arguments: End.allCases)
    func ended(_ end: End) async throws {
        try await withMediaScene(configure: { $0.rejoinTime = .seconds(60) }) { scene in
            try await scene.withApp { app in
                try await scene.putOn()
                _ = try await scene.notifications.request(1)
                try await scene.takeOff()
                async let accepted = scene.rig.hunch("accept")
                #expect(try await scene.notifications.request(2).summary == "Waiting for WH-1000")
                let again = try await scene.rig.hunch("accept")
                #expect(again.standardError == "hunch: it was accepted already and waits for WH-1000\n", "\(again)")

                try await end.happen(in: scene)
                let answer = try await accepted
                #expect(
                    answer.status == .exited(3) && answer.standardError.hasSuffix("hunch: \(end.reason)\n"), "\(answer)"
                )
                #expect(answer.standardError.hasPrefix("hunch: WH-1000 is not connected; playback starts only"))
                if end.isTold {
                    let told = try await scene.notifications.request(3)
                    #expect(
                        told.summary == "“Episode 1” was not resumed" && told.body == end.reason, "\(told)")
                    #expect(try StoreFile(home: scene.rig.home).outcomes() == ["shown", "accepted", "failed"])
                } else {
                    #expect(try await scene.rig.agent.suggestions().isEmpty)
                    try await scene.putOn()
                    try await scene.waitForDevice("the headset being ready") { try $0.value("ready") == true }
                }
                if end == .dismissing {
                    let outcomes = try StoreFile(home: scene.rig.home).outcomes()
                    #expect(outcomes.prefix(3) == ["shown", "accepted", "dismissed"], "\(outcomes)")
                }
                #expect(app.count(of: "initiate") == 0)
            }
        }
    }
}

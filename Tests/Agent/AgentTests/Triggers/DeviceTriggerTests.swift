import AgentInterface
import FoundationEssentials
import HunchDBus
import HunchKit
import HunchModel
import TestSupport
import Testing

@testable import Agent
@testable import Services

/// Tests of actions other than media at a device.
@Suite("Device triggers", .serialized, .timeLimit(.minutes(15))) struct DeviceTriggerTests {
    @Test("An action after connecting is suggested at the next connect")
    func learned() async throws {
        try await withMediaScene(played: [], configure: AnnouncementTests.asApp) { scene in
            let app: AppID = "org.example.Podcasts"
            try scene.rig.installApp(app, "MimeType=x-scheme-handler/tickets;")
            for _ in 0..<2 {
                try await scene.putOn()
                // From here on, actions count for the next connection.
                try await scene.waitForHold("nothing had been played")
                // `Devices` reports the device as ready before actions get it as their context.
                try await eventually("a donation that goes with the device", because: "donations tell nobody") {
                    () async throws -> Void? in
                    let codes = try await scene.rig.codes([
                        Item.of("openItem", ["uri": "tickets:mine", "title": "Tickets"])
                    ])
                    #expect(codes == [""])
                    let context = try #require(try scene.rig.donations().last).context
                    guard context.device != nil else { return nil }
                    #expect(context.device?.rawValue == scene.headset.address)
                    #expect(context.trigger == Trigger("device:\(scene.headset.address)"))
                    return ()
                }
                try await scene.takeOff()
            }
            #expect(scene.notifications.record.state.requests.isEmpty)
            try await scene.putOn()
            let shown = try await scene.notifications.request(1)
            #expect(shown.summary == "Open Tickets" && shown.body.contains("after connecting"), "\(shown)")
            let offered = try #require(try await scene.rig.agent.suggestions().first)
            #expect(offered.kind == "item" && offered.application == app)
            // It is withdrawn when the device disconnects.
            try await scene.takeOff()
            try await scene.notifications.waitForClosing(of: shown.number)
        }
    }
}

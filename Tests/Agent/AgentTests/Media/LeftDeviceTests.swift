import AgentInterface
import FoundationEssentials
import HunchDBus
import HunchKit
import HunchModel
import TestSupport
import Testing

@testable import Agent
@testable import Services

/// The answers about a suggestion in the seconds after its device has disconnected.
@Suite("Suggestions for a device that has just left", .serialized, .timeLimit(.minutes(15)))
struct LeftDeviceTests {
    @Test("The user learns that the suggestion ends unless the device comes back")
    func left() async throws {
        try await withMediaScene(configure: { $0.rejoinTime = .seconds(60) }) { scene in
            try await scene.withApp { app in
                try await scene.putOn()
                _ = try await scene.notifications.request(1)
                let name = scene.headset.name
                let offered = try #require(try await scene.rig.agent.suggestions().first)
                #expect(offered.device == AudioDevice.ID(scene.headset.address))
                #expect(try await scene.rig.hunch("suggestions").output().contains("\tshown\t"))
                try await scene.takeOff()
                let listed = try await scene.rig.hunch("suggestions").output()
                #expect(listed.contains("\tends unless \(name) comes back within seconds\t"), "\(listed)")
                let told = try await scene.rig.hunch("why-not").output()
                #expect(
                    told.hasPrefix(
                        "Now, \(name): It has just disconnected. Unless it comes back within seconds, this ends: "
                            + "\(offered.title).\n"), "\(told)")

                async let accepted = scene.rig.hunch("accept")
                #expect(try await scene.notifications.request(2).summary == "Waiting for \(name)")
                let waiting = try await scene.rig.hunch("suggestions").output()
                #expect(waiting.contains("\taccepted, waits for \(name)\t"), "\(waiting)")
                let promise = try await scene.rig.hunch("why-not").output()
                #expect(
                    promise.contains("If it comes back within seconds, this starts: \(offered.title)."), "\(promise)")
                _ = try await scene.rig.hunch("dismiss").output()
                #expect(try await accepted.status == .exited(3))
                #expect(try await !scene.rig.hunch("why-not").output().contains("Now, "))
                #expect(app.count(of: "initiate") == 0)
            }
        }
    }
}

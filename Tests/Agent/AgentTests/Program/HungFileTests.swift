import Agent
import Services
import AgentInterface
import FoundationEssentials
import HunchDBus
import HunchKit
import TestSupport
import Testing

@Suite("Files that hang", .timeLimit(.minutes(15))) struct HungFileTests {
    @Test("A cover on a hanging mount delays no answer")
    func cover() async throws {
        try await withMediaScene { scene in
            try await withTemporaryDirectory { directory in
                let cover = try directory.write("a cover", to: "cover.png")
                try await withHungFile(cover) { holder in
                    try await scene.putOn()
                    try await scene.waitForDevice("the headset being in use") { try $0.value("ready") == true }
                    try await withClient(of: scene.rig.bus) { client in
                        let radio = try await RadioPlayer(on: client.connection)
                        try await radio.play("News", artwork: "file://\(cover)")
                        _ = try await holder.waitForLine(containing: "opened")
                        #expect(try await scene.rig.agent.status().transfer.value("enabled") == true)
                        let answer = try await scene.rig.suggest(["uri": .string("geo:48.85,2.35")])
                        #expect(!answer.suggestions.isEmpty)
                        withExtendedLifetime(radio) {}
                    }
                }
            }
        }
    }
}

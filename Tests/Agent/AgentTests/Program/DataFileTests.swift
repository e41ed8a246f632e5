import AgentInterface
import FoundationEssentials
import HunchDBus
import HunchKit
import HunchModel
import TestSupport
import Testing

/// The user's own facts about services and programs, in `~/.local/share/hunch`.
@Suite("The user's data files", .timeLimit(.minutes(15))) struct DataFileTests {
    private static let ownServer = "[Acme]\nHosts=konf.example.org;\n"

    @Test("The call server of the user is found in an event of a calendar")
    func event() async throws {
        let weekly = CalendarScene.event("Weekly", inMinutes: 60, "LOCATION:https://konf.example.org/weekly")
        try await CalendarScene.with(weekly, isAllowed: false) { scene in
            try scene.rig.home.directory.write(Self.ownServer, to: "data/hunch/video-calls.conf")
            try await scene.rig.agent.setCategory("calendar", isRecorded: true)
            try await scene.waitForAppointments(1)
            let event = try await scene.rig.agent.appointments().appointments.first?.event
            #expect(event?.meetingURL == "https://konf.example.org/weekly" && event?.place == nil)
        }
    }

    @Test("The agent knows the players and call servers of the user, and reports a faulty file with its line")
    func agent() async throws {
        try await withTemporaryHome { home in
            let folder = home.directory.file("data/hunch")
            try home.directory.write(Self.ownServer, to: "data/hunch/video-calls.conf")
            try home.directory.write("[Kitchen]\nNames=kitchen;\nRemote=true\n", to: "data/hunch/players.conf")
            try home.directory.write(
                "[dunst]\nPropery=org.example.A.b\n", to: "data/hunch/notification-servers.conf")
            try await withPrivateBus { bus in
                try await withAgent(on: bus, in: home) { rig, _ in
                    try await rig.agent.enable()
                    let problems = try await rig.agent.status().problems ?? []
                    #expect(problems.count == 1)
                    #expect(
                        problems.first?.hasPrefix("\(folder)/notification-servers.conf:2: unknown key “Propery”")
                            == true,
                        "\(problems)")
                    try await withClient(of: bus) { client in
                        let kitchen = try await RadioPlayer(
                            on: client.connection, as: "org.mpris.MediaPlayer2.kitchen")
                        try await kitchen.play("News")
                        _ = try await player(rig) { $0.name.hasSuffix("kitchen") && $0.rank == .remote }
                        try await withClient(of: bus) { other in
                            let browser = try await RadioPlayer(
                                on: other.connection, as: "org.mpris.MediaPlayer2.chromium.instance7")
                            try await browser.play("Weekly", url: "https://konf.example.org/weekly")
                            let call = try await player(rig) { $0.name.contains("chromium") && $0.status == "Playing" }
                            #expect(call.title == nil)
                            try await browser.play("Song", url: "https://music.example.org/song")
                            _ = try await player(rig) { $0.title == "Song" }
                        }
                    }
                }
            }
        }
    }

    private func player(_ rig: AgentRig, where holds: (PlayerReport) -> Bool) async throws -> PlayerReport {
        try await eventually("the player", because: "Players has no signal") {
            try await rig.agent.players().first(where: holds)
        }
    }
}

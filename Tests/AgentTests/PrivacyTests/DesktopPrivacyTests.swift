import AgentInterface
import FoundationEssentials
import History
import HunchDBus
import HunchKit
import HunchModel
import TestSupport
import Testing

@testable import Agent

@Suite("Desktop privacy settings", .timeLimit(.minutes(3))) struct DesktopPrivacyTests {
    private func waitForVeto(_ rig: AgentRig, _ veto: RecordingVeto?) async throws {
        try await eventually("the veto \(veto?.rawValue ?? "none")", because: "Withheld has no signal") {
            try await rig.privacy("Withheld") == veto?.rawValue ?? "" ? () : nil
        }
    }

    @Test("Nothing is recorded while a desktop setting is off")
    func gnome() async throws {
        try await withPortalLoop { loop in
            try await withTemporaryHome { home in
                try await withPrivateBus { bus in
                    let portal = try await SettingsPortal(
                        on: bus, loop: loop,
                        ["remember-app-usage": .boolean(true), "remember-recent-files": .boolean(false)])
                    try await withPrivacyAgent(on: bus, in: home) { rig in
                        try await rig.agent.enable()
                        try await waitForVeto(rig, .gnomeRecentFiles)
                        let status = try await rig.agent.status().transfer
                        #expect(try status.value("withheld", as: String.self)?.hasPrefix("gnome") == true)
                        #expect(try await rig.hunch("status").output().contains("records nothing\tGNOME"))
                        try await portal.set("remember-recent-files", true)
                        try await waitForVeto(rig, nil)
                        #expect(try await rig.agent.status().transfer.value("withheld", as: String.self) == nil)
                        try await portal.set("remember-app-usage", false)
                        try await waitForVeto(rig, .gnomeAppUsage)
                        // Other settings are ignored, and a change causes no further request.
                        try await portal.set("hide-identity", false)
                        try await portal.set("remember-app-usage", true)
                        try await waitForVeto(rig, nil)
                        #expect(portal.questions.state == 1)
                    }
                    await portal.connection.close()
                }
            }
        }
    }

    @Test("hunch doctor says why nothing is recorded")
    func doctor() async throws {
        try await withPortalLoop { loop in
            try await withTemporaryHome { home in
                try await withPrivateBus { bus in
                    let portal = try await SettingsPortal(
                        on: bus, loop: loop, ["remember-app-usage": .boolean(false)])
                    try await withAgent(on: bus, in: home) { rig, _ in
                        try await rig.turn(on: true)
                        try await waitForVeto(rig, .gnomeAppUsage)
                        let said = try await rig.hunch("doctor").standardOutput
                        #expect(said.contains("it records nothing: GNOME"), "\(said)")
                    }
                    await portal.connection.close()
                }
            }
        }
    }

    @Test("A late portal is used, and its setting outlasts it")
    func lateAndGone() async throws {
        try await withPortalLoop { loop in
            try await withTemporaryHome { home in
                try await withPrivateBus { bus in
                    try await withPrivacyAgent(on: bus, in: home) { rig in
                        try await rig.agent.enable()
                        try await waitForVeto(rig, nil)
                        let portal = try await SettingsPortal(
                            on: bus, loop: loop, ["remember-app-usage": .boolean(false)])
                        try await waitForVeto(rig, .gnomeAppUsage)
                        await portal.connection.close()
                        try await eventually("the portal being gone", because: "the agent hears it by itself") {
                            try await rig.agent.connection.owner(of: SettingsPortal.name) == nil ? () : nil
                        }
                        _ = try await rig.agent.status().transfer
                        try await waitForVeto(rig, .gnomeAppUsage)
                        let next = try await SettingsPortal(
                            on: bus, loop: loop, ["remember-app-usage": .int32(0), "nonsense": .string("x")])
                        try await waitForVeto(rig, nil)
                        await next.connection.close()
                    }
                }
            }
        }
    }

    @Test("KDE's file is read again when KConfig signals a change")
    func kde() async throws {
        func settings(_ number: Int) -> String {
            "[$Version]\nupdate_info=a\n\n[Plugin-org.kde.ActivityManager.Resources.Scoring]\nwhat-to-remember=\(number)\n"
        }
        try await withTemporaryHome { home in
            try home.directory.write(settings(2), to: "config/kactivitymanagerd-pluginsrc")
            try await withPrivateBus { bus in
                try await withPrivacyAgent(on: bus, in: home) { rig in
                    try await rig.agent.enable()
                    try await waitForVeto(rig, .kdeRecentFiles)
                    for (text, veto) in [
                        (settings(0), nil), (settings(2), .kdeRecentFiles), ("no settings at all", nil),
                        (settings(2), .kdeRecentFiles), ("", nil),
                    ] as [(String, RecordingVeto?)] {
                        try home.directory.write(text, to: "config/kactivitymanagerd-pluginsrc")
                        try await rig.agent.connection.emit(
                            "/kactivitymanagerd_pluginsrc", "org.kde.kconfig.notify", "ConfigChanged",
                            body: [[String: [[UInt8]]]().dbusValue])
                        try await waitForVeto(rig, veto)
                    }
                }
            }
        }
    }
}

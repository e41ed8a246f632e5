@testable import DesktopFiles
import AgentInterface
import EventLoops
import FoundationEssentials
import Glibc
import History
import HunchDBus
import HunchKit
import HunchModel
import TestSupport
import Testing

@testable import Agent
@testable import Services

@Suite("Desktop privacy settings", .timeLimit(.minutes(15))) struct DesktopPrivacyTests {
    private func waitForVeto(_ rig: AgentRig, _ veto: RecordingVeto?) async throws {
        let cache = PropertyCache(rig.root, HunchNames.privacy)
        for await properties in try await cache.snapshots() {
            if try properties?.value("Withheld") == veto?.rawValue ?? "" { return }
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

    @Test("At login no desktop service is started, and the portal is awaited")
    func login() async throws {
        let names = [
            "org.freedesktop.portal.Desktop", "org.freedesktop.Notifications", "ca.desrt.dconf", "org.gnome.Shell",
            "org.gnome.ScreenSaver", "org.gnome.SettingsDaemon.Power", "org.kde.kglobalaccel",
            "org.kde.ActivityManager",
            "org.kde.plasmashell", "org.xfce.Xfconf", "org.freedesktop.ScreenSaver",
            "org.mpris.MediaPlayer2.playerctld",
            "org.erikreider.swaync.cc", "fr.emersion.Mako", "org.freedesktop.systemd1",
        ]
        try await withPortalLoop { loop in
            try await withTemporaryHome { home in
                for name in names {
                    try home.directory.write(
                        "[D-BUS Service]\nName=\(name)\nExec=/usr/bin/touch \(home.directory.file(name))\n",
                        to: "services/\(name).service")
                }
                try prepareEnabled(home)
                try await withPrivateBus(.system) { system in
                    try await withMockLogind(on: system) { logind in
                        try await withPrivateBus(serviceDirectories: [home.directory.file("services")]) { bus in
                            try await withAgentInside(on: bus, in: home, also: system.environment) { rig in
                                try await waitForVeto(rig, .settingsUnknown)
                                let now = MonotonicInstant(microseconds: 0).duration(to: .now).components.seconds
                                try await logind.addSession(
                                    "1", of: getuid(), began: UInt64(clamping: now) * 1_000_000)
                                _ = try await rig.hunch("doctor")
                                let play = Item.play("a", more: ["app": .string("org.example.Songs")])
                                #expect(try await rig.codes([play]) == ["withheld"])
                                try await waitForVeto(rig, .settingsUnknown)
                                let portal = try await SettingsPortal(
                                    on: bus, loop: loop, ["remember-app-usage": .boolean(false)])
                                try await waitForVeto(rig, .gnomeAppUsage)
                                try await portal.set("remember-app-usage", true)
                                try await waitForVeto(rig, nil)
                                await portal.connection.close()
                                let started = names.filter {
                                    FileManager.default.fileExists(atPath: home.directory.file($0))
                                }
                                #expect(started.isEmpty, "\(started)")
                            }
                        }
                    }
                }
            }
        }
    }

    @Test("KDE's file that cannot be read counts as a veto")
    func unreadable() async throws {
        try await withTemporaryHome { home in
            let file = "config/kactivitymanagerd-pluginsrc"
            try home.directory.write(String(repeating: "x\n", count: 1 << 20), to: file)
            try await withPrivateBus { bus in
                try await withPrivacyAgent(on: bus, in: home) { rig in
                    try await rig.agent.enable()
                    try await waitForVeto(rig, .settingsUnknown)
                    try home.directory.write("", to: file)
                    try await rig.agent.connection.emit(
                        "/kactivitymanagerd_pluginsrc", "org.kde.kconfig.notify", "ConfigChanged",
                        body: [[String: [[UInt8]]]().dbusValue])
                    try await waitForVeto(rig, nil)
                }
            }
        }
    }

    @Test("A portal that refuses counts as a veto, one without settings does not")
    func refused() async throws {
        for (error, veto) in [
            (DBusError.Name.accessDenied, RecordingVeto.settingsUnknown), (.failed, .settingsUnknown),
            (.unknownInterface, nil), (.unknownMethod, nil),
        ] {
            try await withPortalLoop { loop in
                try await withTemporaryHome { home in
                    try await withPrivateBus { bus in
                        let portal = try await Connection.open(BusAddress(bus.address), on: loop)
                        let server = await ObjectServer(on: portal)
                        let reading = ExportedMember.method("ReadAll", arguments: ["namespaces"], results: ["value"]) {
                            (_, namespaces: [String]) async throws -> [String: VariantMap] in
                            throw DBusError(error, "no")
                        }
                        try await server.export(
                            SettingsPortal.path, [ExportedInterface(SettingsPortal.interface, [reading])])
                        #expect(try await portal.requestName(SettingsPortal.name) == .owner)
                        try await withPrivacyAgent(on: bus, in: home) { rig in
                            try await rig.agent.enable()
                            try await waitForVeto(rig, veto)
                            if veto != nil { try await waitForVeto(rig, veto) }
                        }
                        await portal.close()
                    }
                }
            }
        }
    }

    @Test(
        "KDE's file is read as KConfig reads it",
        arguments: [
            ("[G]\nkey=2", "2"), ("\t[G] \r\n key = 2 \r\n", "2"), ("[G]\nkey[$i]=2", "2"),
            ("[G][$i]\nkey[$ie]=2", "2"), ("stray=1\nno value\n[G]\nnor here\n=x\nkey=2", "2"),
            ("[G]\n[open\nkey=2", "2"), ("[G]\n[a][b\nkey=2", "2"), ("[G]\nkey=1\n[H]\nkey=3\n[G]\nkey=2", "2"),
            ("[G]\nkey=2\nkey[$d]", nil), ("key=2\n[G]", nil), ("[G][H]\nkey=2", nil), ("[H]\nkey=2", nil),
            ("[G]\n#key=2\nkeys=2\nkey[de]=2\nkey", nil), ("", nil),
        ] as [(String, String?)])
    func text(_ text: String, _ value: String?) {
        #expect(KConfigText.value("key", in: "G", of: text) == value)
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
                        ("stray=1\nno settings\n" + settings(2), .kdeRecentFiles), ("", nil),
                        (settings(2).replacing("=2", with: "=all"), .settingsUnknown), (settings(1), nil),
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

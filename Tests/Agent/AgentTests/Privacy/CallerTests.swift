import AgentInterface
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
@testable import Apps

/// Tests of the permissions on recorded data.
@Suite("Callers of Privacy1", .timeLimit(.minutes(15))) struct CallerTests {
    private static let name: BusName = ":1.7"
    private static let flatpak = CallerIdentity(
        name: name, processID: 7, unit: "app-flatpak-org.example.LeaveApp-1.scope", application: "org.example.LeaveApp",
        confinement: .sandboxed)
    private static let app = CallerIdentity(
        name: name, processID: 7, unit: "app-gnome-org.example.Applet-1.scope", application: "org.example.Applet",
        confinement: .unsandboxed)
    private static let unknown = CallerIdentity(name: name, processID: 7)

    /// Every call that needs a permission, except Forget.
    private static let decisions: [String: @Sendable (AgentRig) async throws -> Void] = [
        "Pause": { try await $0.agent.pause() },
        "Resume": { try await $0.agent.resume() },
        "Exclude": { _ = try await $0.agent.exclude("org.example.Other") },
        "Include": { _ = try await $0.agent.include("org.example.Other") },
        "SetCategory": { try await $0.agent.setCategory("calls", isRecorded: true) },
        "RetentionDays": { try await $0.agent.setRetention(days: 30) },
        "Unmute": {
            _ = try await $0.agent.unmute(.init(trigger: .session(.unlocked), application: "org.example.Other"))
        },
    ]
    private static let settings: [String: @Sendable (AgentRig) async throws -> Void] = Dictionary(
        uniqueKeysWithValues: UserSetting.allCases.map { setting in
            (setting.property.text, { @Sendable rig in try await rig.agent.set(setting, isOn: true) })
        })
    private static let readings: [String: @Sendable (AgentRig) async throws -> Void] = [
        "Export": { _ = try await $0.agent.export() },
        "Muted": { _ = try await $0.agent.mutedPairs() },
        "Exclusions": { _ = try await $0.agent.exclusions() },
        "Readers": { _ = try await $0.agent.readers() },
        "PlaceAccess": { _ = try await $0.agent.placeAccess() },
    ]

    private func expect(
        _ calls: [String: @Sendable (AgentRig) async throws -> Void], allowed: Bool, _ rig: AgentRig
    ) async throws {
        for (call, make) in calls.sorted(by: { $0.key < $1.key }) {
            let refusal = try await rig.refusal(make)
            #expect(refusal?.name == (allowed ? nil : .accessDenied), "\(call): \(String(describing: refusal))")
        }
    }

    private func mayForget(_ what: VariantMap, _ rig: AgentRig) async throws -> Bool {
        let refusal = try await rig.refusal { _ = try await $0.forget(keys: what) }
        #expect([nil, .accessDenied].contains(refusal?.name), "\(String(describing: refusal))")
        return refusal == nil
    }

    private func run(
        _ caller: CallerIdentity, isPerson: Bool = false,
        _ body: nonisolated(nonsending) (AgentRig) async throws -> Void
    ) async throws {
        try await withPrivacyAgent(
            caller: caller, isPerson: isPerson, prepare: { _ = try Planted.store(in: $0) }, body)
    }

    @Test("A sandboxed app can only forget its own rows")
    func sandboxed() async throws {
        try await run(Self.flatpak) { rig in
            try await expect(Self.decisions.merging(Self.settings) { $1 }, allowed: false, rig)
            try await expect(Self.readings, allowed: false, rig)
            for what: VariantMap in [
                ["all": .boolean(true)], ["since": .uint64(0)], ["device": .string(Planted.keptDevice.rawValue)],
                ["place": .string("a")], ["kind": .string("playMedia")],
            ] {
                #expect(try await !mayForget(what, rig), "\(what)")
            }
            #expect(try StoreFile(home: rig.home).counts()["donation"] == 7)
            #expect(try await mayForget(["app": .string("org.example.LeaveApp")], rig))
            #expect(try StoreFile(home: rig.home).counts()["donation"] == 6)
            // Everybody may know whether Hunch is paused.
            #expect(try await rig.privacy("Paused") == false)
        }
    }

    @Test("A claimed identifier or owned name does not change the app")
    func pretending() async throws {
        try await run(Self.flatpak) { rig in
            let victim = try BusName(Planted.keptApp.rawValue)
            #expect(try await rig.agent.connection.requestName(victim) == .owner)
            #expect(try await !mayForget(["app": .string(Planted.keptApp.rawValue)], rig))
            #expect(try StoreFile(home: rig.home).counts()["donation"] == 7)
        }
    }

    @Test("The command in a sandbox has the sandbox's permission")
    func commandInSandbox() async throws {
        var caller = Self.flatpak
        caller.processID = UInt32(getpid())
        try await run(caller, isPerson: true) { rig in
            try await expect(Self.decisions.merging(Self.settings) { $1 }, allowed: false, rig)
            try await expect(Self.readings, allowed: false, rig)
        }
    }

    @Test("An unsandboxed app can make decisions, but cannot read data of other apps")
    func unsandboxed() async throws {
        try await run(Self.app) { rig in
            try await expect(Self.decisions.merging(Self.settings) { $1 }, allowed: true, rig)
            try await expect(Self.readings, allowed: false, rig)
            #expect(try await mayForget(["all": .boolean(true)], rig))
        }
    }

    @Test("An unsandboxed app reads other apps' history once allowed")
    func reader() async throws {
        for caller in [Self.app, Self.flatpak, Self.unknown] {
            let prepare: (TemporaryHome) throws -> Void = { home in
                let store = try Planted.store(in: home)
                for app in ["org.example.Applet.desktop", "org.example.LeaveApp"] {
                    #expect(try store.setReader(AppID(app), isAllowed: true))
                }
                try store.close()
            }
            try await withPrivacyAgent(caller: caller, isPerson: false, prepare: prepare) { rig in
                try await expect(Self.readings, allowed: caller == Self.app, rig)
                // No app can give permissions, not even to itself.
                let refusal = try await rig.refusal {
                    _ = try await $0.agent.setReader("org.example.Applet", isAllowed: true)
                }
                #expect(refusal?.name == .accessDenied)
            }
        }
        try await withPrivacyAgent(prepare: { home in
            _ = try Planted.store(in: home)
            try home.directory.write(
                "[Desktop Entry]\nType=Application\nName=Diary\nExec=true\n",
                to: "data/applications/org.example.Applet.desktop")
        }) { rig in
            #expect(try await rig.hunch("allow", "--reader", "org.example.Applet.desktop").status == .exited(0))
            let list = try await rig.hunch("allow", "--list").output()
            #expect(list == "KeepScript\norg.example.Applet\treads what other apps did\n")
            let json = try await rig.hunch("allow", "--list", "--json").output()
            #expect(
                json
                    == #"{"permissions":{"apps":false,"calendar":false,"calls":false,"files":false,"location":false,"messages":false},"#
                    + #""places":{},"readers":["org.example.Applet"],"scripts":["KeepScript"]}"# + "\n")
            #expect(try await rig.agent.readers() == ["org.example.Applet"])
            for status: Int32 in [0, 1] {
                #expect(
                    try await rig.hunch("allow", "--reader", "org.example.Applet", "--revoke").status == .exited(status)
                )
            }
            #expect(try await rig.hunch("allow", "a", "--reader", "b").status == .exited(2))
            #expect(try await rig.hunch("allow", "--reader", "").status == .exited(2))
        }
    }

    @Test("An unknown caller can neither decide, read nor forget")
    func unknown() async throws {
        try await run(Self.unknown) { rig in
            try await expect(Self.decisions.merging(Self.settings) { $1 }, allowed: false, rig)
            try await expect(Self.readings, allowed: false, rig)
            #expect(try await !mayForget(["all": .boolean(true)], rig))
            #expect(try await !mayForget(["app": .string(Planted.keptApp.rawValue)], rig))
            #expect(try StoreFile(home: rig.home).counts()["donation"] == 7)
        }
    }

    @Test("A script cannot forget, except by running hunch")
    func script() async throws {
        try await withPrivacyAgent(prepare: { _ = try Planted.store(in: $0) }) { rig in
            let direct = try await TestSupport.run(
                "sh",
                [
                    "-c",
                    "dbus-send --session --print-reply --dest=org.hunch.Agent1 /org/hunch/Agent1 org.hunch.Privacy1.Forget "
                        + "dict:string:variant:all,boolean:true",
                ], environment: rig.environment)
            #expect(direct.status != .exited(0))
            #expect(try StoreFile(home: rig.home).counts()["donation"] == 7)
            let hunch = try builtProduct("hunch")
            let proper = try await TestSupport.run(
                "sh", ["-c", "'\(hunch)' forget --all --yes --json"], environment: rig.environment)
            #expect(proper.status == .exited(0), "\(proper)")
            #expect(try StoreFile(home: rig.home).counts()["donation"] == 0)
        }
    }

    private func permission(
        _ caller: CallerIdentity, _ evidence: ProcessEvidence? = nil, of apps: String...
    ) -> CallerPermission {
        let owners = apps.map { ProgramOwner(application: AppID($0), isShown: !$0.hasPrefix("hidden")) }
        return CallerProcess(identity: caller, evidence: evidence, owners: owners).permission
    }

    @Test("Sandbox, command, unit and program decide, in that order")
    func permission() {
        let command = ProcessEvidence(isCommand: true)
        let nameless = CallerIdentity(name: Self.name, processID: 7, confinement: .sandboxed)
        #expect(permission(Self.unknown) == .unknown())
        #expect(permission(Self.unknown, command, of: "one") == .person)
        #expect(permission(Self.unknown, ProcessEvidence(), of: "one") == .app("one"))
        #expect(
            permission(Self.unknown, ProcessEvidence(), of: "one", "two")
                == .unknown(because: "several desktop entries name its program: one, two"))
        #expect(permission(Self.unknown, ProcessEvidence(), of: "hidden", "one", "hidden2") == .app("one"))
        #expect(
            permission(Self.unknown, ProcessEvidence(), of: "hidden", "hidden2")
                == .unknown(because: "several desktop entries name its program: hidden, hidden2"))
        #expect(permission(Self.app) == .app("org.example.Applet"))
        #expect(permission(Self.app, ProcessEvidence(), of: "one") == .app("org.example.Applet"))
        #expect(permission(Self.app, command) == .person)
        #expect(permission(Self.flatpak, command, of: "one") == .confined("org.example.LeaveApp"))
        #expect(permission(nameless, command, of: "one") == .confined(nil))
        // A sandboxed caller of an unknown app may forget nothing.
        #expect(throws: DBusError.self) { try CallerPermission.confined(nil).mayForget(application: nil) }
        #expect(throws: DBusError.self) { try CallerPermission.confined(nil).mayForget(application: "org.example.App") }
        #expect(ProcessEvidence(UInt32(getpid()), commands: ["/nonexistent", "/proc/self/exe"]).isCommand)
        #expect(!ProcessEvidence(UInt32(getpid()), commands: ["/bin/sh", "/nonexistent"]).isCommand)
        #expect(!ProcessEvidence(UInt32.max, commands: ["/proc/self/exe"]).isCommand)
    }
}

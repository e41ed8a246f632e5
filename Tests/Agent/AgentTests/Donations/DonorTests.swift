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

/// Tests of the permissions to donate and delete.
@Suite("Callers of Donations1", .timeLimit(.minutes(15))) struct DonorCallerTests {
    private static let own: AppID = "org.example.Podcasts"
    private static let other: AppID = "org.example.Other"

    private func forOther(_ item: String = "b") -> VariantMap {
        Item.play(item, more: ["app": .string(Self.other.rawValue)])
    }

    private func forScript(_ name: String = "backup") -> VariantMap {
        Item.play("c", more: ["app": .string("script:\(name)")])
    }

    /// Donations of two apps with the same identifiers.
    private func plant(_ home: TemporaryHome) throws {
        try StoreFile(home: home).use { store in
            for app in [Self.own, Self.other] {
                let play = Donation(
                    application: app, kind: .playMedia, parameters: ["item": "a"], date: Planted.now,
                    identifier: "i", group: "g", combination: ["item"])
                guard try store.record(play, now: Planted.now).isRecorded else { throw BenchError("not planted") }
            }
            try store.setScript("backup", isAllowed: true, now: Planted.now)
        }
    }

    private static let decisions: [String: @Sendable (AgentRig) async throws -> Void] = [
        "SetScript": { _ = try await $0.agent.setScript("evil", isAllowed: true) }
    ]

    private func name(
        _ rig: AgentRig, _ call: @Sendable (AgentRig) async throws -> Void
    ) async throws -> DBusError.Name? {
        try await rig.refusal(call)?.name
    }

    @Test("A sandboxed app donates and deletes only for itself")
    func sandboxed() async throws {
        try await withDonationAgent(Callers.sandboxed, prepare: plant) { rig in
            let codes = try await rig.codes([
                Item.play("x"), Item.play("y", more: ["app": .string(Self.own.rawValue)]), forOther(),
                forScript(),
            ])
            #expect(codes == ["", "", "notAllowed", "notAllowed"])
            #expect(
                try rig.donations().filter { $0.application == Self.own }.map { $0.parameters["item"] } == [
                    "a", "x", "y",
                ])
            #expect(try await name(rig) { _ = try await $0.agent.setScript("evil", isAllowed: true) } == .accessDenied)
            #expect(try await name(rig) { _ = try await $0.agent.allowedScripts() } == .accessDenied)
            #expect(try await rig.agent.deleteDonations(identifiers: ["i"]) == 1)
            #expect(try await rig.agent.deleteDonations(groups: ["g"]) == 0)
            #expect(try await rig.agent.deleteAllDonations() == 2)
            #expect(try rig.donations().map(\.application) == [Self.other])
        }
    }

    @Test(
        "Claiming an app's identifier or owning its name is refused", arguments: [true, false])
    func pretending(isSandboxed: Bool) async throws {
        try await withDonationAgent(isSandboxed ? Callers.sandboxed : Callers.unsandboxed, prepare: plant) { rig in
            #expect(try await rig.agent.connection.requestName(BusName(Self.other.rawValue)) == .owner)
            #expect(try await rig.codes([forOther()]) == ["notAllowed"])
            _ = try await rig.agent.deleteAllDonations()
            try await rig.agent.setUpcoming([Announcement(item: "a", title: "t")])
            #expect(try rig.donations().map(\.application) == [Self.other])
            let announcing = try StoreFile(home: rig.home).use { try $0.announcements(in: .upcoming).keys.sorted() }
            #expect(announcing == [Self.own])
        }
    }

    @Test("An unsandboxed app donates for itself and allowed scripts")
    func unsandboxed() async throws {
        try await withDonationAgent(Callers.unsandboxed, prepare: plant) { rig in
            let codes = try await rig.codes([Item.play("x"), forOther(), forScript(), forScript("evil")])
            #expect(codes == ["", "notAllowed", "", "notAllowed"])
            #expect(try await name(rig) { _ = try await $0.agent.allowedScripts() } == .accessDenied)
            #expect(try await rig.agent.deleteDonations(groups: ["g"]) == 1)
            #expect(
                try rig.donations().map(\.application) == [Self.other, Self.own, "script:backup"])
        }
    }

    @Test("An unknown caller donates only for an allowed script")
    func unknown() async throws {
        try await withDonationAgent(Callers.unknown, prepare: plant) { rig in
            let codes = try await rig.codes([
                Item.play("x"), forOther(), forScript(), forScript("evil"), forScript(""), forScript("Backup"),
            ])
            #expect(codes == ["notAllowed", "notAllowed", "", "notAllowed", "notAllowed", "notAllowed"])
            for call: @Sendable (AgentRig) async throws -> Void in [
                { _ = try await $0.agent.deleteDonations(identifiers: ["i"]) },
                { _ = try await $0.agent.deleteDonations(groups: ["g"]) },
                { _ = try await $0.agent.deleteAllDonations() },
                { try await $0.agent.setUpcoming([Announcement(item: "a", title: "t")]) },
                { try await $0.agent.setRelevant([]) },
                { _ = try await $0.agent.setScript("evil", isAllowed: true) },
                { _ = try await $0.agent.allowedScripts() },
            ] {
                #expect(try await name(rig, call) == .accessDenied)
            }
            // The error names the alternative for scripts where there is one.
            let deletion = try await rig.refusal { _ = try await $0.agent.deleteAllDonations() }
            #expect(deletion?.message.hasSuffix("; a script uses “hunch forget --app script:NAME”") == true)
            let announcement = try await rig.refusal { try await $0.agent.setRelevant([]) }
            #expect(announcement?.message.contains("a script uses") == false)
            #expect(try rig.donations().map(\.application) == [Self.own, Self.other, "script:backup"])
        }
    }

    @Test("A sandbox without an app identifier donates nothing")
    func nameless() async throws {
        try await withDonationAgent(Callers.nameless, prepare: plant) { rig in
            let codes = try await rig.codes([Item.play("x"), forOther(), forScript()])
            #expect(codes == ["notAllowed", "notAllowed", "notAllowed"])
            #expect(try await name(rig) { _ = try await $0.agent.deleteAllDonations() } == .accessDenied)
            #expect(try rig.donations().count == 2)
        }
    }

    @Test("hunch allow admits a script, and --revoke bars it again")
    func script() async throws {
        // The test is an unknown program; the command `hunch` acts for the user.
        try await withDonationAgentInside { rig in
            let before = try await rig.donate([forScript()])
            #expect(try before[0].require("code") == "notAllowed")
            #expect(try before[0].require("message", as: String.self).contains("hunch allow"))
            #expect(try await rig.hunch("allow", "--list").status == .exited(1))
            #expect(try await rig.hunch("allow", "backup").status == .exited(0))
            #expect(try await rig.hunch("allow", "--list").output() == "backup\n")
            #expect(try await rig.codes([forScript()]) == [""])
            #expect(try await rig.hunch("allow", "backup", "--revoke").status == .exited(0))
            #expect(try await rig.hunch("allow", "backup", "--revoke").status == .exited(1))
            #expect(try await rig.codes([forScript()]) == ["notAllowed"])
            #expect(try await rig.hunch("allow", "a b").status == .exited(2))
            #expect(try rig.donations().map(\.application) == ["script:backup"])
            #expect(try await rig.hunch("forget", "--app", "script:backup").status == .exited(0))
            #expect(try rig.donations().isEmpty)
        }
    }

    @Test("A script's donations are deleted by identifier or group")
    func takingBack() async throws {
        // The test is an unknown program; the command `hunch` acts for the user.
        try await withDonationAgentInside { rig in
            func told(_ item: String, _ more: [String: String], by name: String = "backup") -> VariantMap {
                Item.play(
                    item,
                    more: more.mapValues(Value.string).merging(["app": .string("script:\(name)")]) {
                        $1
                    })
            }
            #expect(try await rig.hunch("allow", "backup").status == .exited(0))
            #expect(try await rig.hunch("allow", "other").status == .exited(0))
            let items = [
                told("a", ["id": "1"]), told("b", ["id": "2", "group": "g"]),
                told("c", ["group": "g"]),
                told("d", ["group": "h"]), told("e", ["id": "3"]),
                told("f", ["id": "1"], by: "other"),
            ]
            #expect(try await rig.codes(items) == Array(repeating: "", count: items.count))
            func left() throws -> [String] { try rig.donations().compactMap { $0.parameters["item"] } }

            // By itself over the bus. Donations of other scripts stay.
            #expect(try await rig.agent.deleteDonations(of: "script:backup", identifiers: ["1", "none"]) == 1)
            #expect(try left() == ["b", "c", "d", "e", "f"])
            #expect(
                try await rig.hunch("donate", "--as", "script:backup", "--delete-group", "g").output()
                    == "2 deleted\n")
            #expect(
                try await rig.hunch(
                    "donate", "--as", "script:backup", "--delete", "3", "--delete", "9", "--delete-group", "h",
                    "--json"
                ).output() == #"{"deleted":2}"# + "\n")
            #expect(try left() == ["f"])
            let none = try await rig.hunch("donate", "--as", "script:backup", "--delete", "1")
            #expect(none.status == .exited(1), "\(none)")
            #expect(none.standardError == "hunch: script:backup has donated nothing by these names\n")

            // After its permission is revoked, a script cannot delete; the user can.
            #expect(try await rig.hunch("allow", "other", "--revoke").status == .exited(0))
            let refused = try await name(rig) {
                _ = try await $0.agent.deleteDonations(of: "script:other", identifiers: ["1"])
            }
            #expect(refused == .accessDenied)
            #expect(
                try await rig.hunch("donate", "--as", "script:other", "--delete", "1").output() == "1 deleted\n"
            )
            for arguments in [
                ["--delete", "1"], ["--as", "script:other"], ["-", "--as", "script:other", "--delete", "1"], [],
            ] {
                #expect(
                    try await run(builtProduct("hunch"), ["donate"] + arguments, environment: rig.environment)
                        .status == .exited(2))
            }
            #expect(try await rig.hunch("donate", "--as", "", "--delete", "1").status == .exited(2))
            let many = (0...1_000).map { "\($0)" }
            let tooMany = try await name(rig) {
                _ = try await $0.agent.deleteDonations(of: "script:backup", identifiers: many)
            }
            #expect(tooMany == .invalidInput)
            let nothing = try await name(rig) { _ = try await $0.agent.deleteDonations(of: "script:backup") }
            #expect(nothing == tooMany)
        }
    }

    @Test("The caller permission decides for whom a caller donates")
    func donors() throws {
        let scripts: Set = ["backup"]
        func donor(_ standing: CallerPermission, _ claimed: AppID?) -> AppID? {
            try? standing.donor(claimed, scripts: scripts)
        }
        #expect(donor(.person, nil) == nil)
        #expect(donor(.person, "org.example.App") == "org.example.App")
        #expect(donor(.person, "script:other") == "script:other")
        #expect(donor(.app("a"), nil) == "a" && donor(.app("a"), "b") == nil)
        #expect(donor(.confined("a"), nil) == "a" && donor(.confined("a"), "script:backup") == nil)
        #expect(donor(.confined(nil), nil) == nil && donor(.unknown(), nil) == nil)
        func measured(_ standing: CallerPermission, _ claimed: String?) -> String {
            standing.measured(claimed.map { ["app": .string($0)] } ?? [:], scripts: scripts)
        }
        #expect(measured(.app("a"), nil) == "a" && measured(.app("a"), "script:backup") == "a")
        #expect(measured(.confined("a"), "b") == "a" && measured(.confined(nil), "script:backup") == "")
        #expect(measured(.unknown(), "script:backup") == "script:backup" && measured(.unknown(), "script:other") == "")
        #expect(measured(.unknown(), nil) == "" && measured(.unknown(), "org.example.App") == "")
        #expect(donor(.unknown(), "script:backup") == "script:backup" && donor(.unknown(), "script:") == nil)
    }
}

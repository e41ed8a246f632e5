import AgentInterface
import FoundationEssentials
import History
import HunchDBus
import HunchKit
import HunchModel
import TestSupport
import Testing

@testable import Agent
@testable import Services

/// Tests of deleting all records of the same content together.
@Suite("Related content", .timeLimit(.minutes(15))) struct RelatedContentTests {
    private static let cases: [(interface: InterfaceName, method: MemberName, name: String, deleted: UInt32)] = [
        (HunchNames.activities, "DeleteById", "Leave", 2),
        (HunchNames.activities, "DeleteById", "Leave-related", 2),
        (HunchNames.activities, "DeleteByGroup", "Leave-group", 2),
        (HunchNames.donations, "DeleteById", "Leave", 2),
        (HunchNames.donations, "DeleteById", "Leave-related", 2),
        (HunchNames.donations, "DeleteByGroup", "Leave-group", 2),
        (HunchNames.donations, "DeleteByGroup", "Leave-donated", 2),
    ]

    /// Donates an action, and shows a page about the same subject.
    private static func show(_ word: String, in guide: ActivityApp, _ root: Proxy) async throws -> ObjectPath {
        let item: VariantMap = [
            "kind": .string("openItem"), "parameters": ["item": "Ticket \(word)"].dbusValue,
            "id": .string("\(word)-related"), "group": .string("\(word)-donated"),
        ]
        let _: [VariantMap] = try await root.call(HunchNames.donations, "Donate", [item])
        let page = try ActivityApp.restaurant(
            word,
            more: [
                "content": .string(word), "related": .string("\(word)-related"), "group": .string("\(word)-group"),
                "search": .boolean(true),
            ])
        let path = try await guide.becomeCurrent(page)
        try await guide.tell(path, "Resign")
        return path
    }

    @Test(
        "Deleting one identifier deletes activity, place, item and actions",
        arguments: cases, [true, false])
    func together(
        deletion: (interface: InterfaceName, method: MemberName, name: String, deleted: UInt32), isAlive: Bool
    ) async throws {
        try await withActivityAgent { scene in
            try await scene.withApp { guide in
                let root = Proxy(guide.connection, HunchNames.agent, HunchNames.root)
                func kept() async throws -> [Set<String>] {
                    let found =
                        try await scene.rig.agent.find(HunchAgent.Search("keep leave"))
                        + scene.rig.agent.find(HunchAgent.Search("leave"))
                        + scene.rig.agent.find(HunchAgent.Search("keep"))
                    return [
                        Set(try scene.rig.donations().compactMap(\.identifier)),
                        Set(try scene.seenPlaces().compactMap(\.content)), Set(found.map(\.id)),
                    ]
                }
                for word in ["Keep", "Leave"] {
                    let path = try await Self.show(word, in: guide, root)
                    try await eventually("“\(word)” being recorded", because: "the stores tell nobody") {
                        let stores = try await kept()
                        return stores[0].isSuperset(of: [word, "\(word)-related"])
                            && stores.dropFirst().allSatisfy { $0.contains(word) } ? () : nil
                    }
                    if !isAlive { try await guide.tell(path, "Invalidate") }
                }
                let deleted: UInt32 = try await root.call(deletion.interface, deletion.method, [deletion.name])
                let isGone = deletion.interface == HunchNames.activities && !isAlive
                #expect(deleted == (isGone ? 1 : deletion.deleted))
                #expect(try await kept() == [["Keep", "Keep-related"], ["Keep"], ["Keep"]])
                #expect(try await scene.recent() == (isAlive ? ["Keep"] : []))
            }
        }
    }

    @Test("Forgetting a page's place removes the record that the page was opened", arguments: [true, false])
    func place(hasIdentifier: Bool) async throws {
        try await withActivityAgent { scene in
            try await scene.withApp { guide in
                var page = ActivityApp.activity(
                    "Welcome",
                    more: [
                        "place": MapItem(name: "Krokodilhaus").transfer.dbusValue,
                        "url": .string("https://guide.example/welcome"), "search": .boolean(true),
                    ])
                if hasIdentifier { page["content"] = .string("ident-1") }
                _ = try await guide.becomeCurrent(page)
                _ = try await guide.becomeCurrent(ActivityApp.activity("Other"))
                try await eventually("the page being recorded", because: "the stores tell nobody") {
                    let found = try await scene.rig.agent.find(HunchAgent.Search("welcome"))
                    return try scene.rig.donations().count == 1 && scene.seenPlaces().count == 1 && found.count == 1
                        ? () : nil
                }
                let receipt = try await scene.rig.agent.forget(.place("Krokodilhaus"))
                #expect(receipt["donations"] == 1 && receipt["seen-places"] == 1 && receipt["items"] == 1, "\(receipt)")
                #expect(try scene.rig.donations().isEmpty)
            }
        }
    }
}

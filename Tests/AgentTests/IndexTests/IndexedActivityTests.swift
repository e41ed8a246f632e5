import AgentInterface
import FoundationEssentials
import History
import HunchDBus
import HunchKit
import HunchModel
import TestSupport
import Testing

@testable import Agent

/// Activities that searches may find, as items of the search index.
@Suite("Activities in the search index", .timeLimit(.minutes(15))) struct IndexedActivityTests {
    private static func activity(_ title: String, isEligible: Bool = true) -> VariantMap {
        [
            "type": .string("org.example.Guide.page"), "title": .string(title), "content": .string(title),
            "group": .string("guide.example"), "keywords": ["dumplings"].dbusValue, "search": .boolean(isEligible),
            "suggestion": .boolean(false),
        ]
    }

    /// The identifiers that the person finds.
    private func find(_ text: String, _ scene: ActivityScene) async throws -> [String] {
        try await scene.rig.agent.find(HunchAgent.Search(text)).map(\.id)
    }

    private func waitForItem(_ id: String, _ text: String, _ scene: ActivityScene) async throws {
        try await eventually("“\(id)” being found", because: "the index tells nobody") {
            try await find(text, scene) == [id] ? () : nil
        }
    }

    @Test("An activity is found after the person left it, and its app has ended")
    func leaving() async throws {
        try await withActivityAgent { scene in
            try await scene.withApp { guide in
                _ = try await guide.becomeCurrent(Self.activity("Yank Sing"))
                _ = try await guide.becomeCurrent(Self.activity("Secret", isEligible: false))
                try await waitForItem("Yank Sing", "dumplings", scene)
            }
            #expect(try await find("yank", scene) == ["Yank Sing"])
            #expect(try await find("secret", scene) == [])
        }
    }

    @Test("An app deletes its activities from the index by identifier and by group")
    func deleting() async throws {
        try await withActivityAgent { scene in
            try await scene.withApp { guide in
                for title in ["First page", "Second page", "Third page"] {
                    _ = try await guide.becomeCurrent(Self.activity(title))
                }
                try await waitForItem("Second page", "second", scene)
                let _: UInt32 = try await Proxy(guide.connection, HunchNames.agent, HunchNames.root).call(
                    HunchNames.activities, "DeleteByIdentifier", ["First page"])
                #expect(try await find("first", scene).contains("First page") == false)
                #expect(try await find("second", scene).first == "Second page")
                let _: UInt32 = try await Proxy(guide.connection, HunchNames.agent, HunchNames.root).call(
                    HunchNames.activities, "DeleteByGroup", ["guide.example"])
                #expect(try await find("page", scene) == [])
            }
        }
    }

    @Test("Deleting an indexed item takes its history, place and suggestion with it")
    func deletedItem() async throws {
        try await withActivityAgent { scene in
            try await scene.withApp { guide in
                let root = Proxy(guide.connection, HunchNames.agent, HunchNames.root)
                for word in ["Leave", "Keep"] {
                    let item: VariantMap = [
                        "kind": .string("openItem"), "parameters": ["item": word].dbusValue,
                        "identifier": .string(word),
                    ]
                    let _: [VariantMap] = try await root.call(HunchNames.donations, "Donate", [item])
                    let shown = try ActivityApp.restaurant(word, more: ["content": .string(word)])
                    _ = try await guide.becomeCurrent(shown)
                }
                let index = SearchableIndex("pages", on: guide.agent)
                try await index.add(
                    ["Leave", "Keep"].map { SearchableItem(id: $0, domain: $0, attributes: ["title": .text($0)]) })
                func contents() throws -> [Set<String>] {
                    let path = StoreFile(home: scene.rig.home).path
                    let store = try #require(try HistoryStore.openReadOnly(at: path))
                    defer { try? store.close() }
                    return [
                        Set(try store.donations(limit: 9).compactMap(\.identifier)),
                        Set(try store.seenPlaces(limit: 9).compactMap(\.content)),
                    ]
                }
                #expect(try contents() == [["Leave", "Keep"], ["Leave", "Keep"]])
                let _: UInt32 = try await root.call(
                    HunchNames.index, "Change", "pages", ["delete": ["Leave"].dbusValue] as VariantMap)
                #expect(try contents() == [["Keep"], ["Keep"]])
                // Apps begin to index again with a deletion of everything.
                let _: UInt32 = try await root.call(
                    HunchNames.index, "Change", "pages", ["delete-all": .boolean(true)] as VariantMap)
                #expect(try contents() == [["Keep"], ["Keep"]])
            }
        }
    }

    @Test("The same content is one hit, that of the app's own index")
    func sameContent() async throws {
        try await withActivityAgent { scene in
            try await scene.withApp { guide in
                _ = try await guide.becomeCurrent(Self.activity("Yank Sing"))
                _ = try await guide.becomeCurrent(Self.activity("Other"))
                try await waitForItem("Yank Sing", "yank", scene)
                let index = SearchableIndex("pages", on: guide.agent)
                try await index.add([
                    SearchableItem(id: "Yank Sing", attributes: ["title": .text("Yank Sing, dim sum")])
                ])
                let found = try await scene.rig.agent.find(HunchAgent.Search("yank"))
                #expect(found.map(\.index) == ["pages"])
                // Shown again, it does not come back as an activity.
                _ = try await guide.becomeCurrent(Self.activity("Yank Sing"))
                _ = try await guide.becomeCurrent(Self.activity("Third"))
                try await waitForItem("Other", "other", scene)
                let again = try await scene.rig.agent.find(HunchAgent.Search("yank"))
                #expect(again.map(\.index) == ["pages"])
                await #expect(throws: DBusError.self) {
                    try await SearchableIndex("org.hunch.activities", on: guide.agent).add([])
                }
            }
        }
    }
}

import AgentInterface
import FoundationEssentials
import History
import HunchDBus
import HunchKit
import HunchModel
import SearchIndexes
import TestSupport
import Testing

@testable import Agent
@testable import Services

/// Activities that searches may find, as items of the search index.
@Suite("Activities in the search index", .timeLimit(.minutes(15))) struct IndexedActivityTests {
    private static func activity(_ title: String, isEligible: Bool = true) -> VariantMap {
        [
            "type": .string("org.example.Guide.page"), "title": .string(title), "content": .string(title),
            "group": .string("guide.example"), "keywords": ["dumplings"].dbusValue, "search": .boolean(isEligible),
            "suggestion": .boolean(false),
        ]
    }

    /// The identifiers that the user finds.
    private func find(_ text: String, _ scene: ActivityScene) async throws -> [String] {
        try await scene.rig.agent.find(HunchAgent.Search(text)).map(\.id)
    }

    private func waitForItem(_ id: String, _ text: String, _ scene: ActivityScene) async throws {
        try await eventually("“\(id)” being found", because: "the index tells nobody") {
            try await find(text, scene) == [id] ? () : nil
        }
    }

    @Test("An activity is found after the user left it and its app ended")
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
                    HunchNames.activities, "DeleteById", ["First page"])
                #expect(try await find("first", scene).contains("First page") == false)
                #expect(try await find("second", scene).first == "Second page")
                let _: UInt32 = try await Proxy(guide.connection, HunchNames.agent, HunchNames.root).call(
                    HunchNames.activities, "DeleteByGroup", ["guide.example"])
                #expect(try await find("page", scene) == [])
            }
        }
    }

    @Test("Deleting an indexed item deletes its history, place and suggestion")
    func deletedItem() async throws {
        try await withActivityAgent { scene in
            try await scene.withApp { guide in
                let root = Proxy(guide.connection, HunchNames.agent, HunchNames.root)
                for word in ["Leave", "Keep"] {
                    let item: VariantMap = [
                        "kind": .string("openItem"), "parameters": ["item": word].dbusValue,
                        "id": .string(word),
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
                let _: VariantMap = try await root.call(
                    HunchNames.index, "Change", "pages", ["delete": ["Leave"].dbusValue] as VariantMap)
                #expect(try contents() == [["Keep"], ["Keep"]])
                // Apps begin to index again with a deletion of everything.
                let _: VariantMap = try await root.call(
                    HunchNames.index, "Change", "pages", ["delete-all": .boolean(true)] as VariantMap)
                #expect(try contents() == [["Keep"], ["Keep"]])
            }
        }
    }

    @Test("Deleting a domain deletes the history of its items and the shown suggestion")
    func deletedDomain() async throws {
        try await withActivityAgent { scene in
            try await scene.withApp { guide in
                let index = SearchableIndex("pages", on: guide.agent)
                for (word, domain) in [("Leave", "city.east"), ("Keep", "village")] {
                    try await index.add([SearchableItem(id: word, domain: domain, attributes: ["title": .text(word)])])
                }
                let shown = try ActivityApp.restaurant("Leave", more: ["content": .string("Leave")])
                try await guide.show(shown)
                _ = try await scene.waitForOffers("Get directions to Leave", "Remind me of “Leave” tomorrow")
                let root = Proxy(guide.connection, HunchNames.agent, HunchNames.root)
                let _: VariantMap = try await root.call(
                    HunchNames.index, "Change", "pages", ["delete-domains": ["village"].dbusValue] as VariantMap)
                #expect(try await scene.rig.agent.suggestions().count == 2)
                let _: VariantMap = try await root.call(
                    HunchNames.index, "Change", "pages", ["delete-domains": ["city"].dbusValue] as VariantMap)
                #expect(try await scene.rig.agent.suggestions().isEmpty)
                #expect(try scene.rig.donations().isEmpty && scene.seenPlaces().isEmpty)
            }
        }
    }

    @Test("Deleting all activities deletes their records, but no other actions")
    func deletedActivities() async throws {
        try await withActivityAgent { scene in
            try await scene.withApp { guide in
                let root = Proxy(guide.connection, HunchNames.agent, HunchNames.root)
                let play: VariantMap = ["kind": .string("playMedia"), "parameters": ["item": "song"].dbusValue]
                let _: [VariantMap] = try await root.call(HunchNames.donations, "Donate", [play])
                // Neither searchable nor at a place, so only the history knows it.
                var page = Self.activity("Secret", isEligible: false)
                page["suggestion"] = .boolean(true)
                try await guide.show(page)
                try await eventually("the page being recorded", because: "the history tells nobody") {
                    try scene.rig.donations().count == 2 ? () : nil
                }
                let _: UInt32 = try await root.call(HunchNames.activities, "DeleteAllOfCaller")
                #expect(try scene.rig.donations().map(\.kind) == [.playMedia])
            }
        }
    }

    @Test("Deleting all activities deletes the words typed for them")
    func deletedWords() async throws {
        try await withActivityAgent { scene in
            try await scene.withApp { guide in
                for title in ["First page", "Second page", "Third page"] {
                    _ = try await guide.becomeCurrent(Self.activity(title))
                }
                try await waitForItem("Second page", "second", scene)
                let pages = SearchableIndex("pages", on: guide.agent)
                try await pages.add([SearchableItem(id: "own", attributes: ["title": .text("Own dumplings")])])
                let path = try IndexStore.defaultPath(environment: scene.rig.environment)
                let store = try IndexStore.open(at: path, language: "en")
                defer { store.close() }
                let activities = IndexSource(application: ActivityScene.guide, name: IndexSource.activities)
                let own = IndexSource(application: ActivityScene.guide, name: "pages")
                let options = SearchOptions(now: Date())
                for (id, source, text) in [
                    ("First page", activities, "firs"), ("Second page", activities, "secon"), ("own", own, "dumpl"),
                ] { try store.learnOpening(of: id, in: source, for: text, options) }
                func words() throws -> [String] {
                    var lines: [String] = []
                    try store.exportOpened { lines.append($0) }
                    return ["firs", "secon", "dumpl"].filter { word in
                        lines.contains { $0.contains(#""query":"\#(word)""#) }
                    }
                }
                #expect(try words() == ["firs", "secon", "dumpl"])
                let root = Proxy(guide.connection, HunchNames.agent, HunchNames.root)
                let _: UInt32 = try await root.call(HunchNames.activities, "DeleteAllOfCaller")
                #expect(try words() == ["dumpl"])
                #expect(try await find("dumplings", scene) == ["own"])
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

import AgentInterface
import FoundationEssentials
import HunchDBus
import HunchKit
import HunchModel
import TestSupport
import Testing

@testable import Agent
@testable import Services

/// Content that apps index, found by them and by the user.
@Suite("Content of apps", .timeLimit(.minutes(15))) struct IndexTests {
    private static func note(_ id: String, _ title: String, domain: String? = nil) -> SearchableItem {
        SearchableItem(id: id, domain: domain, attributes: ["title": .text(title), "rating": .number(4)])
    }

    @Test("An app and the user find what the app indexed; another app does not")
    func finding() async throws {
        try await withActivityAgent { scene in
            try await scene.withApp { guide in
                let index = SearchableIndex("notes", on: guide.agent)
                try await index.add([Self.note("1", "Dim sum at Yank Sing", domain: "in.work"), Self.note("2", "Jazz")])
                let own = try await guide.agent.find(HunchAgent.Search("yank"))
                #expect(own.map(\.id) == ["1"] && own.first?.application == ActivityScene.guide)
                #expect(own.first?.domain == "in.work" && own.first?.attributes["rating"] == .number(4))
                let queried = try await guide.agent.find(
                    HunchAgent.Search("title == \"*jazz*\"c && rating > 3", isQuery: true))
                #expect(queried.map(\.id) == ["2"])
                #expect(try await scene.rig.agent.find(HunchAgent.Search("jaz", isUnfinished: true)).map(\.id) == ["2"])
                #expect(try await guide.agent.completions(of: "dim su") == ["dim sum"])
            }
            try await scene.withApp("org.example.Other") { other in
                let found = try await other.agent.find(HunchAgent.Search("jazz"))
                #expect(found.isEmpty)
                #expect(try await other.agent.completions(of: "dim su").isEmpty)
                let refused = await #expect(throws: DBusError.self) {
                    try await other.agent.find(HunchAgent.Search("jazz", application: ActivityScene.guide))
                }
                #expect(refused?.name == .accessDenied)
            }
        }
    }

    @Test("An index in a deleted state folder is replaced without a restart")
    func deletedFolder() async throws {
        try await withActivityAgent { scene in
            let folder = scene.rig.home.directory.file("state/hunch")
            try await scene.withApp { guide in
                let index = SearchableIndex("notes", on: guide.agent)
                for round in ["first", "second", "third"] {
                    try await index.add([Self.note(round, "Quince")])
                    #expect(try await find("quince", guide.agent) == [round])
                    try FileManager.default.removeItem(atPath: folder)
                }
                #expect(try await find("quince", guide.agent).isEmpty)
            }
        }
    }

    /// Returns the identifiers of the items that are found, once the agent has forgotten what was deleted.
    private func find(_ words: String, _ agent: HunchAgent) async throws -> [String] {
        while true {
            do { return try await agent.find(HunchAgent.Search(words)).map(\.id) } catch let error as DBusError {
                guard error.name == .busy else { throw error }
            }
        }
    }

    @Test("Any title can be quoted in a query")
    func quoted() async throws {
        try await withActivityAgent { scene in
            try await scene.withApp { guide in
                let titles = [#"5" of * snow"#, #"a\b"#, "plain", "5 of deep snow"]
                let notes = titles.enumerated().map { Self.note("\($0.offset)", $0.element) }
                try await SearchableIndex("notes", on: guide.agent).add(notes)
                for (number, title) in titles.enumerated() {
                    let query = "title == \(HunchAgent.Search.quoted(title))"
                    let found = try await guide.agent.find(HunchAgent.Search(query, isQuery: true))
                    #expect(found.map(\.id) == ["\(number)"], "\(query)")
                }
            }
        }
    }

    @Test("Items are replaced and deleted together with the client state")
    func changing() async throws {
        try await withActivityAgent { scene in
            try await scene.withApp { guide in
                let index = SearchableIndex("notes", on: guide.agent)
                #expect(try await index.state() == [])
                let items = [Self.note("1", "Note", domain: "in"), Self.note("2", "Note", domain: "in.work")]
                try await index.change(SearchableIndex.Change(adding: items + [Self.note("3", "Note")]), state: [7])
                #expect(try await index.state() == [7])
                var stale = Self.note("5", "Other")
                stale.expiry = Date(timeIntervalSince1970: 1_000_000_000)
                let result = try await index.change(
                    SearchableIndex.Change(
                        deletingDomains: ["in"], deleting: ["x"], adding: [Self.note("3", "Other"), stale]))
                #expect(result == (2, 1))
                #expect(try await guide.agent.find(HunchAgent.Search("note")).isEmpty)
                #expect(try await guide.agent.find(HunchAgent.Search("other")).map(\.id) == ["3"])
                let error = await #expect(throws: DBusError.self) {
                    try await index.change(SearchableIndex.Change(adding: [Self.note("4", "")]), state: [8])
                }
                #expect(error?.name == .invalidInput && error?.message.contains("“4”") == true)
                #expect(try await index.state() == [7])
            }
        }
    }

    @Test(
        "An invalid name of an index is refused, also without changes",
        arguments: ["", String(repeating: "a", count: 256)])
    func names(name: String) async throws {
        try await withActivityAgent { scene in
            try await scene.withApp { guide in
                for changes in [[:], ["delete-all": .boolean(true)], ["state": [1 as UInt8].dbusValue]] as [VariantMap]
                {
                    let error = await #expect(throws: DBusError.self) {
                        let _: VariantMap = try await guide.connection.call(
                            HunchNames.agent, HunchNames.root, HunchNames.index, "Change", name, changes)
                    }
                    #expect(error?.name == .invalidInput, "\(changes)")
                }
            }
        }
    }

    @Test("Unknown keys are refused, and an index without anything is removed")
    func unknownKeys() async throws {
        try await withActivityAgent { scene in
            try await scene.withApp { guide in
                let bus = guide.connection
                func change(_ map: VariantMap) async throws -> UInt32 {
                    let result: VariantMap = try await bus.call(
                        HunchNames.agent, HunchNames.root, HunchNames.index, "Change", "notes", map)
                    let deleted: UInt32? = try result.value("deleted")
                    return try #require(deleted)
                }
                let item: VariantMap = [
                    "id": "1".dbusValue, "protect": true.dbusValue,
                    "attributes": ["title": "Note".dbusValue].dbusValue,
                ]
                for (map, name) in [
                    (["add": [item].dbusValue], "“protect”"), (["remove": ["1"].dbusValue], "“remove”"),
                ] {
                    let error = await #expect(throws: DBusError.self) { try await change(map) }
                    #expect(
                        error?.name == .invalidInput && error?.message.contains(name) == true,
                        "\(String(describing: error))")
                }
                let option = await #expect(throws: DBusError.self) {
                    let _: ObjectPath = try await bus.call(
                        HunchNames.agent, HunchNames.root, HunchNames.index, "Search", "note",
                        ["apps": "x".dbusValue] as VariantMap)
                }
                #expect(option?.message.contains("did you mean “app”?") == true)
                let index = SearchableIndex("notes", on: guide.agent)
                try await index.change(SearchableIndex.Change(adding: [Self.note("1", "Note")]), state: [7])
                #expect(try await index.change(SearchableIndex.Change(deletesAll: true), state: [8]).deleted == 1)
                #expect(try await index.state() == [8])
                try await index.change(SearchableIndex.Change(deletesAll: true))
                #expect(try await index.state() == [])
                let indexes: [VariantMap] = try await bus.call(
                    HunchNames.agent, HunchNames.root, HunchNames.index, "Indexes")
                #expect(indexes.isEmpty)
            }
        }
    }

    @Test("Only an excluded app itself finds its items")
    func excludedItems() async throws {
        try await withActivityAgent { scene in
            try await scene.withApp { guide in
                let index = SearchableIndex("notes", on: guide.agent)
                try await index.add([Self.note("1", "Dim sum")])
                let agent = scene.rig.agent
                let bus = agent.connection
                let path: ObjectPath = try await bus.call(
                    HunchNames.agent, HunchNames.root, HunchNames.index, "Search", "dim", VariantMap())
                #expect(try await agent.completions(of: "dim") == ["Dim"])
                _ = try await agent.exclude(ActivityScene.guide)
                let ended = await #expect(throws: DBusError.self) {
                    let _: ([FoundItem], Bool) = try await bus.call(
                        HunchNames.agent, path, HunchNames.search, "Next", UInt32(1))
                }
                #expect(ended != nil)
                #expect(try await agent.find(HunchAgent.Search("dim")).isEmpty)
                #expect(try await agent.find(HunchAgent.Search("dim", application: ActivityScene.guide)).isEmpty)
                #expect(try await agent.completions(of: "dim").isEmpty)
                #expect(try await guide.agent.find(HunchAgent.Search("dim")).map(\.id) == ["1"])
            }
        }
    }

    @Test("While Hunch is paused or the app is excluded, an app can only delete")
    func consent() async throws {
        try await withActivityAgent { scene in
            try await scene.withApp { guide in
                let index = SearchableIndex("notes", on: guide.agent)
                try await index.add([Self.note("1", "Note")])
                try await scene.rig.agent.pause()
                let error = await #expect(throws: DBusError.self) { try await index.add([Self.note("2", "Note")]) }
                #expect(error?.name == .disabled)
                #expect(try await index.change(SearchableIndex.Change(deleting: ["1"])).deleted == 1)
                try await scene.rig.agent.resume()
                _ = try await scene.rig.agent.exclude(ActivityScene.guide)
                await #expect(throws: DBusError.self) { try await index.add([Self.note("2", "Note")]) }
            }
        }
    }

    @Test("Forgetting an app removes its items from every file")
    func forgetting() async throws {
        try await withActivityAgent { scene in
            try await scene.withApp { guide in
                let index = SearchableIndex("notes", on: guide.agent)
                try await index.change(
                    SearchableIndex.Change(adding: [Self.note("1", "Zebrafinch"), Self.note("2", "Quagmires")]),
                    state: [1])
                let receipt = try await scene.rig.agent.forget(.application(ActivityScene.guide))
                #expect(receipt["items"] == 2)
                #expect(try await index.state() == [])
                #expect(try await guide.agent.find(HunchAgent.Search("zebrafinch")).isEmpty)
            }
            let folder = scene.rig.home.directory.file("state/hunch")
            let files = try FileManager.default.contentsOfDirectory(atPath: folder)
            #expect(files.contains("index.sqlite"))
            for file in files {
                let bytes = FileManager.default.contents(atPath: "\(folder)/\(file)") ?? Data()
                for word in ["Zebrafinch", "zebrafinch", "quagmir"] {
                    #expect(bytes.firstRange(of: Data(word.utf8)) == nil, "\(word) in \(file)")
                }
            }
        }
    }

    @Test("A search gives its items in batches, and ends with the last one")
    func batches() async throws {
        try await withActivityAgent { scene in
            try await scene.withApp { guide in
                let index = SearchableIndex("notes", on: guide.agent)
                try await index.add((0..<5).map { Self.note("\($0)", "Note \($0)") })
                let bus = guide.connection
                func start() async throws -> ObjectPath {
                    try await bus.call(
                        HunchNames.agent, HunchNames.root, HunchNames.index, "Search", "note", VariantMap())
                }
                func next(_ path: ObjectPath, _ limit: UInt32) async throws -> ([FoundItem], Bool) {
                    try await bus.call(HunchNames.agent, path, HunchNames.search, "Next", limit)
                }
                let path = try await start()
                let count: UInt32 = try await Proxy(bus, HunchNames.agent, path).property(HunchNames.search, "Count")
                #expect(count == 5)
                let (first, isComplete) = try await next(path, 3)
                #expect(first.count == 3 && !isComplete)
                let (second, isOver) = try await next(path, 3)
                #expect(second.count == 2 && isOver && Set((first + second).map(\.id)).count == 5)
                await #expect(throws: DBusError.self) { try await next(path, 3) }

                let search = HunchAgent.Search("note")
                let pages = try await guide.agent.pages(of: search, size: 2).reduce(into: [[String]]()) {
                    $0.append($1.map(\.id))
                }
                #expect(pages.map(\.count) == [2, 2, 1] && Set(pages.joined()).count == 5)
                #expect(try await guide.agent.pages(of: HunchAgent.Search("violin")).reduce(0) { $0 + $1.count } == 0)

                let other = try await start()
                let stranger: DBusError? = await #expect(throws: DBusError.self) {
                    let _: ([FoundItem], Bool) = try await scene.rig.agent.connection.call(
                        HunchNames.agent, other, HunchNames.search, "Next", UInt32(1))
                }
                #expect(stranger?.name == .accessDenied)
                let () = try await bus.call(HunchNames.agent, other, HunchNames.search, "Cancel")
                await #expect(throws: DBusError.self) { try await next(other, 1) }

                for _ in 0..<8 { _ = try await start() }
                let full = await #expect(throws: DBusError.self) { try await start() }
                #expect(full?.name == .limitsExceeded)
            }
        }
    }

    @Test("An item that the user opens comes first the next time, unless Hunch is paused")
    func engagement() async throws {
        try await withActivityAgent { scene in
            try scene.rig.home.directory.write(
                "[Desktop Entry]\nType=Application\nName=Guide\nExec=/bin/true\n",
                to: "data/applications/\(ActivityScene.guide).desktop")
            try await scene.withApp { guide in
                try await SearchableIndex("notes", on: guide.agent).add([
                    Self.note("2", "Jazz club"), Self.note("1", "Jazz bar"),
                ])
                let person = scene.rig.agent
                func order(_ agent: HunchAgent) async throws -> [String] {
                    try await agent.find(HunchAgent.Search("jazz")).map(\.id)
                }
                #expect(try await order(person) == ["1", "2"])
                try await person.pause()
                _ = try await person.openItem("2", for: "jazz")
                try await person.resume()
                _ = try await person.openItem("1", for: "jazz")
                #expect(try await order(person) == ["1", "2"])
                _ = try await person.openItem("2", for: "jazz")
                try await eventually("the new order", because: "learning has no signal") {
                    try await order(person) == ["2", "1"] ? () : nil
                }
                // An app must not learn what the user did with its items.
                #expect(try await order(guide.agent) == ["1", "2"])
                _ = try await person.forget(.since(Planted.now.addingTimeInterval(-60)))
                #expect(try await order(person).isEmpty)
            }
        }
    }

    @Test("An item opens its app, and several apps with the same identifier are told apart")
    func opening() async throws {
        try await withActivityAgent { scene in
            try scene.rig.home.directory.write(
                "[Desktop Entry]\nType=Application\nName=Guide\nExec=/bin/true\n",
                to: "data/applications/\(ActivityScene.guide).desktop")
            try await scene.withApp { guide in
                try await SearchableIndex("notes", on: guide.agent).add([Self.note("1", "Note")])
            }
            let person = scene.rig.agent
            #expect(try await person.openItem("1") == "app")
            let missing = await #expect(throws: DBusError.self) { try await person.openItem("2") }
            #expect(missing?.name == .notFound)
            try await scene.withApp("org.example.Other") { other in
                try await SearchableIndex("notes", on: other.agent).add([Self.note("1", "Note")])
            }
            let several = await #expect(throws: DBusError.self) { try await person.openItem("1") }
            #expect(several?.name == .invalidInput && several?.message.contains("org.example.Other") == true)
            #expect(try await person.openItem("1", of: ActivityScene.guide) == "app")
        }
    }

    @Test("Deleting creates no index, and a search of more items than allowed gives what is allowed")
    func limits() async throws {
        try await withActivityAgent { scene in
            try await scene.withApp { guide in
                let index = SearchableIndex("notes", on: guide.agent)
                #expect(try await index.change(SearchableIndex.Change(deleting: ["1"])).deleted == 0)
                let file = scene.rig.home.directory.file("state/hunch/index.sqlite")
                #expect(!FileManager.default.fileExists(atPath: file))
                try await index.add([Self.note("1", "Note")])
                #expect(try await guide.agent.find(HunchAgent.Search("note", limit: 5_000)).count == 1)
            }
        }
    }

    @Test("A lost index is empty, and its client state is gone")
    func loss() async throws {
        try await withActivityAgent { scene in
            try await scene.withApp { guide in
                let index = SearchableIndex("notes", on: guide.agent)
                try await index.change(SearchableIndex.Change(adding: [Self.note("1", "Note")]), state: [1])
                let file = scene.rig.home.directory.file("state/hunch/index.sqlite")
                for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file + suffix) }
                #expect(try await index.state() == [])
                #expect(try await guide.agent.find(HunchAgent.Search("note")).isEmpty)
                try await index.add([Self.note("2", "Note")])
                #expect(try await guide.agent.find(HunchAgent.Search("note")).map(\.id) == ["2"])
            }
        }
    }

    @Test("Its search object matches its documentation")
    func documentation() async throws {
        try await withActivityAgent { scene in
            try await scene.withApp { guide in
                let index = SearchableIndex("notes", on: guide.agent)
                try await index.add([Self.note("1", "Note")])
                let path: ObjectPath = try await guide.connection.call(
                    HunchNames.agent, HunchNames.root, HunchNames.index, "Search", "note", VariantMap())
                let xml: String = try await guide.connection.call(
                    HunchNames.agent, path, .introspectable, "Introspect")
                let file = Surroundings.packageRoot + "/Sources/Base/AgentInterface/Interfaces/org.hunch.Search1.xml"
                let documented = try String(contentsOfFile: file, encoding: .utf8)
                #expect(
                    try InterfaceDescription.members(of: xml)["org.hunch.Search1"]
                        == InterfaceDescription.members(of: documented)["org.hunch.Search1"])
                #expect(!path.isWithin(HunchNames.root))
            }
        }
    }
}

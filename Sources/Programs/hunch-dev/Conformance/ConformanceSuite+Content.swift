internal import DesktopFiles
import CommandSupport
import Apps
import AgentInterface
import Directions
import FoundationEssentials
import HunchDBus
import HunchModel

extension ConformanceSuite {
    /// The limits of the tree that is read: levels, lists, items of a list.
    private static let levels = 4
    private static let listLimit = 16
    private static let itemLimit = 100

    /// The required methods: name, arguments, results.
    private static let methods: [(name: String, input: String, output: String)] = [
        ("ChildItems", "suua{sv}", "a(sa{sv})"), ("BeginLoadingChildItems", "sa{sv}", ""),
        ("ContentItem", "sa{sv}", "a{sv}"),
        ("InitializePlaybackQueue", "asa{sv}", "a{sv}"), ("InitiatePlayback", "sa{sv}", ""),
    ]

    func checkDesktopEntry() throws {
        guard let entry = installed.entry(application) else {
            throw Unmet(
                "there is no \(application).desktop in $XDG_DATA_HOME/applications or the like, so Hunch does not find it"
            )
        }
        guard entry.implements.contains(HunchNames.playableContent.text) else {
            throw Unmet("\(application).desktop has no “Implements=\(HunchNames.playableContent);”")
        }
    }

    func checkInterface() async throws {
        let xml: String
        do {
            xml = try await send("Introspect", [], of: .introspectable).arguments(String.self)
        } catch let error as DBusError where error.name == .unknownMethod || error.name == .unknownInterface {
            throw Unchecked("the app cannot be introspected; its calls are tried below")
        }
        let served = IntrospectedMethods(xml, of: HunchNames.playableContent.text)
        guard let served else { throw Unmet("\(path) does not serve \(HunchNames.playableContent)") }
        for method in Self.methods {
            guard let found = served.methods[method.name] else { throw Unmet("\(method.name) is missing") }
            guard found == (method.input, method.output) else {
                throw Unmet(
                    "\(method.name) is (\(found.input)) → (\(found.output)), not (\(method.input)) → (\(method.output))"
                )
            }
        }
    }

    func checkVersion() async throws {
        guard let value = try await property("Version") else { throw Unchecked("the app has no property Version") }
        guard try UInt32(dbusValue: value) == 1 else { throw Unmet("it is \(value)") }
    }

    /// Returns a page of items, checked against the documented types and limits.
    private func page(_ parent: ContentItem.ID?, _ offset: Int, _ limit: Int) async throws -> [ContentItem] {
        let reply = try await ask("ChildItems", parent ?? "", UInt32(offset), UInt32(limit), VariantMap())
        return try ContentPage.items(reply.arguments([ContentPage.Entry].self), limit: limit)
    }

    func checkList() async throws {
        var next: [(parent: ContentItem.ID?, level: Int)] = [(nil, 1)]
        var seen: Set<ContentItem.ID> = []
        while !next.isEmpty, lists.count < Self.listLimit {
            let (parent, level) = next.removeFirst()
            let items = try await page(parent, 0, Self.itemLimit)
            lists.append((parent, items))
            guard level < Self.levels else { continue }
            for item in items where item.isContainer && seen.insert(item.id).inserted {
                next.append((item.id, level + 1))
            }
        }
        guard !items.isEmpty else { throw Unmet("the root is empty") }
        guard !playable.isEmpty else { throw Unmet("in \(items.count) items none can be played") }
    }

    func checkPages() async throws {
        try requireContent()
        guard let list = lists.max(by: { $0.items.count < $1.items.count }) else { return }
        var pages: [ContentItem] = []
        while pages.count < list.items.count {
            let page = try await page(list.parent, pages.count, 2)
            if page.isEmpty { break }
            pages += page
        }
        let what = list.parent.map { "the children of “\($0)”" } ?? "the root"
        guard pages.map(\.id).prefix(list.items.count) == list.items.map(\.id)[...] else {
            throw Unmet("\(what) are \(list.items.map(\.id)) at once and \(pages.map(\.id)) in pages of two")
        }
        guard try await page(list.parent, 1_000_000, 10).isEmpty else { throw Unmet("beyond its end, \(what) goes on") }
        guard try await page(list.parent, 0, 0).isEmpty else { throw Unmet("a page of no items has some") }
    }

    func checkIdentifiers() throws {
        try requireContent()
        for list in lists {
            var seen: Set<ContentItem.ID> = []
            for item in list.items where !seen.insert(item.id).inserted {
                throw Unmet("“\(item.id)” is listed twice")
            }
        }
    }

    func checkItems() async throws {
        try requireContent()
        for item in items.prefix(20) {
            let map = try await ask("ContentItem", item.id, VariantMap()).arguments(VariantMap.self)
            guard !map.isEmpty else { throw Unmet("“\(item.id)” is listed, and ContentItem knows it not") }
            let told = try ContentItem(id: item.id, transfer: map)
            guard (told.title, told.isContainer, told.isPlayable) == (item.title, item.isContainer, item.isPlayable)
            else {
                throw Unmet(
                    "“\(item.id)” is “\(item.title)” in its list and “\(told.title)” by itself, or of another kind")
            }
        }
    }

    func checkContainers() async throws {
        try requireContent()
        guard let leaf = items.first(where: { !$0.isContainer }) else { throw Unchecked("all items are containers") }
        guard try await page(leaf.id, 0, 1).isEmpty else {
            throw Unmet("“\(leaf.id)” is not a container and has children")
        }
    }

    func checkUnknownItem() async throws {
        let map = try await ask("ContentItem", Self.unknown, VariantMap()).arguments(VariantMap.self)
        guard map.isEmpty else { throw Unmet("it returns \(map)") }
    }

    func checkArtwork() throws {
        let pictures = items.compactMap(\.artworkURL)
        guard !pictures.isEmpty else { throw Unchecked("no item has a picture") }
        for picture in pictures {
            guard let url = URL(string: picture), url.isFileURL, FileManager.default.fileExists(atPath: url.path) else {
                throw Unmet("“\(picture)” is not an existing file")
            }
        }
    }

    func requireContent() throws {
        if items.isEmpty { throw Unchecked("there is nothing to check it with") }
    }
}

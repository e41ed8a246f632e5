import HunchDBus
import HunchKit
import HunchModel

let loop = try EventLoop()
try loop.start()
let hunch = try await HunchAgent(on: loop)
let server = await ObjectServer(on: hunch.connection)
let index = SearchableIndex("notes", on: hunch)

func note(_ id: String, _ title: String, _ text: String, domain: String) -> SearchableItem {
    SearchableItem(id: id, domain: domain, attributes: ["title": .text(title), "text": .text(text)])
}

let notes = [
    note("1", "Dim sum", "Yank Sing on Stevenson Street, with Ann", domain: "food.restaurants"),
    note("2", "Dumplings", "Flour, water and patience", domain: "food.recipes"),
    note("3", "Jazz club", "Ask Ann for the address", domain: "evenings"),
]

struct Notes: SearchableIndexDelegate {
    let asked: AsyncStream<Void>.Continuation

    func reindexAll(because reason: ReindexReason) async throws {
        try await index.change(.init(deletesAll: true, adding: notes), state: Array("version 1".utf8))
        asked.yield()
    }

    func reindex(_ identifiers: [String], in index: SearchableIndex) async throws {
        try await index.add(notes.filter { identifiers.contains($0.id) })
    }
}

let (asked, continuation) = AsyncStream.makeStream(of: Void.self)
try await hunch.serveIndexing(of: "org.example.Notes", on: server, Notes(asked: continuation))
for await _ in asked { break }
print(String(decoding: try await index.state(), as: UTF8.self))

try await index.add([note("4", "Dim sum again", "Ann wants to go back", domain: "food.restaurants")])
print(try await index.change(.init(deletingDomains: ["food.recipes"])).deleted, "deleted")

print(try await hunch.completions(of: "dim su"))
for item in try await hunch.find(.init("dim su", isUnfinished: true)) { print(item.title) }
for item in try await hunch.find(.init("title == '*club*' && domain == 'even*'", isQuery: true)) { print(item.title) }
loop.stop()

// An app with notes, in a process of its own, which the bus starts. It indexes its notes when Hunch asks, and writes a line
// to a file for each note that it opens and each search that it continues.
//
//     notes-app APPLICATION COUNT FILE
import Glibc
import HunchDBus
import HunchKit
import HunchModel

struct Notes: SearchableIndexDelegate {
    let index: SearchableIndex
    let count: Int

    private func note(_ number: Int) -> SearchableItem {
        let words = [
            "harbour", "lantern", "meadow", "orchard", "pebble", "quarry", "ribbon", "saddle", "thicket", "walnut",
        ]
        let pair = "\(words[number % 10]) and \(words[number / 10 % 10])"
        return SearchableItem(
            id: "note-\(number)", domain: "year\(number % 20)",
            attributes: [
                "title": .text(number == 4_711 ? "Zanzibar itinerary" : "Note \(number) about \(pair)"),
                "description": .text("The \(pair), as seen on day \(number)"),
            ])
    }

    func reindexAll(because reason: ReindexReason) async throws {
        try await index.change(.init(deletesAll: true, adding: (0..<count).map(note)), state: Array("1".utf8))
    }

    func reindex(_ identifiers: [String], in index: SearchableIndex) async throws {
        try await index.add(identifiers.compactMap { Int($0.dropFirst("note-".count)) }.map(note))
    }
}

func report(_ line: String) {
    let descriptor = open(CommandLine.arguments[3], O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
    let bytes = Array("\(line)\n".utf8)
    _ = write(descriptor, bytes, bytes.count)
    close(descriptor)
}

let application = AppID(CommandLine.arguments[1])
let loop = try EventLoop()
try loop.start()
let hunch = try await HunchAgent(on: loop)
let server = await ObjectServer(on: hunch.connection)
let notes = Notes(index: SearchableIndex("notes", on: hunch), count: Int(CommandLine.arguments[2]) ?? 0)
try await hunch.serveIndexing(of: application, on: server, notes)
let interface = ExportedInterface(
    "org.hunch.ContinueActivity1",
    [
        .method("Continue", arguments: ["activity", "platform_data"]) {
            (_, activity: VariantMap, platform: VariantMap) async throws -> Void in
            let query: String = try activity.value("query") ?? ""
            let content: String? = try activity.value("content")
            let token = platform["activation-token"] == nil ? "" : " with a token"
            report((content.map { "open \($0) for \(query)" } ?? "search \(query)") + token)
        }
    ])
try await server.export(ObjectPath(application: BusName(application.rawValue)), [interface])
_ = await hunch.connection.closed()

import AgentInterface
import FoundationEssentials
import HunchDBus
import HunchKit
import HunchModel
import TestSupport
import Testing

@testable import Agent
@testable import Services
@testable import SearchServices

/// The agent as a search provider of GNOME Shell and a runner of KRunner. The test takes the part of both.
@Suite("Results for the desktop", .timeLimit(.minutes(15))) struct DesktopSearchTests {
    private static let guide = ActivityScene.guide

    /// A desktop's search with its own connection.
    private struct Shell: Sendable {
        let bus: Connection

        func find(_ terms: String...) async throws -> [String] {
            try await bus.call(
                HunchNames.agent, DesktopSearch.gnomePath, "org.gnome.Shell.SearchProvider2", "GetInitialResultSet",
                terms)
        }

        func metas(_ ids: [String]) async throws -> [VariantMap] {
            try await bus.call(
                HunchNames.agent, DesktopSearch.gnomePath, "org.gnome.Shell.SearchProvider2", "GetResultMetas", ids)
        }

        func names(_ terms: String...) async throws -> [String] {
            let ids: [String] = try await bus.call(
                HunchNames.agent, DesktopSearch.gnomePath, "org.gnome.Shell.SearchProvider2", "GetSubsearchResultSet",
                [String](), terms)
            return try await metas(ids).map { try $0.require("name") }
        }

        func choose(_ id: String, _ terms: String...) async throws {
            let () = try await bus.call(
                HunchNames.agent, DesktopSearch.gnomePath, "org.gnome.Shell.SearchProvider2", "ActivateResult", id,
                terms, UInt32(41))
        }

        func continueSearch(_ terms: String...) async throws {
            let () = try await bus.call(
                HunchNames.agent, DesktopSearch.gnomePath, "org.gnome.Shell.SearchProvider2", "LaunchSearch", terms,
                UInt32(41))
        }

        func run(_ method: MemberName, _ texts: String...) async throws -> [Value] {
            try await bus.reply(
                to: MethodCall(
                    HunchNames.agent, DesktopSearch.runnerPath, "org.kde.krunner1", method,
                    body: texts.map { .string($0) })
            ).body
        }
    }

    /// Runs `body` with a connection that has the name of a desktop's search.
    private nonisolated(nonsending) func withShell(
        _ name: BusName = "org.gnome.Shell", in scene: ActivityScene,
        _ body: nonisolated(nonsending) (Shell) async throws -> Void
    ) async throws {
        try await withClient(of: scene.rig.bus) { client in
            guard let own = await client.connection.uniqueName else { throw BenchError("the shell has no name") }
            scene.know(own, as: "org.example.Shell")
            _ = try await client.connection.requestName(name)
            try await body(Shell(bus: client.connection))
        }
    }

    /// Lets a busy machine answer.
    private static func allowTime(_ configuration: inout AgentConfiguration) {
        configuration.searchTime = .seconds(20)
    }

    private static func note(_ id: String, _ title: String) -> SearchableItem {
        SearchableItem(
            id: id,
            attributes: [
                "title": .text(title), "description": .text("with Ann"), "created": .number(1_793_527_200),
            ])
    }

    @Test("Items with all words are found, with the app's name and icon")
    func items() async throws {
        try await withActivityAgent(configure: Self.allowTime) { scene in
            try scene.rig.home.directory.write(
                "[Desktop Entry]\nType=Application\nName=Guide\nIcon=guide-icon\nExec=/bin/true\n",
                to: "data/applications/\(Self.guide).desktop")
            try await scene.withApp { guide in
                try await SearchableIndex("notes", on: guide.agent).add([
                    Self.note("1", "Dim sum at Yank Sing"), Self.note("2", "Dim lights"),
                ])
                try await withShell(in: scene) { shell in
                    let ids = try await shell.find("dim", "yan")
                    #expect(ids.count == 1)
                    let meta = try #require(try await shell.metas(ids).first)
                    #expect(meta["name"] == .string("Dim sum at Yank Sing"))
                    #expect(meta["description"] == .string("Guide · 1 Nov 2026 · with Ann"))
                    #expect(meta["gicon"] == .string("guide-icon"))
                    #expect(Set(try await shell.names("dim")) == ["Dim sum at Yank Sing", "Dim lights"])
                    #expect(try await shell.names("dim", "missing").isEmpty)
                    #expect(try await shell.names("dim", "y").count == 2)
                    #expect(try await shell.metas(["none", ids[0]]).count == 1)
                    #expect(try await shell.find("").isEmpty)
                }
            }
        }
    }

    @Test("Results are for the shell only, and not while locked or paused")
    func conduct() async throws {
        let reached = Watched<Agent?>(nil)
        try await withActivityAgent(configure: Self.allowTime, reach: { agent in reached.update { $0 = agent } }) {
            scene in
            try await scene.withApp { guide in
                try await SearchableIndex("notes", on: guide.agent).add([
                    Self.note("1", "Dim sum"), Self.note("2", " "),
                ])
                let stranger = await #expect(throws: DBusError.self) {
                    try await Shell(bus: guide.connection).find("dim")
                }
                #expect(stranger?.name == .accessDenied)
                try await scene.withApp("org.example.Boxed", .sandboxed) { boxed in
                    _ = try await boxed.connection.requestName("org.kde.krunner")
                    let refused = await #expect(throws: DBusError.self) {
                        try await Shell(bus: boxed.connection).run("Match", "dim")
                    }
                    #expect(refused?.name == .accessDenied)
                }
                try await withShell(in: scene) { shell in
                    let found = try await shell.find("dim")
                    #expect(found.count == 1)
                    let agent = try #require(reached.state)
                    let desk = await agent.desk
                    await desk.setScreen(isSeen: false)
                    #expect(try await shell.find("dim").isEmpty)
                    #expect(try await shell.metas(found).isEmpty)
                    await desk.setScreen(isSeen: true)
                    try await scene.rig.agent.pause()
                    #expect(try await shell.find("dim").isEmpty)
                    try await scene.rig.agent.resume()
                    _ = try await scene.rig.agent.exclude(Self.guide)
                    #expect(try await shell.find("dim").isEmpty)
                    let hidden = try await scene.rig.hunch("find", "dim")
                    #expect(hidden.status == .exited(1), "\(hidden)")
                    let named = try await scene.rig.hunch("find", "dim", "--app", Self.guide.rawValue)
                    #expect(named.status == .exited(0), "\(named)")
                    #expect(try await scene.rig.agent.find(.init("dim")).isEmpty)
                    _ = try await scene.rig.agent.include(Self.guide)
                    let ids = try await shell.find("dim")
                    #expect(ids.count == 1)
                    _ = try await scene.rig.agent.forget(.application(Self.guide))
                    #expect(try await shell.metas(ids).isEmpty)
                    let gone = await #expect(throws: DBusError.self) { try await shell.choose(ids[0], "dim") }
                    #expect(gone?.name == .notFound)
                }
            }
        }
    }

    @Test("A place that the user looked at leads to directions")
    func places() async throws {
        try await withActivityAgent(configure: Self.allowTime) { scene in
            try await scene.withApp { guide in
                try await guide.show(ActivityApp.restaurant())
                _ = try await scene.waitForSeenPlaces(1)
                try await withShell(in: scene) { shell in
                    let ids = try await shell.find("yank")
                    let place = try #require(ids.first { $0.hasPrefix("place") })
                    #expect(try await shell.metas([place]).first?["name"] == .string("Yank Sing"))
                    #expect(try await shell.metas([place]).first?["description"] == .string("Get directions"))
                    try await shell.choose(place, "yank")
                    #expect(try await scene.rig.started(ActivityScene.maps).first?.hasPrefix("geo:37.7922") == true)
                }
            }
        }
    }

    /// Runs `body` with an app that has one item, “Dim sum”, and continues searches.
    ///
    /// - Parameter body: gets the item, the words of the search and the activation token of each call; “–” for none.
    private nonisolated(nonsending) func withContinuingApp(
        in scene: ActivityScene, _ body: nonisolated(nonsending) (Watched<[String]>) async throws -> Void
    ) async throws {
        try scene.rig.home.directory.write(
            """
            [Desktop Entry]
            Type=Application
            Name=Guide
            Exec=/bin/false
            DBusActivatable=true
            Implements=org.hunch.ContinueActivity1;
            X-Hunch-ContinuesSearch=true

            """, to: "data/applications/\(Self.guide).desktop")
        try await scene.withApp { guide in
            let asked = Watched<[String]>([])
            let server = await ObjectServer(on: guide.connection)
            try await server.export(
                "/org/example/Guide",
                [
                    ExportedInterface(
                        HunchNames.continueActivity,
                        [
                            .method("Continue", arguments: ["activity", "platform_data"]) {
                                (_, activity: VariantMap, platform: VariantMap) in
                                let words: [String?] = try [
                                    activity.value("content"), activity.value("query"),
                                    platform.value("activation-token"),
                                ]
                                asked.update { $0.append(words.map { $0 ?? "–" }.joined(separator: " ")) }
                            }
                        ])
                ])
            _ = try await guide.connection.requestName(BusName(Self.guide.rawValue))
            try await SearchableIndex("notes", on: guide.agent).add([Self.note("1", "Dim sum")])
            try await body(asked)
            withExtendedLifetime(server) {}
        }
    }

    @Test("KRunner gets matches, their actions, and the search itself")
    func runner() async throws {
        try await withActivityAgent(configure: Self.allowTime) { scene in
            try await withContinuingApp(in: scene) { asked in
                try await withShell("org.kde.krunner", in: scene) { shell in
                    let matches = try #require(try await shell.run("Match", "dim sum").first?.elements)
                    #expect(matches.count == 2)
                    let match = try #require(matches.first?.fields)
                    #expect(match[1] == .string("Dim sum") && match[3] == .int32(100))
                    #expect(match[5].map?["actions"] == ["search-in-app"].dbusValue)
                    let id = try #require(match[0].text)
                    _ = try await shell.run("SetActivationToken", "token-1")
                    _ = try await shell.run("Run", id, "")
                    _ = try await shell.run("Run", id, "search-in-app")
                    #expect(matches.last?.fields?[0] == .string("search"))
                    // The window of Hunch is not installed here.
                    let window = await #expect(throws: DBusError.self) { try await shell.run("Run", "search", "") }
                    #expect(window?.message.contains("org.hunch.Settings") == true)
                    #expect(asked.state == ["1 dim sum token-1", "– dim sum –"])
                    #expect(try await shell.run("Match", "unknown").first?.elements?.isEmpty == true)
                }
            }
        }
    }

    @Test("A choice is carried out even if each search came too late")
    func lateSearches() async throws {
        try await withActivityAgent(configure: { $0.searchTime = .zero }) { scene in
            try await withContinuingApp(in: scene) { asked in
                let item = SearchResult(
                    "item", [Self.guide.rawValue, "notes", "1"], title: "", detail: "", icon: "",
                    content: .item(id: "1", of: Self.guide, index: "notes"))
                try await withShell(in: scene) { shell in
                    _ = try await shell.find("dim", "sum")
                    try await shell.continueSearch("dim", "sum")
                    try await shell.choose(item.id, "dim", "sum")
                    #expect(asked.state == ["– dim sum –", "1 dim sum –"])
                }
                try await withShell("org.kde.krunner", in: scene) { runner in
                    _ = try await runner.run("Match", "sum")
                    _ = try await runner.run("Run", item.id, "search-in-app")
                    #expect(asked.state.last == "– sum –")
                }
            }
        }
    }
}

extension Value {
    fileprivate var elements: [Value]? { if case .array(_, let values) = self { values } else { nil } }
    fileprivate var fields: [Value]? { if case .structure(let values) = self { values } else { nil } }
    fileprivate var map: VariantMap? { try? VariantMap(dbusValue: self) }
    fileprivate var text: String? { try? String(dbusValue: self) }
}

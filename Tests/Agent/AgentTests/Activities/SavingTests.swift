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

/// Tests of activities whose apps complete them on request.
@Suite("Lazy saving", .timeLimit(.minutes(15))) struct SavingTests {
    private static let path: ObjectPath = "/org/example/Guide/delegate"

    /// The behaviours of an app's delegate.
    private enum Answer: Sendable {
        case changes(VariantMap)
        case failure
        case silence
        /// No changes, once the value is true.
        case held(Watched<Bool>)
        case nonsense
    }

    private static func type(_ map: VariantMap) -> VariantMap {
        map.merging(["needs-save": .boolean(true), "delegate": .objectPath(path)]) { $1 }
    }

    /// Serves a delegate on an app's connection, and records the objects of its calls.
    private func serve(_ app: ActivityApp, _ answer: Answer) async throws -> (ObjectServer, Watched<[ObjectPath]>) {
        let asked = Watched<[ObjectPath]>([])
        let server = await ObjectServer(on: app.connection)
        let member: ExportedMember =
            if case .nonsense = answer {
                .method("Save", arguments: ["activity"], results: ["changes"]) {
                    (_, object: ObjectPath) async throws -> [String] in
                    asked.update { $0.append(object) }
                    return ["title"]
                }
            } else {
                .method("Save", arguments: ["activity"], results: ["changes"]) {
                    (_, object: ObjectPath) async throws -> VariantMap in
                    asked.update { $0.append(object) }
                    switch answer {
                    case .changes(let changes): return changes
                    case .held(let isReleased):
                        try await isReleased.wait { $0 ? () : nil }
                        return [:]
                    case .failure: throw DBusError(.failed, "not now")
                    default:
                        try await Watched(0).wait { _ in nil as Void? }
                        return [:]
                    }
                }
            }
        try await server.export(Self.path, [ExportedInterface(evolving: HunchNames.activityDelegate, [member])])
        return (server, asked)
    }

    @Test("Reading an activity asks the app to save once per change")
    func looking() async throws {
        try await withActivityAgent { scene in
            try await scene.withApp { app in
                let (server, asked) = try await serve(app, .changes(["title": .string("Saved")]))
                let object = try await app.becomeCurrent(Self.type(ActivityApp.activity("Draft")))
                #expect(try await scene.recent() == ["Draft"] && asked.state.isEmpty)
                #expect(try await scene.current().require("title") == "Saved")
                #expect(try await scene.current().require("title") == "Saved")
                #expect(asked.state == [object])
                try await app.update(object, ["needs-save": .boolean(true), "title": .string("Draft 2")])
                #expect(try await scene.current().require("title") == "Saved")
                #expect(asked.state == [object, object])
                extendLifetime(server)
            }
        }
    }

    @Test("An activity that its app deletes while it saves is not recorded")
    func deletedMeanwhile() async throws {
        try await withActivityAgent { scene in
            try await scene.withApp { app in
                let isReleased = Watched(false)
                let (server, asked) = try await serve(app, .held(isReleased))
                let leaving = try ActivityApp.restaurant("Leave", more: ["content": .string("leave")])
                let object = try await app.becomeCurrent(Self.type(leaving))
                try await app.tell(object, "Resign")
                try await asked.wait { $0.isEmpty ? nil : () }
                #expect(try await app.delete("DeleteById", ["leave"]) == 2)
                isReleased.update { $0 = true }
                try await app.show(ActivityApp.restaurant("Keep", latitude: 2, more: ["content": .string("keep")]))
                try await eventually("the next activity being recorded", because: "the history tells nobody") {
                    try scene.rig.donations().contains { $0.identifier == "keep" } ? () : nil
                }
                #expect(try scene.rig.donations().map(\.identifier) == ["keep"])
                #expect(try scene.seenPlaces().map(\.content) == ["keep"])
                #expect(try await scene.rig.agent.find(HunchAgent.Search("leave")).isEmpty)
                extendLifetime(server)
            }
        }
    }

    @Test("Leaving an eligible activity asks the app for its place")
    func leaving() async throws {
        try await withActivityAgent { scene in
            try await scene.withApp { app in
                let place = try MapItem(name: "Late", coordinate: Coordinate(latitude: 1, longitude: 2)).transfer
                let (server, asked) = try await serve(app, .changes(["place": place.dbusValue]))
                let object = try await app.becomeCurrent(Self.type(ActivityApp.activity("Page")))
                try await app.tell(object, "Resign")
                _ = try await scene.waitForOffers("Get directions to Late")
                #expect(asked.state == [object])
                extendLifetime(server)
            }
        }
    }

    @Test("A failing, hanging or lying app delays nothing and changes nothing")
    func trouble() async throws {
        let tooLarge: VariantMap = ["payload": [UInt8](repeating: 0, count: 65_537).dbusValue]
        for answer in [
            Answer.failure, .nonsense, .changes(["title": .uint32(7)]), .changes(tooLarge),
            .changes(["type": .string("nonsense"), "title": .string("Lie")]), .silence,
        ] {
            try await withActivityAgent(configure: { $0.saveTime = .milliseconds(300) }) { scene in
                try await scene.withApp { app in
                    let (server, asked) = try await serve(app, answer)
                    _ = try await app.becomeCurrent(Self.type(ActivityApp.restaurant("As it was")))
                    async let current = scene.current()
                    try await scene.withApp("org.example.Other") { other in
                        _ = try await other.becomeCurrent(ActivityApp.activity("Other"))
                    }
                    _ = try await current
                    _ = try await scene.waitForOffers("Get directions to As it was")
                    #expect(asked.state.count == 1, "\(answer)")
                    #expect(try await scene.recent().last == "As it was")
                    extendLifetime(server)
                }
            }
        }
    }

    @Test("An app that exits while saving keeps its last activity")
    func vanishing() async throws {
        try await withActivityAgent(configure: { $0.saveTime = .seconds(60) }) { scene in
            try await scene.withApp { app in
                let (server, asked) = try await serve(app, .silence)
                let object = try await app.becomeCurrent(Self.type(ActivityApp.restaurant("Gone")))
                try await app.tell(object, "Resign")
                try await asked.wait { $0.isEmpty ? nil : () }
                extendLifetime(server)
            }
            let offer = try await scene.waitForOffers("Get directions to Gone")
            try await scene.rig.agent.dismiss(offer[0].id)
            try await scene.withApp { app in
                try await app.show(Self.type(ActivityApp.restaurant("Nobody", latitude: 3)))
                _ = try await scene.waitForOffers("Get directions to Nobody")
            }
        }
    }
}

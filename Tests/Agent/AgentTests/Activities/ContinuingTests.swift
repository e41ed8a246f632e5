import AgentInterface
import FoundationEssentials
import Glibc
import HunchDBus
import HunchKit
import HunchModel
import TestSupport
import Testing

@testable import Agent
@testable import Services

/// Tests of continuing activities, also of apps in processes of their own.
@Suite("Continuing activities", .timeLimit(.minutes(15))) struct ContinuingTests {
    private static let path: ObjectPath = "/org/example/Guide"
    private static let page: VariantMap = ["url": .string("https://example.org/yank-sing")]

    private func goOn(
        _ scene: ActivityScene, _ activity: ObjectPath, _ options: VariantMap = [:]
    ) async throws -> String {
        try await scene.rig.root.call(HunchNames.activities, "Continue", activity.lastElement, options)
    }

    private func install(_ scene: ActivityScene, _ lines: String) throws {
        try scene.rig.home.directory.write(
            "[Desktop Entry]\nType=Application\nName=Yelp\nExec=/bin/false\n" + lines,
            to: "data/applications/\(ActivityScene.guide).desktop")
    }

    /// Serves the app's interfaces, and records the calls.
    private func serve(
        _ app: ActivityApp, continues: Bool, opens: Bool
    ) async throws -> (ObjectServer, Watched<[String]>) {
        let asked = Watched<[String]>([])
        let server = await ObjectServer(on: app.connection)
        try await server.export(
            Self.path,
            [
                ExportedInterface(
                    HunchNames.continueActivity,
                    [
                        .method("Continue", arguments: ["activity", "platform_data"]) {
                            (_, activity: VariantMap, platform: VariantMap) in
                            guard continues else { throw DBusError(.failed, "not this one") }
                            let words = try [
                                activity.require("title", as: String.self), "\(activity["needs-save"] == nil)",
                                platform.require("activation-token"), platform.require("screen"),
                            ]
                            asked.update { $0.append(words.joined(separator: " ")) }
                        }
                    ]),
                ExportedInterface(
                    "org.freedesktop.Application",
                    [
                        .method("Open", arguments: ["uris", "platform_data"]) { (_, uris: [String], _: VariantMap) in
                            guard opens else { throw DBusError(.notSupported, "opens nothing") }
                            asked.update { $0 += uris }
                        }
                    ]),
            ])
        _ = try await app.connection.requestName(BusName(ActivityScene.guide.rawValue))
        return (server, asked)
    }

    @Test("Continuing tries the app, its page, a browser, then a launch")
    func ways() async throws {
        try await withActivityAgent { scene in
            try await scene.withApp { app in
                let activity = try await app.becomeCurrent(ActivityApp.activity("Page", more: Self.page))
                let plain = try await app.becomeCurrent(ActivityApp.activity("Plain"))
                let options: VariantMap = [
                    "activation-token": .string("token-1"), "platform": ["screen": Value.string("left")].dbusValue,
                ]
                do {
                    let (server, asked) = try await serve(app, continues: true, opens: true)
                    try install(scene, "DBusActivatable=true\nImplements=org.hunch.ContinueActivity1;\n")
                    #expect(try await goOn(scene, activity, options) == "activity")
                    #expect(asked.state == ["Page true token-1 left"])
                    // An interface that the desktop entry does not name is not called.
                    try install(scene, "DBusActivatable=true\n")
                    #expect(try await goOn(scene, activity, options) == "url")
                    #expect(asked.state.last == "https://example.org/yank-sing")
                    extendLifetime(server)
                }
                let (server, asked) = try await serve(app, continues: false, opens: false)
                try install(scene, "DBusActivatable=true\nImplements=org.hunch.ContinueActivity1;\n")
                try scene.rig.installApp("org.example.Browser", "MimeType=x-scheme-handler/https;")
                try scene.rig.home.directory.write(
                    "[Default Applications]\nx-scheme-handler/https=org.example.Browser.desktop\n",
                    to: "config/mimeapps.list")
                #expect(try await goOn(scene, activity, options) == "url")
                #expect(
                    try await scene.rig.started("org.example.Browser") == [
                        "https://example.org/yank-sing", "token=token-1",
                    ])
                #expect(asked.state == [])
                try scene.rig.installApp(ActivityScene.guide, exec: "", "")
                #expect(try await goOn(scene, plain) == "app")
                #expect(try await scene.rig.started(ActivityScene.guide) == ["token="])
                extendLifetime(server)
            }
        }
    }

    @Test("Only a permitted caller continues a live, visible activity")
    func callers() async throws {
        try await withActivityAgent { scene in
            try await scene.withApp { app in
                let activity = try await app.becomeCurrent(ActivityApp.activity("Page"))
                func refusal(_ name: String?, _ confinement: CallerIdentity.Confinement) async throws -> DBusError.Name?
                {
                    try await scene.withApp(name.map { AppID($0) }, confinement) { caller in
                        try await caller.refusal {
                            let _: String = try await $0.connection.call(
                                HunchNames.agent, HunchNames.root, HunchNames.activities, "Continue",
                                activity.lastElement, VariantMap())
                        }?.name
                    }
                }
                #expect(try await refusal(ActivityScene.guide.rawValue, .sandboxed) == .accessDenied)
                #expect(try await refusal(nil, .unknown) == .accessDenied)
                #expect(try await refusal("org.example.Other", .unsandboxed) == .notFound)
                // It is not installed, so it cannot be opened.
                try FileManager.default.removeItem(
                    atPath: scene.rig.home.directory.file("data/applications/\(ActivityScene.guide).desktop"))
                #expect(try await refusal(ActivityScene.guide.rawValue, .unsandboxed) == .actionFailed)
                try await app.tell(activity, "Invalidate")
                #expect(try await refusal(ActivityScene.guide.rawValue, .unsandboxed) == .notFound)
            }
        }
    }

    @Test("Recently seen places rank first for permitted callers")
    func geocoding() async throws {
        try await withActivityAgent { scene in
            try await scene.rig.importPlaces()
            try await scene.withApp { app in
                try await app.show(ActivityApp.restaurant("Paris Diner", latitude: 40))
                _ = try await scene.waitForSeenPlaces(1)
                func names(_ agent: HunchAgent, _ text: String) async throws -> [String] {
                    try await agent.geocode(text).compactMap(\.item.name)
                }
                #expect(try await names(scene.rig.agent, "Paris") == ["Paris Diner", "Paris", "Paris"])
                #expect(try await names(app.agent, "paris din") == ["Paris Diner"])
                for (name, confinement) in [
                    ("org.example.Other", .unsandboxed), ("org.example.Other", .sandboxed), (nil, .unknown),
                ] as [(String?, CallerIdentity.Confinement)] {
                    try await scene.withApp(name.map { AppID($0) }, confinement) { (other) async throws -> Void in
                        #expect(try await names(other.agent, "Paris") == ["Paris", "Paris"])
                    }
                }
                let answer = try await scene.rig.suggest(["uri": .string("Paris Diner")])
                let found: VariantMap = try answer.resolved.require("destination")
                #expect(try found.require("latitude") == 40.0)
                // Without an agent, the command does the same.
                let told = try await scene.rig.hunch("geocode", "paris", "diner", "--json").output()
                #expect(told.contains(#""kind":"seen""#) && told.contains("Paris Diner"))
                #expect(try await scene.rig.hunch("directions", "Paris", "Diner").output().contains("40,-122.3931"))
            }
        }
    }

    /// Runs the app in a process of its own.
    private func withProcess(
        _ scene: ActivityScene, _ body: nonisolated(nonsending) (Daemon, BusName) async throws -> Void
    ) async throws {
        let command = Command(
            try builtProduct("screen-app"), [ActivityScene.guide.rawValue], environment: scene.rig.environment,
            ready: .busName(ActivityScene.guide.rawValue, on: scene.rig.bus))
        try await withDaemon(command) { daemon in
            let name = try BusName(ActivityScene.guide.rawValue)
            guard let owner = try await scene.rig.agent.connection.owner(of: name) else {
                throw BenchError("the app went away")
            }
            scene.know(owner, as: ActivityScene.guide)
            try await body(daemon, name)
        }
    }

    private func show(_ scene: ActivityScene, _ app: BusName, _ activity: VariantMap) async throws -> ObjectPath {
        try await scene.rig.agent.connection.call(app, Self.path, "org.example.Screen1", "Show", activity)
    }

    @Test("The activity of an app that ended is continued by starting the app, with all that the app said")
    func ended() async throws {
        try await withActivityAgent { scene in
            let more: VariantMap = ["payload": [UInt8](1...9).dbusValue, "keywords": ["dim sum"].dbusValue]
            try await scene.withApp {
                _ = try await $0.becomeCurrent(ActivityApp.restaurant(more: more))
                _ = try await $0.becomeCurrent(ActivityApp.activity("Never", more: ["suggestion": .boolean(false)]))
            }
            try await eventually("the end of the app", because: "it tells nobody") {
                try await scene.current().isEmpty ? () : nil
            }
            #expect(try await scene.recent() == ["Yank Sing"])
            let id = try #require(await scene.rig.agent.recentActivities().first?.id)
            try install(scene, "DBusActivatable=true\nImplements=org.hunch.ContinueActivity1;\n")
            // Started by its name, as the bus does.
            try await scene.withApp { app in
                let got = Watched<VariantMap?>(nil)
                let server = await ObjectServer(on: app.connection)
                let method = ExportedMember.method("Continue", arguments: ["activity", "platform_data"]) {
                    (_, activity: VariantMap, _: VariantMap) in got.update { $0 = activity }
                }
                try await server.export(Self.path, [ExportedInterface(evolving: HunchNames.continueActivity, [method])])
                _ = try await app.connection.requestName(BusName(ActivityScene.guide.rawValue))
                #expect(try await goOn(scene, ObjectPath("/a/\(id)")) == "activity")
                let activity = try Activity(transfer: #require(got.state))
                #expect(activity.payload == [UInt8](1...9) && activity.keywords == ["dim sum"])
                #expect(activity.place?.name == "Yank Sing")
                extendLifetime(server)
            }
            _ = try await scene.rig.agent.forget(.application(ActivityScene.guide))
            #expect(try await scene.recent() == [])
        }
    }

    @Test("A killed app leaves the places that the user saw, and what it can continue")
    func killed() async throws {
        try await withActivityAgent { scene in
            try await withProcess(scene) { daemon, app in
                _ = try await show(scene, app, ActivityApp.activity("Menu"))
                _ = try await show(scene, app, ActivityApp.restaurant())
                #expect(try await scene.recent() == ["Yank Sing", "Menu"])
                daemon.signal(SIGKILL)
                _ = try await daemon.waitForExit()
                _ = try await scene.waitForOffers("Get directions to Yank Sing")
                #expect(try await scene.recent() == ["Yank Sing", "Menu"])
            }
        }
    }

    @Test("Continuing adds little time to a direct call to the app")
    func timeToContent() async throws {
        try await withActivityAgent { scene in
            try await withProcess(scene) { _, app in
                try install(scene, "DBusActivatable=true\nImplements=org.hunch.ContinueActivity1;\n")
                let activity = try await show(scene, app, ActivityApp.activity("Page"))
                func median(_ call: () async throws -> Void) async throws -> Duration {
                    let clock = ContinuousClock()
                    var times: [Duration] = []
                    for _ in 0..<50 {
                        let start = clock.now
                        try await call()
                        times.append(clock.now - start)
                    }
                    return times.sorted()[25]
                }
                let plain = try await median {
                    let () = try await scene.rig.agent.connection.call(
                        app, Self.path, "org.freedesktop.Application", "Open", ["https://example.org"], VariantMap())
                }
                let through = try await median {
                    guard try await goOn(scene, activity) == "activity" else { throw BenchError("not by the app") }
                }
                print("time to content: \(through) through the agent, \(plain) for Open alone")
                #expect(through < .seconds(5))
            }
        }
    }
}

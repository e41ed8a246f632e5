import AgentInterface
import FoundationEssentials
import HunchDBus
import HunchKit
import HunchModel
import Synchronization
import TestSupport
import Testing

@testable import Agent
@testable import Services

/// Tests of `AppActivities` of HunchKit with an agent.
@Suite("Activities of an app that links HunchKit", .timeLimit(.minutes(15))) struct AppActivityTests {
    private static func page(_ title: String, content: String? = nil) -> Activity {
        Activity(type: "org.example.Guide.page", title: title, contentIdentifier: content)
    }

    /// Completes activities with given values, and counts the calls.
    private final class Saver: ActivityDelegate {
        let saved = Mutex(0)

        func save(_ activity: inout Activity) async {
            saved.withLock { $0 += 1 }
            activity.payload = [4, 1]
            activity.keywords = []
        }
    }

    @Test(
        "Activities the app releases stay current, up to a limit"
    )
    func held() async throws {
        try await withActivityAgent { scene in
            try await scene.withApp { app in
                let activities = try await AppActivities(on: app.agent)
                weak var dropped: AppActivity?
                do {
                    let page = AppActivity(Self.page("first"), in: activities)
                    try await page.becomeCurrent()
                    dropped = page
                }
                #expect(dropped != nil)
                #expect(try await app.agent.currentActivity()?.activity.title == "first")
                // More than the agent keeps of an app.
                for number in 0..<40 {
                    try await AppActivity(Self.page("page \(number)"), in: activities).becomeCurrent()
                }
                #expect(dropped == nil)
                let titles = try await app.agent.recentActivities(limit: 200).map(\.activity.title)
                #expect(titles == (23..<40).reversed().map { "page \($0)" })
            }
        }
    }

    @Test("An activity can become current again, resign and end")
    func turns() async throws {
        try await withActivityAgent { scene in
            try await scene.withApp { app in
                let activities = try await AppActivities(on: app.agent)
                let first = AppActivity(Self.page("first"), in: activities)
                let second = AppActivity(Self.page("second"), in: activities)
                try await first.becomeCurrent()
                let id = try await app.agent.currentActivity()?.id
                try await second.becomeCurrent()
                try await first.becomeCurrent()
                #expect(try await app.agent.currentActivity()?.id == id)
                try await first.resign()
                #expect(try await app.agent.currentActivity() == nil)
                try await first.update { $0.title = "renamed" }
                #expect(try await app.agent.recentActivities().map(\.activity.title) == ["renamed", "second"])
                try await first.invalidate()
                try await first.update { $0.title = "again" }
                #expect(try await app.agent.recentActivities().map(\.activity.title) == ["second"])
                try await first.becomeCurrent()
                #expect(try await app.agent.currentActivity()?.activity.title == "again")
            }
        }
    }

    @Test("An update replaces all fields; a refused one changes nothing")
    func changes() async throws {
        try await withActivityAgent { scene in
            try await scene.withApp { app in
                let activities = try await AppActivities(on: app.agent)
                var whole = Self.page("page", content: "content")
                whole.keywords = ["a", "b"]
                whole.payload = [1, 2, 3]
                whole.webPageURL = "https://example.org"
                whole.place = MapItem(name: "Oodi", coordinate: try Coordinate(latitude: 60.17, longitude: 24.94))
                whole.group = "group"
                whole.expiry = Date(timeIntervalSince1970: 4_102_444_800)
                let page = AppActivity(whole, in: activities)
                try await page.becomeCurrent()
                #expect(try await app.agent.currentActivity()?.activity == whole)
                try await page.update {
                    $0 = Activity(
                        type: $0.type, title: "bare", isEligibleForSearch: true, isEligibleForSuggestion: false)
                }
                let bare = try await app.agent.currentActivity()?.activity
                #expect(bare == page.activity && bare?.keywords == [] && bare?.place == nil && bare?.expiry == nil)

                let refusal = await #expect(throws: DBusError.self) {
                    try await page.update { $0.payload = Array(repeating: 0, count: 65_537) }
                }
                #expect(refusal?.name == .limitsExceeded && refusal?.message.contains("65536") == true)
                #expect(page.activity.payload.isEmpty)
                let nameless = AppActivity(Self.page(""), in: activities)
                let other = await #expect(throws: DBusError.self) { try await nameless.becomeCurrent() }
                #expect(other?.name == .invalidInput)
                #expect(try await app.agent.currentActivity()?.activity.title == "bare")
            }
        }
    }

    @Test("Only the agent can ask the delegate to save, once per change")
    func saving() async throws {
        try await withActivityAgent { scene in
            try await scene.withApp { app in
                let activities = try await AppActivities(on: app.agent)
                let saver = Saver()
                var activity = Self.page("page")
                activity.keywords = ["gone"]
                let page = AppActivity(activity, in: activities, delegate: saver)
                try await page.becomeCurrent()
                #expect(try await app.agent.currentActivity()?.activity.payload == [])
                #expect(saver.saved.withLock { $0 } == 0)
                try await page.setNeedsSave()
                let shown = try #require(try await app.agent.currentActivity()?.activity)
                #expect(shown.payload == [4, 1] && shown.keywords == [] && !shown.needsSave)
                #expect(page.activity == shown)
                _ = try await app.agent.currentActivity()
                #expect(saver.saved.withLock { $0 } == 1)

                let name = try #require(await app.connection.uniqueName)
                let stranger = try await scene.withApp { other in
                    try await other.refusal { other in
                        let _: VariantMap = try await other.connection.call(
                            name, "/org/hunch/ActivityDelegate1", "org.hunch.ActivityDelegate1", "Save",
                            "/org/hunch/Activity1/x" as ObjectPath)
                    }
                }
                #expect(stranger?.name == .accessDenied)
                #expect(saver.saved.withLock { $0 } == 1)
            }
        }
    }

    @Test("An agent that starts later learns the current activity")
    func restarts() async throws {
        try await withTemporaryHome { home in
            try prepareEnabled(home)
            try await withPrivateBus { bus in
                try await withClient(of: bus) { app in
                    let activities = try await AppActivities(on: app)
                    let page = AppActivity(Self.page("page"), in: activities)
                    let absence = await #expect(throws: DBusError.self) { try await page.becomeCurrent() }
                    #expect(absence?.name == .serviceUnknown)
                    for title in ["changed", "again"] {
                        try await page.update { $0.title = title }
                        try await withActivityAgent(on: bus, in: home, configure: Self.everybodyIsTheGuide) { scene in
                            try await eventually("\(title) being current", because: "what apps show is not announced") {
                                try await scene.current()["title"] == .string(title) ? () : nil
                            }
                        }
                    }
                    try await page.resign()
                    try await withActivityAgent(on: bus, in: home, configure: Self.everybodyIsTheGuide) { scene in
                        let other = AppActivity(Self.page("other"), in: activities)
                        try await other.becomeCurrent()
                        #expect(try await scene.recent() == ["other"])
                    }
                }
            }
        }
    }

    /// The apps of the test's connections cannot be known before they connect.
    private static func everybodyIsTheGuide(_ configuration: inout AgentConfiguration) {
        let identify = configuration.identify
        configuration.identify = { call in
            guard call.interface == "org.hunch.Activities1", call.member == "BecomeCurrent" else {
                return try await identify(call)
            }
            return CallerIdentity(
                name: call.sender, application: ActivityScene.guide.rawValue, confinement: .unsandboxed)
        }
    }

    @Test("The agent's request continues the app's activity")
    func continuing() async throws {
        try await withActivityAgent { scene in
            try scene.rig.installApp(
                ActivityScene.guide, "DBusActivatable=true\nImplements=org.hunch.ContinueActivity1;")
            try await scene.withApp { app in
                let activities = try await AppActivities(on: app.agent)
                let continued = Watched<[Activity]>([])
                try await activities.serveContinuation(of: ActivityScene.guide) { state in
                    guard state.platformData["answer"] == .int32(41) else { throw BenchError("no platform data") }
                    continued.update { $0.append(state.activity) }
                }
                var activity = Activity(type: "org.example.Guide.page", title: "page", contentIdentifier: "content")
                activity.userInfo = ["line": "41", "zoom": "“2”"]
                try await AppActivity(activity, in: activities).becomeCurrent()
                let id = try #require(try await app.agent.recentActivities().first?.id)
                let method = try await app.agent.continueActivity(id, platformData: ["answer": .int32(41)])
                #expect(method == "activity")
                #expect(continued.state == [activity])
                #expect(continued.state.first?.userInfo == ["line": "41", "zoom": "“2”"])

                let unknown = await #expect(throws: DBusError.self) { try await app.agent.continueActivity("none") }
                #expect(unknown?.name == .notFound)
                let again = await #expect(throws: DBusError.self) {
                    try await activities.serveContinuation(of: ActivityScene.guide) { _ in }
                }
                #expect(again?.name == .objectPathInUse)
                try await scene.withApp { other in
                    let taken = await #expect(throws: DBusError.self) {
                        try await AppActivities(on: other.agent).serveContinuation(of: ActivityScene.guide) { _ in }
                    }
                    #expect(taken?.name == .failed)
                    let stranger = try await other.refusal { other in
                        let () = try await other.connection.call(
                            try BusName(ActivityScene.guide.rawValue), "/org/example/Guide",
                            "org.hunch.ContinueActivity1",
                            "Continue", ActivityApp.activity("page"), VariantMap())
                    }
                    #expect(stranger?.name == .accessDenied)
                }
            }
        }
    }

    @Test("An app whose name another connection of its process has serves under a name below it")
    func nameOfToolkit() async throws {
        try await withActivityAgent { scene in
            let name = try BusName("\(ActivityScene.guide).Hunch")
            try scene.rig.installApp(
                ActivityScene.guide,
                "DBusActivatable=true\nImplements=org.hunch.ContinueActivity1;\nX-Hunch-BusName=\(name)")
            try await scene.withApp { toolkit in
                #expect(
                    try await toolkit.connection.requestName(BusName(ActivityScene.guide.rawValue)) == .owner)
                try await scene.withApp { app in
                    let activities = try await AppActivities(on: app.agent)
                    let taken = await #expect(throws: DBusError.self) {
                        try await activities.serveContinuation(of: ActivityScene.guide) { _ in }
                    }
                    #expect(taken?.message.contains("X-Hunch-BusName=\(name)") == true)
                    let foreign = await #expect(throws: DBusError.self) {
                        try await activities.serveContinuation(of: ActivityScene.guide, as: "org.example.Other") { _ in
                        }
                    }
                    #expect(foreign?.name == .invalidArgs)
                    let continued = Watched<[String]>([])
                    try await activities.serveContinuation(of: ActivityScene.guide, as: name) { state in
                        continued.update { $0.append(state.activity.title) }
                    }
                    let page = Activity(type: "org.example.Guide.page", title: "page", contentIdentifier: "content")
                    try await AppActivity(page, in: activities).becomeCurrent()
                    let id = try #require(try await app.agent.recentActivities().first?.id)
                    #expect(try await app.agent.continueActivity(id) == "activity")
                    #expect(continued.state == ["page"])
                }
            }
        }
    }
}

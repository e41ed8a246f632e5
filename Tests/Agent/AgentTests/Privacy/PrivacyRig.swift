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

/// Strings that are in every table and cache before something is forgotten.
enum Planted {
    /// 2025-06-02 09:30:00 UTC, a Monday.
    static let now = Date(timeIntervalSince1970: 1_748_856_600)
    static let keptApp: AppID = "org.example.KeepRow"
    static let keptDevice: AudioDevice.ID = "KE:EP:RO:W0"

    /// A store with rows for each scope of forgetting, whose texts all contain its word, and with other rows.
    static func store(in home: TemporaryHome, now: Date = now) throws -> HistoryStore {
        let path = try HistoryStore.defaultPath(environment: home.environment)
        try home.directory.write("damaged LeaveCopy", to: "state/hunch/history.sqlite.corrupt-20250601T000000")
        try home.directory.write("damaged LeaveCopy log", to: "state/hunch/history.sqlite.corrupt-20250601T000000-wal")
        try home.directory.write("picture LeaveCopy", to: "cache/hunch/artwork/1-2.png")
        try home.directory.write("half a LeaveCopy", to: "cache/hunch/artwork/.3-4.png.99")
        try home.directory.write("answer LeaveCopy", to: "cache/hunch/geocode/answers.jsonl")
        let store = try HistoryStore.open(at: path, now: now).store
        try store.setEnabled(true)
        try add("KeepRow", now, to: store)
        try add("LeaveApp", now, application: "org.example.LeaveApp", to: store)
        try add("LeaveDevice", now, device: "LeaveDevice", to: store)
        try add("LeaveKind", now, kind: Donation.Kind(rawValue: "org.example.LeaveKind"), to: store)
        try add("LeaveTime", now, age: 60, to: store)
        // Media is not searched for places, so only the other rows of these are removed.
        try store.record(
            donation("LeavePlace", now, kind: .getDirections, place: ["name": "Café LeavePlace"]), now: now)
        try store.record(
            donation("LeaveSpot", now, kind: .getDirections, place: ["latitude": "52.51630", "longitude": "13.3777"]),
            now: now)
        // Each app has one list.
        try announce("KeepRow", now, place: nil, of: keptApp, to: store)
        try announce("LeaveApp", now, place: nil, of: "org.example.LeaveApp", to: store)
        try announce(
            "LeaveSpot", now, place: Coordinate(latitude: 52.5163, longitude: 13.3777), of: "org.example.Spot",
            to: store)
        try see("KeepRow", now, to: store)
        try see("LeaveApp", now, application: "org.example.LeaveApp", to: store)
        try see("LeaveTime", now, age: 60, to: store)
        try see("LeavePlace", now, place: MapItem(name: "Café LeavePlace"), to: store)
        try see(
            "LeaveSpot", now, place: MapItem(coordinate: try Coordinate(latitude: 52.5163, longitude: 13.3777)),
            to: store)
        // Another app that was suggested because of this app's activity.
        let seen = Context(trigger: .activity("org.example.LeaveApp"))
        let shown = now.addingTimeInterval(-86_400)
        try store.record(
            Engagement(
                suggestion: "sSeen", application: keptApp, kind: .directions, outcome: .shown, date: shown,
                context: seen,
                item: SuggestedItem(
                    title: "To LeaveApp", application: "org.example.LeaveApp", parameters: ["name": "LeaveApp"])),
            now: now)
        try store.mute(MutedPair(trigger: seen.trigger, application: keptApp, date: shown))
        try store.setScript("KeepScript", isAllowed: true, now: now)
        return store
    }

    /// Adds a place where the user stays and a play there, which are forgotten together.
    static func addStay(to store: HistoryStore, now: Date = now) throws {
        try store.setCategory(.location, isAllowed: true)
        let begin = now.addingTimeInterval(-86_400)
        let place = KnownPlace(
            number: 1, coordinate: try Coordinate(latitude: 47.37, longitude: 8.54), word: "LeaveStay", date: begin)
        let stay = Stay(place: 1, begin: begin, end: begin.addingTimeInterval(3_600))
        guard try store.record([place], staying: stay, now: now).isRecorded else {
            throw BenchError("the stay was refused")
        }
        var played = donation("KeepRow", now)
        (played.context.further, played.identifier) = (["place": "LeaveStay"], nil)
        try store.record(played, now: now)
    }

    private static func donation(
        _ word: String, _ now: Date, application: AppID = keptApp, device: AudioDevice.ID = keptDevice,
        kind: Donation.Kind = .playMedia,
        age: Double = 86_400, place: [String: String] = [:]
    ) -> Donation {
        Donation(
            application: application, kind: kind, parameters: ["item": "song \(word)"].merging(place) { $1 },
            date: now.addingTimeInterval(-age),
            context: Context(
                trigger: Trigger("device:\(device)"), device: device, hour: 9, weekday: 2,
                further: ["mood": "mood of \(word)"]),
            identifier: "id-\(word)", group: "group-\(word)")
    }

    private static func add(
        _ word: String, _ now: Date, application: AppID = keptApp, device: AudioDevice.ID = keptDevice,
        kind: Donation.Kind = .playMedia,
        age: Double = 86_400, to store: HistoryStore
    ) throws {
        let item = donation(word, now, application: application, device: device, kind: kind, age: age)
        try store.record(item, now: now)
        try store.record(
            Engagement(
                suggestion: "s\(word)", application: application,
                kind: Suggestion.Kind(kind), outcome: .shown, date: item.date,
                context: item.context,
                item: SuggestedItem(title: "offer of \(word)", application: application, parameters: item.parameters)),
            now: now)
        if kind != .playMedia { return }
        // There is one row for each device and app, so the row that is forgotten by its time belongs to another app.
        let holder = word == "LeaveTime" ? "org.example.LeaveTime" : application
        try store.remember(
            ResumePoint(
                device: device, application: holder, item: "item-\(word)",
                info: NowPlayingInfo(title: "title \(word)", contentURL: "file:///\(word).ogg"),
                pausedByDisconnect: false, date: item.date), now: now)
        try store.mute(MutedPair(trigger: Trigger("device:\(device)"), application: holder, date: item.date))
    }

    private static func see(
        _ word: String, _ now: Date, application: AppID = keptApp, age: Double = 86_400,
        place: MapItem = MapItem(name: "bar"), to store: HistoryStore
    ) throws {
        try store.remember(
            SeenPlace(
                application: application, place: place, content: "content \(word)", related: "related \(word)",
                group: "group \(word)", date: now.addingTimeInterval(-age)), now: now)
    }

    private static func announce(
        _ word: String, _ now: Date, place: Coordinate?, of application: AppID, to store: HistoryStore
    ) throws {
        let item = Announcement(item: "next \(word)", title: "soon \(word)", place: place)
        try store.announce([item], in: .relevant, of: application, now: now.addingTimeInterval(-86_400))
    }

    /// Returns which of the words are in which files below the home.
    static func found(_ words: [String], in home: TemporaryHome) throws -> [String: [String]] {
        var found: [String: [String]] = [:]
        for file in try files(below: home.directory.path) {
            guard let data = try contents(of: file) else { continue }
            for word in words where data.firstRange(of: Data(word.utf8)) != nil {
                found[word, default: []].append(file)
            }
        }
        return found
    }

    /// Returns the bytes of a file; `nil` if SQLite has removed it, and so holds nothing.
    private static func contents(of file: String) throws -> Data? {
        // SQLite may remove a log and make a new one between a read that fails and the look whether the file is there.
        for _ in 0..<10 {
            if let data = FileManager.default.contents(atPath: file) { return data }
            if !FileManager.default.fileExists(atPath: file) { return nil }
        }
        throw BenchError("\(file) cannot be read")
    }

    private static func files(below folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).flatMap { name -> [String] in
            let path = folder + "/" + name
            let kind = try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
            if kind == .typeDirectory { return try files(below: path) }
            return kind == .typeRegular ? [path] : []
        }
    }
}

extension AgentRig {
    /// Returns a property of `org.hunch.Privacy1`.
    nonisolated(nonsending) func privacy<Value: DBusRepresentable>(_ property: MemberName) async throws -> Value {
        try await root.property(HunchNames.privacy, property)
    }
}

/// Runs an agent for which the test and `hunch` act for the user, unless configured otherwise.
nonisolated(nonsending) func withPrivacyAgent(
    on bus: PrivateBus, in home: TemporaryHome, caller: CallerIdentity? = nil, isPerson: Bool = true,
    now: @escaping @Sendable () -> Date = { Planted.now }, exportPatience: Duration = .seconds(60),
    _ body: nonisolated(nonsending) (AgentRig) async throws -> Void
) async throws {
    let commands = try ["/proc/self/exe", builtProduct("hunch")]
    try await withAgentInside(
        on: bus, in: home,
        configure: {
            $0.now = now
            $0.commands = isPerson ? commands : []
            $0.exportPatience = exportPatience
            if let caller { $0.identify = { _ in caller } }
        }, body)
}

/// The same with its own bus and home.
nonisolated(nonsending) func withPrivacyAgent(
    caller: CallerIdentity? = nil, isPerson: Bool = true, now: @escaping @Sendable () -> Date = { Planted.now },
    prepare: (TemporaryHome) throws -> Void = { _ in },
    _ body: nonisolated(nonsending) (AgentRig) async throws -> Void
) async throws {
    try await withTemporaryHome { home in
        try prepare(home)
        try await withPrivateBus { bus in
            try await withPrivacyAgent(on: bus, in: home, caller: caller, isPerson: isPerson, now: now, body)
        }
    }
}

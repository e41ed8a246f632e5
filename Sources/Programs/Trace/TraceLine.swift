internal import Players
internal import FoundationEssentials
internal import History
internal import HunchDBus
internal import HunchModel
internal import Media
internal import Surfaces
internal import Triggers

/// A line of a trace: a JSON object with a time, a source, and an observation. Unknown keys are ignored.
struct TraceLine: Sendable {
    enum Entry: Sendable {
        /// The settings of the replay.
        case head(TraceHead)
        case observe(TriggerObservation)
        case player(BusName, VariantMap, processes: [UInt32]?)
        case playerGone(BusName)
        /// The content that a running app would prepare; `nil` if the app does not run.
        case content(AppID, TracedContent?)
        case remembered(ResumePoint, secondsAgo: Double)
        /// An announcement list of an app, which replaces the previous one.
        case announced(AppID, Announcement.List, [Announcement])
        case policy(AudioDevice.ID, DevicePolicy)
        case person(PersonAct)
        case key(CardPress.Request, CardPress.Origin)
        /// Only time passes.
        case wait
        /// A source unknown to this version.
        case unknown(String)
    }

    /// An action of the user on a suggestion.
    enum PersonAct: Sendable {
        case accept
        case dismiss(reason: String)
    }

    /// The maximum duration of a trace in seconds: ten years.
    private static let longest = 315_360_000.0

    /// The time since the start of the trace.
    let time: Duration
    let entry: Entry

    /// Reads a line.
    ///
    /// - Throws: ``TraceError``.
    init(_ text: String) throws(TraceError) {
        guard let values = try? JSONDecoder().decode([String: TraceValue].self, from: Data(text.utf8)) else {
            throw TraceError("it is not a JSON object as {\"t\": 1.5, \"source\": \"bluez\", \"event\": \"gone\"}")
        }
        let fields = TraceFields(values)
        if let version = try fields.integer("trace") {
            guard version == TraceHead.version else {
                throw TraceError("it has version \(version); this program reads version \(TraceHead.version)")
            }
            time = .zero
            entry = .head(try TraceHead(fields))
            return
        }
        guard let seconds = try fields.number("t"), (0...Self.longest).contains(seconds) else {
            throw TraceError("“t” is missing, seconds since the start, 0 to \(Int(clamping: Self.longest))")
        }
        // Whole microseconds, so that tenths of a second stay exact.
        time = .microseconds(Int64(clamping: seconds * 1_000_000))
        entry = try Self.entry(try fields.requiredText("source"), fields)
    }

    private static func entry(_ source: String, _ fields: TraceFields) throws(TraceError) -> Entry {
        if let observation = try TriggerObservation(source: source, fields) { return .observe(observation) }
        switch source {
        case "player":
            let text = try fields.requiredText("name")
            guard let name = try? BusName(text), text.hasPrefix(MPRIS.namespace + ".") else {
                throw TraceError("“name” must be a bus name below \(MPRIS.namespace)")
            }
            guard try fields.word("event", of: ["changed", "gone"]) == "changed" else { return .playerGone(name) }
            return .player(
                name, try PlayerProperties.read(try fields.object("properties") ?? TraceFields([:])),
                processes: try fields.processes())
        case "content":
            let application = AppID(try fields.requiredText("application"))
            let event = try fields.word("event", of: ["running", "failing", "gone"])
            if event == "gone" { return .content(application, nil) }
            let content = TracedContent(
                name: try fields.text("name") ?? application.rawValue, info: try info(fields), fails: event == "failing"
            )
            return .content(application, content)
        case "remembered":
            guard let info = try info(fields) else { throw TraceError("“title” is missing, a text") }
            return .remembered(
                ResumePoint(
                    device: AudioDevice.ID(try fields.requiredText("device")),
                    application: AppID(try fields.requiredText("application")),
                    item: info.item, info: info, pausedByDisconnect: try fields.boolean("interrupted") ?? false,
                    date: .distantPast),
                secondsAgo: min(max(try fields.number("ago") ?? 3_600, 0), Self.longest))
        case "announced":
            let word = try fields.word("event", of: Announcement.List.allCases.map(\.rawValue))
            var items: [Announcement] = []
            for item in try fields.objects("items") { items.append(try Announcement(item)) }
            return .announced(
                AppID(try fields.requiredText("application")), Announcement.List(rawValue: word) ?? .upcoming, items)
        case "policy":
            var policy = DevicePolicy()
            policy.suggests = try fields.boolean("suggest") ?? policy.suggests
            policy.resumes = try fields.boolean("resume") ?? policy.resumes
            policy.pauses = try fields.boolean("pause") ?? policy.pauses
            return .policy(AudioDevice.ID(try fields.requiredText("device")), policy)
        case "person":
            let event = try fields.word("event", of: ["accept", "dismiss", "never"])
            if event == "accept" { return .person(.accept) }
            return .person(.dismiss(reason: event == "never" ? "never" : try fields.text("reason") ?? "closed"))
        case "key":
            let word = try fields.word("request", of: CardPress.Request.allCases.map(\.rawValue))
            guard let request = CardPress.Request(rawValue: word) else { return .wait }
            return .key(request, try fields.boolean("screen") ?? false ? .screen : .key)
        case "wait": return .wait
        default: return .unknown(source)
        }
    }

    /// Reads an item: `title` and other metadata.
    private static func info(_ fields: TraceFields) throws(TraceError) -> NowPlayingInfo? {
        guard let title = try fields.text("title"), !title.isEmpty else { return nil }
        let position = try fields.number("position").map {
            Int64(clamping: min(max($0, 0), 1e9) * 1_000_000, .towardZero)
        }
        return NowPlayingInfo(
            title: title, artists: try fields.texts("artists") ?? [], contentURL: try fields.text("url"),
            position: position, item: try fields.text("item"))
    }
}

/// The optional first line of a trace, with the settings of the replay.
struct TraceHead: Sendable {
    static let version: Int64 = 1
    /// A Monday at noon, UTC, so that replays of a trace without a date are equal.
    static let usualBegin = 1_767_614_400.0

    /// The beginning of the trace.
    var begin = Date(timeIntervalSince1970: usualBegin)
    var timing = GateTiming()

    init() {}

    init(_ fields: TraceFields) throws(TraceError) {
        if let seconds = try fields.number("begin") {
            guard (0...4_102_444_800).contains(seconds) else {
                throw TraceError("“begin” must be seconds since 1970, before 2100")
            }
            begin = Date(timeIntervalSince1970: seconds)
        }
        if let settle = try Self.duration("settle", fields) { timing.settle = settle }
        if let rejoin = try Self.duration("rejoin", fields) { timing.rejoin = rejoin }
        if let displaySleep = try Self.duration("displaySleep", fields) { timing.displaySleep = displaySleep }
        if let warmUp = try Self.duration("warmUp", fields) { timing.warmUp = warmUp }
    }

    private static func duration(_ key: String, _ fields: TraceFields) throws(TraceError) -> Duration? {
        guard let seconds = try fields.number(key) else { return nil }
        guard (0...3_600).contains(seconds) else { throw TraceError("“\(key)” must be seconds, 0 to 3600") }
        return .microseconds(Int64(clamping: seconds * 1_000_000))
    }

    /// Returns the first line of a recording.
    static func fields(begin: Date) -> [String: TraceValue] {
        ["trace": .integer(version), "begin": .number(begin.timeIntervalSince1970.rounded())]
    }
}

/// An app with playable content in a trace.
struct TracedContent: Sendable {
    let name: String
    /// The item that it prepares; `nil` for the stored one.
    let info: NowPlayingInfo?
    /// Whether preparing fails.
    let fails: Bool
}

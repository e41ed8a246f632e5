internal import HunchDBus
internal import HunchModel
private import Localization

/// The state of what a part of the agent watches or has: a row of `hunch status`, of `hunch doctor` and of the window.
public struct PartReport: BusValue {
    /// Whether a part works.
    public enum Level: String, Sendable {
        /// It works.
        case ok
        /// It is switched off, not allowed, starting or empty, without a fault.
        case off
        /// It works with limits, or not at all.
        case limited
    }

    /// The name of the part, such as `audio`.
    public var id = ""
    /// The title in words.
    public var title = ""
    /// The state as a code, such as `watching`. The text after a colon is a detail.
    public var state = ""
    /// The state in words.
    public var text = ""
    /// The number of what it watches or has, such as appointments.
    public var count: UInt32?
    /// The shell command that helps.
    public var remedy: String?
    private var levelName = Level.ok.rawValue

    /// Whether it works.
    public var level: Level { Level(rawValue: levelName) ?? .limited }

    /// Creates a value with the defaults of all keys.
    public init() {}

    /// Creates a report.
    ///
    /// - Parameters:
    ///   - state: the state as a code. `off` means that Hunch watches nothing.
    ///   - text: the state in words; `nil` for the usual words of the code.
    ///   - count: the number of what the part watches or has.
    ///   - remedy: the shell command that helps.
    public init(
        _ id: String, _ title: String, state: String, _ text: String? = nil, _ level: Level = .ok,
        count: Int? = nil, remedy: String? = nil
    ) {
        (self.id, self.title, self.state, self.remedy) = (id, title, state, remedy)
        self.count = count.map { UInt32(clamping: $0) }
        self.text = text ?? Self.words(for: state)
        levelName = (Self.isIdle(state) ? .off : level).rawValue
    }

    /// Returns the report of the same part in another state.
    public func changed(to state: String) -> PartReport { PartReport(id, title, state: state) }

    private static func isIdle(_ state: String) -> Bool { ["off", "starting", "not allowed"].contains(state) }

    /// Returns the words for a state. The text after a colon is a detail.
    private static func words(for state: String) -> String {
        let parts = state.split(separator: ":", maxSplits: 1)
        let words =
            switch parts.first ?? "" {
            case "off": localized("not watched while Hunch is off or paused")
            case "starting": localized("starting")
            case "watching": localized("watching")
            case "absent": localized("not available")
            case "unreachable": localized("unreachable")
            case "searching": localized("searching")
            default: parts.first.map(String.init) ?? state
            }
        return parts.count > 1 ? "\(words):\(parts[1])" : words
    }

    /// The keys.
    public static let keys: [BusKey<Self>] = [
        .key("part", \.id), .key("title", \.title), .key("state", \.state), .key("text", \.text),
        .key("level", \.levelName), .key("count", \.count), .key("remedy", \.remedy),
    ]
}

extension AgentStatus {
    /// Returns the report of a part; `nil` if there is none.
    public func part(_ id: String) -> PartReport? { parts.first { $0.id == id } }
}

/// Something that happened and may be worth a suggestion.
///
/// ``description`` is the text of the trigger on the bus, in the history and in traces. Only this file knows these
/// texts.
public enum Trigger: Hashable, Sendable {
    /// A device became ready: `device:ID`.
    case device(AudioDevice.ID)
    /// The user came to the computer: `login`, `unlock` or `resume`.
    case session(SessionEvent)
    /// The user arrived at a place where they stay: `arrive:` and the label of the place, such as `home` or `place-1`.
    case arrival(String)
    /// The user left such a place: `leave:` and the label.
    case departure(String)
    /// The position of the user changed: `arrive`, without a label.
    case move
    /// The user launched an app: `launch`.
    case launch
    /// An app had something on the screen: `activity:` and the desktop identifier of the app, without `.desktop`.
    case activity(AppID)
    /// An appointment of the user is near: `appointment`.
    case appointment
    /// Any other text, such as one from a log or from a newer version.
    case other(String)
}

extension Trigger {
    /// Whether its text says all of it, so that it can be simulated, and taken up again after a restart.
    public var isPlain: Bool {
        switch self {
        case .session: true
        case .arrival(let place), .departure(let place): !place.isEmpty && place.utf8.count <= 128
        case .device, .move, .launch, .activity, .appointment, .other: false
        }
    }

    /// The texts of the plain triggers, for messages.
    public static let plainTexts = SessionEvent.allCases.map(\.rawValue) + ["arrive:PLACE", "leave:PLACE"]

    /// The place where the user arrived or that they left; `nil` for others.
    public var place: String? {
        switch self {
        case .arrival(let place), .departure(let place): place
        default: nil
        }
    }

    /// The kind, of which ``TriggerLog`` keeps the last one.
    var kind: String {
        switch self {
        case .device, .launch, .appointment, .other: description
        case .session: "session"
        case .arrival, .departure, .move: "place"
        case .activity: "activity"
        }
    }
}

extension Trigger: LosslessStringConvertible {
    /// Reads the text of a trigger. A text that is not known becomes ``other(_:)``.
    public init(_ description: String) {
        if let event = SessionEvent(rawValue: description) {
            self = .session(event)
            return
        }
        let parts = description.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let name = parts.count == 2 ? String(parts[1]) : nil
        switch (parts.first, name) {
        case ("device", let name?): self = .device(AudioDevice.ID(name))
        case ("arrive", let name?): self = .arrival(name)
        case ("leave", let name?): self = .departure(name)
        case ("activity", let name?): self = .activity(AppID(name))
        case ("arrive", nil): self = .move
        case ("launch", nil): self = .launch
        case ("appointment", nil): self = .appointment
        default: self = .other(description)
        }
    }

    /// The text of the trigger.
    public var description: String {
        switch self {
        case .device(let identifier): "device:\(identifier)"
        case .session(let event): event.rawValue
        case .arrival(let place): "arrive:" + place
        case .departure(let place): "leave:" + place
        case .move: "arrive"
        case .launch: "launch"
        case .appointment: "appointment"
        case .activity(let application): "activity:\(application)"
        case .other(let text): text
        }
    }
}

/// Coded as the text of the trigger.
extension Trigger: Codable {
    /// Reads the text of a trigger.
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(String.self))
    }

    /// Writes the text of the trigger.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

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
    /// The first part of a text. The rest, after a colon, is the detail.
    fileprivate enum Name: String, CaseIterable {
        case device, login, unlock, resume, arrive, leave, activity, launch, appointment
    }

    /// The name; `nil` for other texts.
    private var name: Name? {
        switch self {
        case .device: .device
        case .session(let event): Name(rawValue: event.rawValue)
        case .arrival, .move: .arrive
        case .departure: .leave
        case .activity: .activity
        case .launch: .launch
        case .appointment: .appointment
        case .other: nil
        }
    }

    /// Whether its text says all of it, so that it can be simulated, and taken up again after a restart.
    public var isPlain: Bool {
        switch self {
        case .session: true
        case .arrival(let place), .departure(let place): !place.isEmpty && place.utf8.count <= 128
        case .device, .move, .launch, .activity, .appointment, .other: false
        }
    }

    /// The texts of the plain triggers, for messages.
    public static let plainTexts = Name.allCases.compactMap { name in
        [name.rawValue, name.rawValue + ":PLACE"].first { Trigger($0).isPlain }
    }

    /// The place where the user arrived or that they left; `nil` for others.
    public var place: String? {
        switch self {
        case .arrival(let place), .departure(let place): place
        default: nil
        }
    }

    /// Whether it says where the user is.
    public var isOfPlace: Bool { self == .move || place != nil }

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
        let parts = description.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let detail = parts.count == 2 ? String(parts[1]) : nil
        self = parts.first.flatMap { Name(rawValue: String($0)) }?.trigger(detail) ?? .other(description)
    }

    /// The text of the trigger.
    public var description: String {
        switch self {
        case .device(let identifier): "device:\(identifier)"
        case .arrival(let place): "arrive:" + place
        case .departure(let place): "leave:" + place
        case .activity(let application): "activity:\(application)"
        case .other(let text): text
        case .session, .move, .launch, .appointment: name?.rawValue ?? ""
        }
    }
}

extension Trigger.Name {
    /// Returns the trigger with a detail; `nil` if there is none with such a detail.
    fileprivate func trigger(_ detail: String?) -> Trigger? {
        switch self {
        case .device: detail.map { .device(AudioDevice.ID($0)) }
        case .activity: detail.map { .activity(AppID($0)) }
        case .arrive: detail.map { .arrival($0) } ?? .move
        case .leave: detail.map { .departure($0) }
        case .login, .unlock, .resume: detail == nil ? SessionEvent(rawValue: rawValue).map { .session($0) } : nil
        case .launch: detail == nil ? .launch : nil
        case .appointment: detail == nil ? .appointment : nil
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

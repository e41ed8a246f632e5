/// The circumstances of an action or of a suggestion. An absent value is unknown or does not apply.
public struct Context: Hashable, Sendable {
    /// What happened just before: `device:ID`, `unlock`, …
    public var trigger: String?
    /// Identifier of the audio device in use.
    public var device: String?
    /// Hour of the day in the person's time zone, 0…23.
    public var hour: Int?
    /// Day of the week, 1 (Sunday) … 7 (Saturday).
    public var weekday: Int?
    /// What else is known, by name, as `power`: `battery`. A history keeps at most 8 of them, with names of at most
    /// 32 bytes of UTF-8 and values of at most 128.
    public var further: [String: String]

    /// Makes a context.
    public init(
        trigger: String? = nil, device: String? = nil, hour: Int? = nil, weekday: Int? = nil,
        further: [String: String] = [:]
    ) {
        self.trigger = trigger
        self.device = device
        self.hour = hour
        self.weekday = weekday
        self.further = further
    }
}

extension Context {
    /// The trigger of what is offered because of what an app had on the screen.
    ///
    /// - Parameter application: desktop identifier of the app, without `.desktop`.
    public static func activityTrigger(of application: String) -> String { activityPrefix + application }

    /// The app of such a trigger; `nil` for another one.
    public static func application(ofActivityTrigger trigger: String) -> String? {
        trigger.hasPrefix(activityPrefix) ? String(trigger.dropFirst(activityPrefix.count)) : nil
    }

    /// The trigger of what is done when a device got ready, and of what is played on it.
    public static func readyTrigger(of device: AudioDevice.ID) -> String { "device:" + device }

    /// The trigger of what is done on arriving at a place where the person stays, by its word: `home`, `work`, `place-1`.
    public static func arrivalTrigger(at place: String) -> String { arrivalPrefix + place }

    /// The place of such a trigger; `nil` for another one.
    public static func place(ofArrivalTrigger trigger: String) -> String? {
        trigger.hasPrefix(arrivalPrefix) ? String(trigger.dropFirst(arrivalPrefix.count)) : nil
    }

    /// The trigger of what is done on leaving such a place.
    public static func departureTrigger(from place: String) -> String { departurePrefix + place }

    /// The place of such a trigger; `nil` for another one.
    public static func place(ofDepartureTrigger trigger: String) -> String? {
        trigger.hasPrefix(departurePrefix) ? String(trigger.dropFirst(departurePrefix.count)) : nil
    }

    private static let activityPrefix = "activity:"
    private static let arrivalPrefix = "arrive:"
    private static let departurePrefix = "leave:"
}

/// As an object with the names of the properties as keys; without `further` when there is nothing else.
extension Context: Codable {
    private enum CodingKeys: String, CodingKey { case trigger, device, hour, weekday, further }

    /// Reads a context. Absent keys are absent values.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            trigger: try container.decodeIfPresent(String.self, forKey: .trigger),
            device: try container.decodeIfPresent(String.self, forKey: .device),
            hour: try container.decodeIfPresent(Int.self, forKey: .hour),
            weekday: try container.decodeIfPresent(Int.self, forKey: .weekday),
            further: try container.decodeIfPresent([String: String].self, forKey: .further) ?? [:])
    }

    /// Writes a context.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(trigger, forKey: .trigger)
        try container.encodeIfPresent(device, forKey: .device)
        try container.encodeIfPresent(hour, forKey: .hour)
        try container.encodeIfPresent(weekday, forKey: .weekday)
        if !further.isEmpty { try container.encode(further, forKey: .further) }
    }
}

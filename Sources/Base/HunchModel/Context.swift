/// The circumstances of an action or a suggestion. A `nil` value is unknown or does not apply.
public struct Context: Hashable, Sendable {
    /// The trigger that happened just before.
    public var trigger: Trigger?
    /// Identifier of the audio device in use.
    public var device: AudioDevice.ID?
    /// Hour of the day in the user's time zone, 0…23.
    public var hour: Int?
    /// Day of the week, 1 (Sunday) … 7 (Saturday).
    public var weekday: Int?
    /// Further circumstances by name, such as `power`: `battery`. The history keeps at most 8, with names of at most
    /// 32 bytes of UTF-8 and values of at most 128.
    public var further: [String: String]

    /// Creates a context.
    public init(
        trigger: Trigger? = nil, device: AudioDevice.ID? = nil, hour: Int? = nil, weekday: Int? = nil,
        further: [String: String] = [:]
    ) {
        self.trigger = trigger
        self.device = device
        self.hour = hour
        self.weekday = weekday
        self.further = further
    }
}

/// Coded as an object with the properties as keys. `nil` values and an empty `further` are omitted.
extension Context: Codable {
    private enum CodingKeys: String, CodingKey { case trigger, device, hour, weekday, further }

    /// Reads a context. Absent keys are absent values.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            trigger: try container.decodeIfPresent(Trigger.self, forKey: .trigger),
            device: try container.decodeIfPresent(AudioDevice.ID.self, forKey: .device),
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

public import HunchModel

/// What holds when something is done or to be predicted. What is absent is unknown: it is no value and teaches nothing.
public struct Circumstances: Hashable, Sendable {
    /// What happened just before: a device connected, the session was unlocked.
    public var trigger: Trigger?
    /// Values by name: hour, weekday, device, place, …. The first eight names that a learner meets count, in
    /// alphabetical order where they come together.
    public var values: [String: String]

    /// Makes circumstances.
    public init(trigger: Trigger? = nil, values: [String: String] = [:]) {
        self.trigger = trigger
        self.values = values
    }

    /// The hour of the day, 0…23; `nil` where it is not told.
    var hour: Int? { values["hour"].flatMap { Int($0) }.flatMap { (0..<24).contains($0) ? $0 : nil } }

    /// The circumstances that a context holds, by the names `device`, `hour` and `weekday` and those of what else is known.
    public init(_ context: Context) {
        self.init(trigger: context.trigger, values: context.further)
        values["device"] = context.device
        values["hour"] = context.hour.map { "\($0)" }
        values["weekday"] = context.weekday.map { "\($0)" }
    }
}

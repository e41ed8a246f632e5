public import HunchModel

/// The trigger and context values of an action or a prediction. An absent value is unknown and teaches nothing.
public struct Circumstances: Hashable, Sendable {
    /// The trigger that came just before, such as connecting a device or unlocking the session.
    public var trigger: Trigger?
    /// The values by name: hour, weekday, device, place, …. A learner uses the first eight names that it sees. Names
    /// that first appear together are taken in alphabetical order.
    public var values: [String: String]

    /// Creates circumstances.
    public init(trigger: Trigger? = nil, values: [String: String] = [:]) {
        self.trigger = trigger
        self.values = values
    }

    /// The hour of the day, 0…23; `nil` if unknown.
    var hour: Int? { values["hour"].flatMap { Int($0) }.flatMap { (0..<24).contains($0) ? $0 : nil } }

    /// Creates the circumstances of a context: `device`, `hour`, `weekday` and its further values.
    public init(_ context: Context) {
        self.init(trigger: context.trigger, values: context.further)
        values["device"] = context.device?.rawValue
        values["hour"] = context.hour.map { "\($0)" }
        values["weekday"] = context.weekday.map { "\($0)" }
    }
}

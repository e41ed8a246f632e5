internal import HunchModel
internal import Triggers

/// An outcome of a replay.
public struct TraceOutcome: Hashable, Sendable {
    /// The time in seconds since the start of the trace.
    public let time: Double
    /// The name of the event, such as `ready` or `offered`.
    public let event: String
    /// A note for people, on one line.
    public let text: String
    let details: [String: TraceValue]

    init(_ time: Duration, _ event: String, _ text: String, _ details: [String: TraceValue] = [:]) {
        self.time = time / .seconds(1)
        self.event = event
        self.text = text
        self.details = details
    }

    /// A line for people: time, event and subject.
    public var line: String {
        let milliseconds = Int(clamping: time * 1_000)
        let fraction = "\(1_000 + milliseconds % 1_000)".dropFirst()
        let instant = "\(milliseconds / 1_000).\(fraction)"
        let padding = { (text: String, width: Int) in String(repeating: " ", count: max(0, width - text.count)) }
        return "\(padding(instant, 9))\(instant)  \(event)\(padding(event, 11)) \(text)"
    }
}

extension TraceOutcome: Encodable {
    /// Encodes an object with `t`, `event`, `text`, and the event's own keys.
    public func encode(to encoder: any Encoder) throws {
        let own: [String: TraceValue] = ["t": .number(time), "event": .text(event), "text": .text(text)]
        try TraceValue.object(details.merging(own) { $1 }).encode(to: encoder)
    }
}

extension AudioDevice {
    var traceValue: TraceValue {
        .object([
            "id": .text(id.rawValue), "name": .text(name), "kind": .text(kind.rawValue),
            "transport": .text(transport.rawValue),
        ])
    }
}

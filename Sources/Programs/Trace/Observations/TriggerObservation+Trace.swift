package import Triggers
internal import HunchModel

extension TriggerObservation {
    /// The names of the sources in a trace.
    private enum Source: String {
        case blueZ = "bluez"
        case audio, session, location
        case unit = "app"
        case power
    }

    private var source: Source {
        switch self {
        case .blueZ: .blueZ
        case .audio: .audio
        case .session: .session
        case .location: .location
        case .unit: .unit
        case .power: .power
        }
    }

    /// Reads a line of a trace.
    ///
    /// - Returns: `nil` if the source is not one of the triggers' sources.
    /// - Throws: ``TraceError``.
    package init?(source: String, _ fields: TraceFields) throws(TraceError) {
        guard let source = Source(rawValue: source) else { return nil }
        switch source {
        case .blueZ: self = .blueZ(try BlueZObservation(fields))
        case .audio: self = .audio(try AudioObservation(fields))
        case .session:
            let words = SessionEvent.allCases.map(\.rawValue)
            guard let event = SessionEvent(rawValue: try fields.word("event", of: words)) else { return nil }
            self = .session(event)
        case .location: self = .location(try LocationState(fields))
        case .unit:
            let event = try fields.word("event", of: ["began", "ended"])
            self = .unit(try fields.requiredText("unit"), began: event == "began")
        case .power:
            let word = try fields.word("event", of: PowerSource.allCases.map(\.rawValue) + ["unknown"])
            self = .power(PowerSource(rawValue: word))
        }
    }

    /// The line of a trace without its time: `source`, `event`, and the source's own keys.
    package var fields: [String: TraceValue] {
        let own: [String: TraceValue] =
            switch self {
            case .blueZ(let observation): observation.fields
            case .audio(let observation): observation.fields
            case .session(let event): ["event": .text(event.rawValue)]
            case .location(let state): state.fields
            case .unit(let unit, let began): ["event": .text(began ? "began" : "ended"), "unit": .text(unit)]
            case .power(let source): ["event": .text(source?.rawValue ?? "unknown")]
            }
        return own.merging(["source": .text(source.rawValue)]) { $1 }
    }
}

extension LocationState {
    init(_ fields: TraceFields) throws(TraceError) {
        switch try fields.word("event", of: ["at", "searching", "absent", "waiting", "denied"]) {
        case "at":
            guard let latitude = try fields.number("latitude"), let longitude = try fields.number("longitude"),
                let coordinate = try? Coordinate(latitude: latitude, longitude: longitude)
            else { throw TraceError("“latitude” and “longitude” must be degrees, −90…90 and −180…180") }
            let accuracy = try fields.number("accuracy") ?? 0
            guard accuracy >= 0 else { throw TraceError("“accuracy” must be metres, not negative") }
            self = .at(Position(coordinate: coordinate, accuracy: accuracy))
        case "absent": self = .absent
        case "waiting": self = .waitingForAgent
        case "denied": self = .denied(try fields.text("reason") ?? "")
        default: self = .searching
        }
    }

    var fields: [String: TraceValue] {
        switch self {
        case .at(let position):
            var fields: [String: TraceValue] = [
                "event": .text("at"), "latitude": .number(position.coordinate.latitude),
                "longitude": .number(position.coordinate.longitude),
            ]
            if position.accuracy.isFinite { fields["accuracy"] = .number(position.accuracy) }
            return fields
        case .searching: return ["event": .text("searching")]
        case .absent: return ["event": .text("absent")]
        case .waitingForAgent: return ["event": .text("waiting")]
        case .denied(let reason): return ["event": .text("denied"), "reason": .text(reason)]
        }
    }
}

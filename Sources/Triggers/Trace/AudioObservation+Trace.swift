internal import HunchModel

/// Conversion of the sinks to and from JSON: names, the properties in ``AudioOutput/keys``, and ports.
extension AudioObservation {
    init(_ fields: TraceFields) throws(TraceError) {
        guard try fields.word("event", of: ["state", "unreachable"]) == "state" else {
            state = .unreachable(try fields.text("reason") ?? "")
            return
        }
        var outputs: [AudioOutput] = []
        for sink in try fields.objects("sinks").prefix(AudioOutput.limit) { outputs.append(try AudioOutput(sink)) }
        state = .present(AudioOutput.mark(default: try fields.text("default") ?? "", in: outputs))
    }

    var fields: [String: TraceValue] {
        guard case .present(let outputs) = state else {
            guard case .unreachable(let reason) = state else { return [:] }
            return ["event": .text("unreachable"), "reason": .text(reason)]
        }
        // The traced default is the first sink of the filter chain, into which no other default sink plays.
        let chain = outputs.filter(\.isDefault)
        let passedOn = Set(chain.compactMap { $0.properties["device.master_device"] })
        let first = chain.first { !passedOn.contains($0.name) } ?? chain.first
        var fields: [String: TraceValue] = ["event": .text("state"), "sinks": .list(outputs.map(\.traceValue))]
        fields["default"] = first.map { .text($0.name) }
        return fields
    }
}

extension AudioOutput {
    fileprivate init(_ fields: TraceFields) throws(TraceError) {
        let name = try fields.requiredText("name")
        self.init(name: name, description: try fields.text("description") ?? name)
        if let given = try fields.object("properties") {
            for key in Self.keys { properties[key] = try given.text(key) }
        }
        for port in try fields.objects("ports").prefix(Self.limit) { ports.append(try AudioPort(port)) }
    }

    fileprivate var traceValue: TraceValue {
        .object([
            "name": .text(name), "description": .text(description),
            "properties": .object(properties.mapValues(TraceValue.text)), "ports": .list(ports.map(\.traceValue)),
        ])
    }
}

extension AudioPort {
    /// The words for libpulse's `pa_device_port_type_t`, in its order (`pulse/def.h`).
    private static let types = [
        "unknown", "aux", "speaker", "headphones", "line", "mic", "headset", "handset", "earpiece", "spdif", "hdmi",
        "tv", "radio", "video", "usb", "bluetooth", "portable", "handsfree", "car", "hifi", "phone", "network",
        "analog",
    ]
    private static let availabilities: [(word: String, value: Availability)] = [
        ("yes", .yes), ("no", .no), ("unknown", .unknown),
    ]

    fileprivate init(_ fields: TraceFields) throws(TraceError) {
        let name = try fields.requiredText("name")
        self.init(name: name, description: try fields.text("description") ?? name)
        if case .integer(let number)? = fields.values["type"], let type = UInt32(exactly: number) {
            self.type = type
        } else if fields.values["type"] != nil {
            type = UInt32(Self.types.firstIndex(of: try fields.word("type", of: Self.types)) ?? 0)
        }
        if fields.values["available"] != nil {
            let word = try fields.word("available", of: Self.availabilities.map(\.word))
            availability = Self.availabilities.first { $0.word == word }?.value ?? .unknown
        }
        isActive = try fields.boolean("active") ?? false
    }

    fileprivate var traceValue: TraceValue {
        let kind = Int(type) < Self.types.count ? TraceValue.text(Self.types[Int(type)]) : .integer(Int64(type))
        let word = Self.availabilities.first { $0.value == availability }?.word ?? "unknown"
        return .object([
            "name": .text(name), "description": .text(description), "type": kind, "available": .text(word),
            "active": .boolean(isActive),
        ])
    }
}

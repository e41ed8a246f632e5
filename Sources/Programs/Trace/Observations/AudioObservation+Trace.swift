internal import Triggers
internal import HunchModel

/// Conversion of the sinks and streams to and from JSON: names, the properties in ``AudioOutput/keys``, and ports.
extension AudioObservation {
    init(_ fields: TraceFields) throws(TraceError) {
        guard try fields.word("event", of: ["state", "unreachable"]) == "state" else {
            self.init(state: .unreachable(try fields.text("reason") ?? ""))
            return
        }
        var (outputs, streams): ([AudioOutput], [AudioStream]?) = ([], nil)
        for sink in try fields.objects("sinks").prefix(AudioOutput.limit) { outputs.append(try AudioOutput(sink)) }
        if fields.values["streams"] != nil {
            var read: [AudioStream] = []
            for stream in try fields.objects("streams").prefix(AudioStream.limit) {
                read.append(try AudioStream(stream))
            }
            streams = read
        }
        let sinks = AudioOutput.mark(default: try fields.text("default") ?? "", in: outputs, streams: streams)
        self.init(state: .present(sinks), streams: streams)
    }

    var fields: [String: TraceValue] {
        guard case .present(let outputs) = state else {
            guard case .unreachable(let reason) = state else { return [:] }
            return ["event": .text("unreachable"), "reason": .text(reason)]
        }
        let first = AudioOutput.defaultSink(of: outputs, streams: streams)
        var fields: [String: TraceValue] = ["event": .text("state"), "sinks": .list(outputs.map(\.traceValue))]
        fields["default"] = first.map { .text($0.name) }
        fields["streams"] = streams.map { .list($0.map(\.traceValue)) }
        return fields
    }
}

extension AudioStream {
    fileprivate init(_ fields: TraceFields) throws(TraceError) {
        self.init()
        sink = try fields.text("sink") ?? ""
        processes = try fields.processes() ?? []
        application = try fields.text("application")?.lowercased()
        names = try fields.texts("names")?.map { $0.lowercased() } ?? []
        isMuted = try fields.boolean("muted") ?? false
        isSounding = try fields.boolean("sounding") ?? !isMuted
        groups = Set(try fields.texts("groups") ?? [])
    }

    fileprivate var traceValue: TraceValue {
        var fields: [String: TraceValue] = [
            "sink": .text(sink), "processes": .list(processes.map { .integer(Int64($0)) }),
            "names": .list(names.map(TraceValue.text)), "sounding": .boolean(isSounding),
            "groups": .list(groups.sorted().map(TraceValue.text)),
        ]
        fields["application"] = application.map(TraceValue.text)
        if isMuted { fields["muted"] = .boolean(true) }
        return .object(fields)
    }
}

extension AudioOutput {
    fileprivate init(_ fields: TraceFields) throws(TraceError) {
        let name = try fields.requiredText("name")
        self.init(name: name, description: try fields.text("description") ?? name)
        if let given = try fields.object("properties") {
            for key in Self.keys { properties[key] = try given.text(key) }
        }
        groups = Set(try fields.texts("groups") ?? [])
        isJoystick = try fields.boolean("joystick") ?? false
        for port in try fields.objects("ports").prefix(Self.limit) { ports.append(try AudioPort(port)) }
    }

    fileprivate var traceValue: TraceValue {
        .object([
            "name": .text(name), "description": .text(description),
            "properties": .object(properties.mapValues(TraceValue.text)), "ports": .list(ports.map(\.traceValue)),
            "groups": .list(groups.sorted().map(TraceValue.text)), "joystick": .boolean(isJoystick),
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

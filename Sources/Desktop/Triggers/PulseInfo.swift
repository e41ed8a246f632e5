import CPulse
internal import HunchModel

/// Returns a libpulse string, cut to the limit; empty for NULL. Invalid UTF-8 becomes U+FFFD.
func text(_ pointer: UnsafePointer<CChar>?) -> String {
    pointer.map { String(cString: $0).cut(to: AudioOutput.textLimit) } ?? ""
}

/// Returns the values of some keys of a property list.
func text(_ keys: [String], of list: OpaquePointer?) -> [String: String] {
    var properties: [String: String] = [:]
    guard let list else { return properties }
    // NULL: the list lacks this key, or its value is not text.
    for key in keys { if let value = pa_proplist_gets(list, key) { properties[key] = text(value) } }
    return properties
}

/// A sink with the numbers that the server uses for it.
struct PulseSink {
    let index: UInt32
    let card: UInt32
    /// The source that records what the sink plays.
    let monitor: UInt32
    let output: AudioOutput

    init(_ sink: pa_sink_info) {
        (index, card, monitor) = (sink.index, sink.card, sink.monitor_source)
        output = AudioOutput(sink)
    }
}

/// A sink input with the numbers that the server uses for it.
struct PulseInput {
    /// The number of nothing: libpulse's `PA_INVALID_INDEX`.
    static let none = UInt32.max

    let sink: UInt32
    let client: UInt32
    let isCorked: Bool
    let isMuted: Bool
    let groups: Set<String>
    let properties: [String: String]

    init(_ input: pa_sink_input_info) {
        (sink, client) = (input.sink, input.client)
        var volume = input.volume
        // PA_VOLUME_MUTED is 0.
        isMuted = input.mute != 0 || input.has_volume != 0 && pa_cvolume_channels_equal_to(&volume, 0) != 0
        isCorked = input.corked != 0
        // All programs play through the module that speaks the protocol. Only a filter has a module of its own.
        groups = Self.groups(input.proplist, module: input.client == Self.none ? input.owner_module : Self.none)
        properties = text(AudioStream.keys, of: input.proplist)
    }

    /// Returns the groups of a sink, a stream or a recording; see ``AudioOutput/groups``.
    static func groups(_ list: OpaquePointer?, module: UInt32) -> Set<String> {
        var groups = Set(text(["node.link-group"], of: list).values)
        if module != none { groups.insert("module \(module)") }
        return groups
    }
}

/// The properties of a sound card that its sinks may lack.
struct PulseCard {
    let name: String
    let properties: [String: String]
    /// The occupied sockets.
    let sockets: [AudioPort]
    /// The names of the plugged devices, such as a monitor's (`device.product.name`), by port name.
    let products: [String: String]

    init(_ card: pa_card_info) {
        name = text(card.name)
        properties = text(AudioOutput.keys, of: card.proplist)
        var products: [String: String] = [:]
        var sockets: [AudioPort] = []
        for index in 0..<min(Int(card.n_ports), AudioOutput.limit) {
            guard let info = card.ports?[index]?.pointee else { continue }
            var port = AudioPort(
                name: text(info.name), description: text(info.description), type: info.type,
                availability: AudioPort.Availability(info.available))
            if let list = info.proplist, let product = pa_proplist_gets(list, "device.product.name") {
                products[port.name] = text(product)
                if let name = products[port.name], !name.isEmpty { port.description = name }
            }
            let isOutput = UInt32(bitPattern: info.direction) & PA_DIRECTION_OUTPUT.rawValue != 0
            if isOutput, port.isSocket, port.availability == .yes { sockets.append(port) }
        }
        self.products = products
        self.sockets = sockets
    }

    /// Returns an output for the occupied sockets without a sink, as while another profile of the card is active.
    ///
    /// - Parameter sinks: the card's sinks.
    /// - Returns: an output with the card's name; `nil` if every occupied socket has a sink.
    func withoutSink(beside sinks: [AudioOutput]) -> AudioOutput? {
        let played = Set(sinks.flatMap { $0.ports.map(\.name) })
        let rest = sockets.filter { !played.contains($0.name) }
        // For other sound systems, the names that they give to a card's sinks are unknown.
        guard name.hasPrefix("alsa_card."), !rest.isEmpty else { return nil }
        return AudioOutput(name: name, description: name, properties: properties, ports: rest)
    }
}

extension AudioPort.Availability {
    /// - Parameter number: libpulse's `pa_port_available_t`.
    fileprivate init(_ number: Int32) {
        self =
            switch UInt32(bitPattern: number) {
            case PA_PORT_AVAILABLE_YES.rawValue: .yes
            case PA_PORT_AVAILABLE_NO.rawValue: .no
            default: .unknown
            }
    }
}

extension AudioOutput {
    init(_ sink: pa_sink_info) {
        self.init(name: text(sink.name), description: text(sink.description))
        properties = text(Self.keys, of: sink.proplist)
        groups = PulseInput.groups(sink.proplist, module: sink.owner_module)
        for index in 0..<min(Int(sink.n_ports), Self.limit) {
            guard let pointer = sink.ports?[index] else { continue }
            let port = pointer.pointee
            ports.append(
                AudioPort(
                    name: text(port.name), description: text(port.description), type: port.type,
                    availability: AudioPort.Availability(port.available), isActive: pointer == sink.active_port))
        }
    }

    func with(_ card: PulseCard) -> AudioOutput {
        var output = self
        output.properties.merge(card.properties) { own, _ in own }
        for index in ports.indices {
            if let product = card.products[ports[index].name], !product.isEmpty {
                output.ports[index].description = product
            }
        }
        return output
    }
}

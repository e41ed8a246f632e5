import CPulse
import EventLoops
import HunchDBus
internal import HunchModel

/// A single connection to an audio server, until it fails. It reads the sinks and follows their changes.
///
/// Confined to the loop's thread. ``close()`` must be called at the end.
final class PulseSession {
    enum Event: Sendable {
        /// The current sinks, and whether the server is PipeWire's.
        case outputs([AudioOutput], ofPipeWire: Bool)
        /// The connection failed or ended, and no further event follows. The text is the reason.
        case ended(String)
    }

    /// The pause after a change before the sinks are read. Changes come in bursts: one plug causes three to six.
    static let debounce = Duration.milliseconds(30)

    private let mainloop: PulseMainloop
    private let deliver: (Event) -> Void
    private var context: OpaquePointer?
    private var timer: LoopTimer?
    private var isReading = false
    private var isStale = false
    private var reading = Reading()

    /// The answers received so far in the current round of requests.
    private struct Reading {
        var defaultName = ""
        var serverName = ""
        var outputs: [(card: UInt32, output: AudioOutput)] = []
        var cards: [UInt32: PulseCard] = [:]
    }

    init(on loop: EventLoop, deliver: @escaping (Event) -> Void) {
        mainloop = PulseMainloop(on: loop)
        self.deliver = deliver
    }

    /// Starts connecting. It never starts a server.
    ///
    /// - Parameter server: libpulse's server string; `nil` to use libpulse's configuration.
    func connect(to server: String?) {
        // NULL: out of memory; no context exists.
        guard let context = pa_context_new(mainloop.api, "Hunch") else { return deliver(.ended("out of memory")) }
        self.context = context
        let session = Unmanaged.passUnretained(self).toOpaque()
        pa_context_set_state_callback(context, { _, session in PulseSession.of(session)?.stateChanged() }, session)
        pa_context_set_subscribe_callback(
            context, { _, _, _, session in PulseSession.of(session)?.changed() }, session)
        // Negative: connecting failed at once. The state callback has already reported it, or will never be called.
        if pa_context_connect(context, server, PA_CONTEXT_NOAUTOSPAWN, nil) < 0 { end() }
    }

    /// Closes the connection. Nothing is delivered afterwards.
    func close() {
        if let timer { mainloop.loop.cancel(timer) }
        timer = nil
        guard let context else { return }
        self.context = nil
        pa_context_set_state_callback(context, nil, nil)
        pa_context_set_subscribe_callback(context, nil, nil)
        pa_context_disconnect(context)
        pa_context_unref(context)
    }

    private static func of(_ pointer: UnsafeMutableRawPointer?) -> PulseSession? {
        pointer.map { Unmanaged<PulseSession>.fromOpaque($0).takeUnretainedValue() }
    }

    private func stateChanged() {
        guard let context else { return }
        switch pa_context_get_state(context) {
        case PA_CONTEXT_READY:
            let mask =
                PA_SUBSCRIPTION_MASK_SINK.rawValue | PA_SUBSCRIPTION_MASK_CARD.rawValue
                | PA_SUBSCRIPTION_MASK_SERVER.rawValue
            // NULL: the connection has failed, which the state callback reports.
            release(pa_context_subscribe(context, pa_subscription_mask_t(rawValue: mask), nil, nil))
            read()
        case PA_CONTEXT_FAILED, PA_CONTEXT_TERMINATED: end()
        default: break
        }
    }

    private func end() {
        guard let context else { return }
        let reason = pa_strerror(pa_context_errno(context)).map { String(cString: $0) } ?? "it failed"
        close()
        deliver(.ended(reason))
    }

    private func changed() {
        isStale = true
        guard !isReading, timer == nil else { return }
        timer = mainloop.loop.schedule(after: Self.debounce) { [weak self] in
            self?.timer = nil
            self?.read()
        }
    }

    // MARK: Reading

    /// Requests everything. The answers arrive in the order of the requests.
    private func read() {
        guard let context, !isReading else { return }
        isReading = true
        isStale = false
        reading = Reading()
        let session = Unmanaged.passUnretained(self).toOpaque()
        // NULL: the connection has failed, which the state callback reports.
        release(
            pa_context_get_server_info(
                context,
                { _, server, session in
                    guard let session = PulseSession.of(session), let server else { return }
                    session.reading.defaultName = text(server.pointee.default_sink_name)
                    session.reading.serverName = text(server.pointee.server_name)
                }, session))
        release(
            pa_context_get_sink_info_list(
                context,
                { _, sink, end, session in
                    guard let session = PulseSession.of(session), end == 0, let sink,
                        session.reading.outputs.count < AudioOutput.limit
                    else { return }
                    session.reading.outputs.append((sink.pointee.card, AudioOutput(sink.pointee)))
                }, session))
        release(
            pa_context_get_card_info_list(
                context,
                { _, card, end, session in
                    guard let session = PulseSession.of(session) else { return }
                    // Positive: end of the list. Negative: the server denies access to its cards.
                    if end != 0 { return session.finishReading() }
                    guard let card, session.reading.cards.count < AudioOutput.limit else { return }
                    session.reading.cards[card.pointee.index] = PulseCard(card.pointee)
                }, session))
    }

    private func finishReading() {
        isReading = false
        var outputs = reading.outputs.map { card, output in reading.cards[card].map(output.with) ?? output }
        for (index, card) in reading.cards.sorted(by: { $0.key < $1.key }) {
            let sinks = reading.outputs.filter { $0.card == index }.map(\.output)
            if let rest = card.withoutSink(beside: sinks) { outputs.append(rest) }
        }
        // PipeWire's server name is “PulseAudio (on PipeWire 1.4.2)”.
        deliver(
            .outputs(
                AudioOutput.mark(default: reading.defaultName, in: outputs),
                ofPipeWire: reading.serverName.contains("PipeWire")))
        if isStale { changed() }
    }

    private func release(_ operation: OpaquePointer?) {
        // Releasing an operation does not cancel it.
        if let operation { pa_operation_unref(operation) }
    }
}

/// Returns a libpulse string, cut to the limit; empty for NULL. Invalid UTF-8 becomes U+FFFD.
private func text(_ pointer: UnsafePointer<CChar>?) -> String {
    pointer.map { String(cString: $0).cut(to: AudioOutput.textLimit) } ?? ""
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
        properties = AudioOutput.properties(from: card.proplist)
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
        properties = Self.properties(from: sink.proplist)
        for index in 0..<min(Int(sink.n_ports), Self.limit) {
            guard let pointer = sink.ports?[index] else { continue }
            let port = pointer.pointee
            ports.append(
                AudioPort(
                    name: text(port.name), description: text(port.description), type: port.type,
                    availability: AudioPort.Availability(port.available), isActive: pointer == sink.active_port))
        }
    }

    static func properties(from list: OpaquePointer?) -> [String: String] {
        var properties: [String: String] = [:]
        guard let list else { return properties }
        // NULL: the list lacks this key, or its value is not text.
        for key in keys { if let value = pa_proplist_gets(list, key) { properties[key] = text(value) } }
        return properties
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

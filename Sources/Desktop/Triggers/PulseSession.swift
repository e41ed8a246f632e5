import CPulse
import EventLoops
import HunchDBus
internal import HunchModel

/// A single connection to an audio server, until it fails. It reads the sinks and streams, and follows their changes.
///
/// Confined to the loop's thread. ``close()`` must be called at the end.
final class PulseSession {
    /// The pause after a change before the sinks are read. Changes come in bursts: one plug causes three to six.
    static let debounce = Duration.milliseconds(30)
    /// The time after which the sinks are read once more if the default is a filter or none of them. PipeWire connects a filter
    /// elsewhere, and may set the default, a moment after a sink came or went, and reports nothing then.
    static let secondLook = Duration.seconds(1)

    private let mainloop: PulseMainloop
    /// Receives the sinks and streams. The last observation says why the server is unreachable.
    private let deliver: (AudioObservation) -> Void
    private var context: OpaquePointer?
    private var timer: LoopTimer?
    private var isReading = false
    private var isStale = false
    /// Whether a change was read only once.
    private var needsSecondLook = true
    private var reading = Reading()
    private var joysticks = JoystickFinder()

    /// The answers received so far in the current round of requests.
    private struct Reading {
        var defaultName = ""
        var serverName = ""
        var outputs: [PulseSink] = []
        var cards: [UInt32: PulseCard] = [:]
        var inputs: [PulseInput] = []
        /// The properties of the clients that play streams.
        var clients: [UInt32: [String: String]] = [:]
        /// Whether the server lists its streams.
        var listsStreams = false
        /// The groups of the filters that record a source, by the source's number.
        var recordings: [UInt32: Set<String>] = [:]
    }

    init(on loop: EventLoop, deliver: @escaping (AudioObservation) -> Void) {
        mainloop = PulseMainloop(on: loop)
        self.deliver = deliver
    }

    /// Starts connecting. It never starts a server.
    ///
    /// - Parameter server: libpulse's server string; `nil` to use libpulse's configuration.
    func connect(to server: String?) {
        // NULL: out of memory; no context exists.
        guard let context = pa_context_new(mainloop.api, "Hunch") else {
            return deliver(AudioObservation(state: .unreachable("out of memory")))
        }
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
                | PA_SUBSCRIPTION_MASK_SERVER.rawValue | PA_SUBSCRIPTION_MASK_SINK_INPUT.rawValue
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
        deliver(AudioObservation(state: .unreachable(reason)))
    }

    private func changed() {
        isStale = true
        guard !isReading, timer == nil || !needsSecondLook else { return }
        needsSecondLook = true
        read(after: Self.debounce)
    }

    private func read(after pause: Duration) {
        if let timer { mainloop.loop.cancel(timer) }
        timer = mainloop.loop.schedule(after: pause) { [weak self] in
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
                    session.reading.outputs.append(PulseSink(sink.pointee))
                }, session))
        readStreams(context, session)
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

    /// Requests the streams, the clients that play them, and the recordings of sinks.
    private func readStreams(_ context: OpaquePointer, _ session: UnsafeMutableRawPointer) {
        release(
            pa_context_get_sink_input_info_list(
                context,
                { _, input, end, session in
                    guard let session = PulseSession.of(session) else { return }
                    // Positive: end of the list. Negative: the server denies access to its streams.
                    if end != 0 { session.reading.listsStreams = end > 0 }
                    guard end == 0, let input, session.reading.inputs.count < AudioStream.limit else { return }
                    session.reading.inputs.append(PulseInput(input.pointee))
                }, session))
        release(
            pa_context_get_client_info_list(
                context,
                { _, client, end, session in
                    guard let session = PulseSession.of(session), end == 0, let client,
                        session.reading.inputs.contains(where: { $0.client == client.pointee.index })
                    else { return }
                    let properties = text(AudioStream.keys, of: client.pointee.proplist)
                    session.reading.clients[client.pointee.index] = properties
                }, session))
        release(
            pa_context_get_source_output_info_list(
                context,
                { _, recording, end, session in
                    guard let session = PulseSession.of(session), end == 0, let recording = recording?.pointee,
                        session.reading.recordings.count < AudioStream.limit
                    else { return }
                    let module = recording.client == PulseInput.none ? recording.owner_module : PulseInput.none
                    let groups = PulseInput.groups(recording.proplist, module: module)
                    if !groups.isEmpty { session.reading.recordings[recording.source, default: []].formUnion(groups) }
                }, session))
    }

    private func finishReading() {
        isReading = false
        var outputs = reading.outputs.map { sink in
            var output = reading.cards[sink.card].map(sink.output.with) ?? sink.output
            output.groups.formUnion(reading.recordings[sink.monitor] ?? [])
            return output
        }
        let names = Dictionary(reading.outputs.map { ($0.index, $0.output.name) }) { first, _ in first }
        for (index, card) in reading.cards.sorted(by: { $0.key < $1.key }) {
            let sinks = reading.outputs.filter { $0.card == index }.map(\.output)
            if let rest = card.withoutSink(beside: sinks) { outputs.append(rest) }
        }
        let streams =
            reading.listsStreams
            ? reading.inputs.map { input in
                AudioStream(
                    sink: names[input.sink] ?? "", isCorked: input.isCorked, isMuted: input.isMuted,
                    groups: input.groups,
                    input.properties.merging(reading.clients[input.client] ?? [:]) { own, _ in own })
            } : nil
        outputs = AudioOutput.mark(default: reading.defaultName, in: joysticks.mark(outputs), streams: streams)
        // PipeWire's server name is “PulseAudio (on PipeWire 1.4.2)”.
        deliver(
            AudioObservation(
                state: .present(outputs), streams: streams, isPipeWire: reading.serverName.contains("PipeWire")))
        if isStale { return changed() }
        guard needsSecondLook, AudioOutput.mayChangeUnreported(outputs) else { return }
        needsSecondLook = false
        read(after: Self.secondLook)
    }

    private func release(_ operation: OpaquePointer?) {
        // Releasing an operation does not cancel it.
        if let operation { pa_operation_unref(operation) }
    }
}

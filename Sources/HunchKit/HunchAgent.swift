public import AgentInterface
public import HunchDBus

/// The agent, as another program of the same session sees it.
///
///     let agent = try await HunchAgent(on: loop)
///     try await agent.enable()
///
/// A call starts the agent when it does not run, unless it says otherwise. Every method throws `DBusError`: with the
/// name `…ServiceUnknown` when the agent is not installed, `…NoReply` when it runs and does not answer within
/// ``answerTime``, or within ``workTime`` where it has something to do.
public struct HunchAgent: Sendable {
    /// How long the agent may take to tell what it knows. It waits itself for others, two seconds at most.
    public static let answerTime = Duration.seconds(5)
    /// How long the agent may take to look places up, or to begin or end its watch.
    public static let workTime = Duration.seconds(15)
    /// How long the agent may take to open an app and have it play, longer than it allows itself.
    public static let launchTime = Duration.seconds(60)

    /// The connection to the session bus.
    public let connection: Connection
    private let root: Proxy

    /// Connects to the session bus.
    ///
    /// - Parameter loop: a running loop.
    /// - Throws: `DBusError` with the name `…NoServer` when there is no session bus.
    public init(on loop: EventLoop, address: BusAddress? = nil) async throws {
        connection = try await Connection.open(address ?? .session(), on: loop)
        root = Proxy(connection, HunchNames.agent, HunchNames.root)
    }

    /// Whether the agent runs now. Starts nothing.
    public func isRunning() async throws -> Bool {
        try await connection.owner(of: HunchNames.agent) != nil
    }

    /// Whether the session bus can start the agent.
    public func isInstalled() async throws -> Bool {
        try await connection.activatableNames().contains(HunchNames.agent)
    }

    /// Starts the agent where it does not run; so that starting, which may take long, is told from not answering.
    ///
    /// - Throws: `DBusError` with the name `…ServiceUnknown` when it is not installed.
    public func start() async throws {
        guard try await !isRunning() else { return }
        let _: UInt32 = try await connection.call(
            .bus, .bus, .bus, "StartServiceByName", HunchNames.agent.text, UInt32(0))
    }

    // MARK: The agent as a whole

    /// Switches Hunch on: from now on it watches, records and suggests.
    public func enable() async throws {
        try await start()
        let () = try await root.call(HunchNames.agentInterface, "Enable", timeout: Self.workTime)
    }

    /// Switches Hunch off. What was recorded stays.
    public func disable() async throws {
        try await start()
        let () = try await root.call(HunchNames.agentInterface, "Disable", timeout: Self.workTime)
    }

    /// What is watched and what is missing; the keys are those of `org.hunch.Agent1.Status`.
    public func status() async throws -> VariantMap {
        try await start()
        return try await root.call(HunchNames.agentInterface, "Status", timeout: Self.answerTime)
    }

    // MARK: Media

    /// The media players that run; the keys are those of `org.hunch.Media1.Players`.
    public func players() async throws -> [VariantMap] {
        try await start()
        return try await root.call(HunchNames.media, "Players", timeout: Self.answerTime)
    }

    /// The outputs that a person puts on, plugs in or gets into; the keys are those of `org.hunch.Media1.Devices`.
    public func devices() async throws -> [VariantMap] {
        try await start()
        return try await root.call(HunchNames.media, "Devices", timeout: Self.answerTime)
    }

    /// Changes what the person wants of a device; the keys are those of `org.hunch.Media1.SetDevicePolicy`.
    public func setDevicePolicy(_ policy: VariantMap, of device: String) async throws {
        try await start()
        let () = try await root.call(
            HunchNames.media, "SetDevicePolicy", device, policy, timeout: Self.answerTime)
    }

    /// What would be offered if a device became ready now, or the person came to the computer; the keys are those of
    /// `org.hunch.Media1.Simulate`.
    public func simulate(_ trigger: VariantMap) async throws -> [VariantMap] {
        try await start()
        return try await root.call(HunchNames.media, "Simulate", trigger, timeout: Self.answerTime)
    }

    // MARK: Suggestions

    /// What is offered now. Starts nothing: when the agent does not run, nothing is offered.
    public func suggestions() async throws -> [OfferedSuggestion] {
        guard try await isRunning() else { return [] }
        let objects: [ObjectPath: [String: VariantMap]] = try await root.call(
            .objectManager, "GetManagedObjects", timeout: Self.answerTime, startsService: false)
        return try objects.sorted { $0.key < $1.key }.compactMap { path, interfaces in
            try interfaces[HunchNames.suggestion.text].map { try OfferedSuggestion(path: path, properties: $0) }
        }
    }

    /// What is offered, as it comes and goes; first what is there. Survives restarts of the agent.
    public func suggestionEvents() async throws -> ObjectTree.Events {
        try await ObjectTree(of: HunchNames.agent, at: HunchNames.root, on: connection).events()
    }

    /// Does what a suggestion offers. Starts no agent: when none runs, nothing is offered; so do the next two.
    ///
    /// - Parameters:
    ///   - activationToken: the compositor's token, handed on to the app.
    ///   - isAutomatic: whether a program picked it and not the person: then nothing is learned from it.
    public func accept(
        _ identifier: String, activationToken: String? = nil, isAutomatic: Bool = false
    ) async throws {
        var options: VariantMap = [:]
        if isAutomatic { options["automatic"] = .boolean(true) }
        options["activation-token"] = activationToken.map(Value.string)
        try await ifOffered {
            let () = try await suggestion(identifier).call(
                HunchNames.suggestion, "Accept", options, timeout: Self.launchTime, startsService: false)
        }
    }

    /// Turns a suggestion down.
    public func dismiss(_ identifier: String, reason: String = "") async throws {
        try await ifOffered {
            let () = try await suggestion(identifier).call(
                HunchNames.suggestion, "Dismiss", reason, timeout: Self.answerTime, startsService: false)
        }
    }

    /// Why something is suggested; the keys are those of `org.hunch.Suggestion1.Explain`.
    public func explain(_ identifier: String) async throws -> VariantMap {
        try await ifOffered {
            try await suggestion(identifier).call(
                HunchNames.suggestion, "Explain", timeout: Self.answerTime, startsService: false)
        }
    }

    /// Calls a suggestion; no agent means no suggestion.
    ///
    /// - Throws: `DBusError`, with the name `NotOffered` when no agent runs.
    private func ifOffered<Result>(
        _ call: nonisolated(nonsending) () async throws -> Result
    ) async throws -> Result {
        do {
            return try await call()
        } catch let error as DBusError where [.serviceUnknown, .nameHasNoOwner].contains(error.name) {
            throw DBusError(.notOffered, "no agent runs, so nothing is offered")
        }
    }

    private func suggestion(_ identifier: String) throws -> Proxy {
        Proxy(connection, HunchNames.agent, try HunchNames.suggestionPath(identifier))
    }

    // MARK: Directions

    /// The routing apps for a request; see `org.hunch.Directions1.Suggest`.
    public func suggestDirections(
        _ request: VariantMap
    ) async throws -> (resolved: VariantMap, suggestions: [ObjectPath], excluded: [VariantMap]) {
        try await start()
        let answer: (VariantMap, [ObjectPath], [VariantMap]) = try await root.call(
            HunchNames.directions, "Suggest", request, timeout: Self.workTime)
        return (answer.0, answer.1, answer.2)
    }

    /// The places that a text may mean, likeliest first; the keys are those of `org.hunch.Directions1.Geocode`.
    ///
    /// - Parameter limit: the most places, 1 to 100.
    public func geocode(_ text: String, limit: UInt32 = 10) async throws -> [VariantMap] {
        let options: VariantMap = ["limit": .uint32(limit)]
        try await start()
        return try await root.call(HunchNames.directions, "Geocode", text, options, timeout: Self.workTime)
    }

    /// The places nearest to a position, nearest first; the keys are those of `org.hunch.Directions1.ReverseGeocode`.
    ///
    /// - Parameters:
    ///   - latitude: degrees, −90 to 90.
    ///   - longitude: degrees, −180 to 180.
    ///   - limit: the most places, 1 to 100.
    public func reverseGeocode(
        latitude: Double, longitude: Double, limit: UInt32 = 1
    ) async throws -> [VariantMap] {
        let options: VariantMap = ["limit": .uint32(limit)]
        try await start()
        return try await root.call(
            HunchNames.directions, "ReverseGeocode", latitude, longitude, options, timeout: Self.workTime)
    }

    /// Every routing app that is known; the keys are those of `org.hunch.Directions1.RoutingApps`.
    public func routingApps() async throws -> [VariantMap] {
        try await start()
        return try await root.call(HunchNames.directions, "RoutingApps", timeout: Self.answerTime)
    }
}

public import AgentInterface
public import HunchDBus

/// The client of the agent for programs of the same session.
///
///     let agent = try await HunchAgent(on: loop)
///     try await agent.enable()
///
/// A call starts the agent when it does not run, unless it says otherwise. Every method throws `DBusError`: with the
/// name `…ServiceUnknown` when the agent is not installed, `…NoReply` when it runs and does not answer within
/// ``answerTime``, or within ``workTime`` where it has something to do.
public struct HunchAgent: Sendable {
    /// The time limit of calls that return what the agent knows. The agent waits for others for at most two seconds.
    public static let answerTime = Duration.seconds(5)
    /// The time limit of geocoding, and of switching the agent on or off.
    public static let workTime = Duration.seconds(15)
    /// The time limit of opening an app and starting playback; longer than the agent's own limit.
    public static let launchTime = Duration.seconds(60)

    /// The connection to the session bus.
    public let connection: Connection
    private let root: Proxy

    /// Connects to the session bus.
    ///
    /// - Parameter loop: a running loop.
    /// - Throws: `DBusError` with the name `…NoServer` if there is no session bus.
    public init(on loop: EventLoop, address: BusAddress? = nil) async throws {
        connection = try await Connection.open(address ?? .session(), on: loop)
        root = Proxy(connection, HunchNames.agent, HunchNames.root)
    }

    /// Returns whether the agent runs. Starts nothing.
    public func isRunning() async throws -> Bool {
        try await connection.owner(of: HunchNames.agent) != nil
    }

    /// Returns whether the session bus can start the agent.
    public func isInstalled() async throws -> Bool {
        try await connection.activatableNames().contains(HunchNames.agent)
    }

    /// Starts the agent if it does not run, so that a slow start is not mistaken for an agent that does not answer.
    ///
    /// - Throws: `DBusError` with the name `…ServiceUnknown` if it is not installed.
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

    /// Returns the status, with the keys of `org.hunch.Agent1.Status`.
    public func status() async throws -> VariantMap {
        try await start()
        return try await root.call(HunchNames.agentInterface, "Status", timeout: Self.answerTime)
    }

    // MARK: Media

    /// Returns the running media players, with the keys of `org.hunch.Media1.Players`.
    public func players() async throws -> [VariantMap] {
        try await start()
        return try await root.call(HunchNames.media, "Players", timeout: Self.answerTime)
    }

    /// Returns the audio devices, with the keys of `org.hunch.Media1.Devices`.
    public func devices() async throws -> [VariantMap] {
        try await start()
        return try await root.call(HunchNames.media, "Devices", timeout: Self.answerTime)
    }

    /// Changes the settings of a device, with the keys of `org.hunch.Media1.SetDevicePolicy`.
    public func setDevicePolicy(_ policy: VariantMap, of device: String) async throws {
        try await start()
        let () = try await root.call(
            HunchNames.media, "SetDevicePolicy", device, policy, timeout: Self.answerTime)
    }

    /// Returns the candidates at a trigger, with the keys of `org.hunch.Media1.Simulate`. Suggests nothing.
    public func simulate(_ trigger: VariantMap) async throws -> [VariantMap] {
        try await start()
        return try await root.call(HunchNames.media, "Simulate", trigger, timeout: Self.answerTime)
    }

    // MARK: Suggestions

    /// Returns the current suggestions. Does not start the agent; without it there are none.
    public func suggestions() async throws -> [OfferedSuggestion] {
        guard try await isRunning() else { return [] }
        let objects: [ObjectPath: [String: VariantMap]] = try await root.call(
            .objectManager, "GetManagedObjects", timeout: Self.answerTime, startsService: false)
        return try objects.sorted { $0.key < $1.key }.compactMap { path, interfaces in
            try interfaces[HunchNames.suggestion.text].map { try OfferedSuggestion(path: path, properties: $0) }
        }
    }

    /// Returns the events of suggestions, beginning with the current ones. Survives restarts of the agent.
    public func suggestionEvents() async throws -> ObjectTree.Events {
        try await ObjectTree(of: HunchNames.agent, at: HunchNames.root, on: connection).events()
    }

    /// Accepts a suggestion. Does not start the agent; without it there are no suggestions.
    ///
    /// - Parameters:
    ///   - activationToken: the compositor's token, passed on to the app.
    ///   - isAutomatic: whether a program chose it and not the person. Then nothing is learned from it.
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

    /// Returns the explanation of a suggestion, with the keys of `org.hunch.Suggestion1.Explain`.
    public func explain(_ identifier: String) async throws -> VariantMap {
        try await ifOffered {
            try await suggestion(identifier).call(
                HunchNames.suggestion, "Explain", timeout: Self.answerTime, startsService: false)
        }
    }

    /// Calls a suggestion.
    ///
    /// - Throws: `DBusError`, with the name `NotOffered` if no agent runs.
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

    /// Suggests routing apps for a request; see `org.hunch.Directions1.Suggest`.
    public func suggestDirections(
        _ request: VariantMap
    ) async throws -> (resolved: VariantMap, suggestions: [ObjectPath], excluded: [VariantMap]) {
        try await start()
        let answer: (VariantMap, [ObjectPath], [VariantMap]) = try await root.call(
            HunchNames.directions, "Suggest", request, timeout: Self.workTime)
        return (answer.0, answer.1, answer.2)
    }

    /// Returns the places that a text may mean, likeliest first, with the keys of `org.hunch.Directions1.Geocode`.
    ///
    /// - Parameter limit: the maximum number of places, 1 to 100.
    public func geocode(_ text: String, limit: UInt32 = 10) async throws -> [VariantMap] {
        let options: VariantMap = ["limit": .uint32(limit)]
        try await start()
        return try await root.call(HunchNames.directions, "Geocode", text, options, timeout: Self.workTime)
    }

    /// Returns the places nearest to a coordinate, nearest first, with the keys of
    /// `org.hunch.Directions1.ReverseGeocode`.
    ///
    /// - Parameters:
    ///   - latitude: degrees, −90 to 90.
    ///   - longitude: degrees, −180 to 180.
    ///   - limit: the maximum number of places, 1 to 100.
    public func reverseGeocode(
        latitude: Double, longitude: Double, limit: UInt32 = 1
    ) async throws -> [VariantMap] {
        let options: VariantMap = ["limit": .uint32(limit)]
        try await start()
        return try await root.call(
            HunchNames.directions, "ReverseGeocode", latitude, longitude, options, timeout: Self.workTime)
    }

    /// Returns the known routing apps, with the keys of `org.hunch.Directions1.RoutingApps`.
    public func routingApps() async throws -> [VariantMap] {
        try await start()
        return try await root.call(HunchNames.directions, "RoutingApps", timeout: Self.answerTime)
    }
}

public import AgentInterface
public import EventLoops
public import HunchDBus
public import HunchModel

/// Signals without content.
public typealias AgentChanges = AsyncCompactMapSequence<SignalStream, Void>

/// A client of the agent, for other programs of the same session.
///
///     let agent = try await HunchAgent(on: loop)
///     try await agent.enable()
///
/// Calls start the agent if it is not running, unless their documentation says otherwise. Every method throws
/// `DBusError`: `…ServiceUnknown` when the agent is not installed, and `…NoReply` when it does not answer within the
/// timeout of the call, such as ``answerTime``.
public struct HunchAgent: Sendable {
    /// The timeout for calls that return known data. The agent itself may wait up to two seconds for other programs, and
    /// a machine that just woke up or is short of memory needs several more.
    public static let answerTime = Duration.seconds(15)
    /// The timeout for looking up places, and for enabling and disabling Hunch.
    public static let workTime = Duration.seconds(15)
    /// The timeout for opening an app and starting playback. It is longer than the agent's own timeout.
    public static let launchTime = Duration.seconds(60)

    /// The connection to the session bus.
    public let connection: Connection
    private let root: Proxy

    /// Connects to the session bus.
    ///
    /// - Parameters:
    ///   - loop: a running loop.
    ///   - address: the address of the bus; `nil` for the session bus.
    /// - Throws: `DBusError` `…NoServer` if there is no session bus.
    public init(on loop: EventLoop, address: BusAddress? = nil) async throws {
        connection = try await Connection.open(address ?? .session(), on: loop)
        root = Proxy(connection, HunchNames.agent, HunchNames.root)
    }

    /// Uses a connection to the session bus that the program has already.
    public init(on connection: Connection) {
        self.connection = connection
        root = Proxy(connection, HunchNames.agent, HunchNames.root)
    }

    /// Returns whether the agent is running. Does not start it.
    public func isRunning() async throws -> Bool {
        try await connection.owner(of: HunchNames.agent) != nil
    }

    /// Returns whether the session bus can start the agent.
    public func isInstalled() async throws -> Bool {
        try await connection.activatableNames().contains(HunchNames.agent)
    }

    /// Starts the agent if it is not running. Calls with a short timeout do this first, because the start may take
    /// longer.
    ///
    /// - Throws: `DBusError` `…ServiceUnknown` if the agent is not installed.
    public func start() async throws {
        guard try await !isRunning() else { return }
        let _: UInt32 = try await connection.call(
            .bus, .bus, .bus, "StartServiceByName", HunchNames.agent.text, UInt32(0))
    }

    // MARK: The agent as a whole

    /// Enables Hunch: the agent begins to watch, record and suggest.
    public func enable() async throws {
        try await start()
        let () = try await root.call(HunchNames.agentInterface, "Enable", timeout: Self.workTime)
    }

    /// Disables Hunch. Recorded data stays.
    public func disable() async throws {
        try await start()
        let () = try await root.call(HunchNames.agentInterface, "Disable", timeout: Self.workTime)
    }

    /// Makes this connection known as an app in development, in developer mode: for a program whose app is not installed.
    ///
    /// - Returns: the identifier with which its data are kept, until the mode ends.
    /// - Throws: `DBusError` `…AccessDenied` outside developer mode.
    @discardableResult
    public func register(as application: AppID) async throws -> AppID {
        try await start()
        return try await root.call(HunchNames.agentInterface, "Register", application, timeout: Self.answerTime)
    }

    /// Returns the state of the agent.
    public func status(timeout: Duration = answerTime) async throws -> AgentStatus {
        try await start()
        return try await root.call(HunchNames.agentInterface, "Status", timeout: timeout)
    }

    // MARK: Media

    /// Returns the running media players, the active one first.
    public func players() async throws -> [PlayerReport] {
        try await start()
        return try await root.call(HunchNames.media, "Players", timeout: Self.answerTime)
    }

    /// Returns the known audio devices.
    public func devices() async throws -> [DeviceReport] {
        try await start()
        return try await root.call(HunchNames.media, "Devices", timeout: Self.answerTime)
    }

    /// Changes the policy of the device with this identifier.
    public func setDevicePolicy(_ change: DevicePolicyChange, of device: AudioDevice.ID) async throws {
        try await start()
        let () = try await root.call(
            HunchNames.media, "SetDevicePolicy", device, change, timeout: Self.answerTime)
    }

    /// Returns the candidates that the agent would have if a trigger happened now, best first. Suggests nothing.
    public func simulate(_ trigger: SimulatedTrigger) async throws -> [CandidateReport] {
        try await start()
        return try await root.call(
            HunchNames.media, "Simulate", trigger, timeout: Self.answerTime)
    }

    // MARK: Suggestions

    /// Returns the current suggestions, with the answers to requests (``OfferedSuggestion/isRequested``). Does not start
    /// the agent, and returns an empty list if it is not running.
    public func suggestions() async throws -> [OfferedSuggestion] {
        guard try await isRunning() else { return [] }
        let objects: [ObjectPath: [String: VariantMap]] = try await root.call(
            .objectManager, "GetManagedObjects", timeout: Self.answerTime, startsService: false)
        return try objects.sorted { $0.key < $1.key }.compactMap { path, interfaces in
            try interfaces[HunchNames.suggestion.text].map { try OfferedSuggestion(path: path, properties: $0) }
        }
    }

    /// Offers what the user most likely wants now, whether or not something has just happened. The suggestions replace
    /// those of the last request, and exist for ten minutes.
    ///
    /// - Parameter limit: the maximum number, clamped to 1…32.
    /// - Returns: the suggestions, the likeliest first; none while too little is learned.
    public func likelySuggestions(limit: UInt32 = 6) async throws -> [OfferedSuggestion] {
        try await start()
        let options: VariantMap = ["limit": .uint32(limit)]
        let paths: [ObjectPath] = try await root.call(
            HunchNames.agentInterface, "Likely", options, timeout: Self.workTime)
        let offered = try await suggestions()
        return paths.compactMap { path in offered.first { $0.id == path.lastElement } }
    }

    /// Returns a stream of suggestions as they appear and disappear, beginning with the current ones. The stream
    /// continues when the agent restarts.
    public func suggestionEvents() async throws -> ObjectTree.Events {
        try await ObjectTree(of: HunchNames.agent, at: HunchNames.root, on: connection).events()
    }

    /// Returns a stream of what Hunch suggests by itself: the list now, and the list after each change, without what
    /// programs requested. It is empty while no agent runs.
    public func suggestionChanges() async throws -> AsyncMapSequence<ObjectTree.Events, [OfferedSuggestion]> {
        try await suggestionEvents().map { _ in
            // An agent that ends just now has no suggestions.
            ((try? await suggestions()) ?? []).filter { !$0.isRequested }
        }
    }

    /// Performs the action of a suggestion. This method, ``dismiss(_:reason:)`` and ``explain(_:)`` do not start the
    /// agent.
    ///
    /// - Parameters:
    ///   - activationToken: the compositor's token, passed on to the app.
    ///   - isAutomatic: whether a program accepted the suggestion, not the user. Hunch then learns nothing from it,
    ///     unless the user accepted the same app before.
    /// - Throws: `DBusError` `NotOffered` if the suggestion is no longer offered or the agent is not running.
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

    /// Dismisses a suggestion. The reason is empty, `not-now`, or `never` to turn off suggestions for the device.
    public func dismiss(_ identifier: String, reason: String = "") async throws {
        try await ifOffered {
            let () = try await suggestion(identifier).call(
                HunchNames.suggestion, "Dismiss", reason, timeout: Self.answerTime, startsService: false)
        }
    }

    /// Returns the explanation of a suggestion.
    public func explain(_ identifier: String) async throws -> SuggestionExplanation {
        try await ifOffered {
            let map: VariantMap = try await suggestion(identifier).call(
                HunchNames.suggestion, "Explain", timeout: Self.answerTime, startsService: false)
            return try SuggestionExplanation(transfer: map)
        }
    }

    /// Calls a method of a suggestion.
    ///
    /// - Throws: `DBusError` `NotOffered` if the agent is not running.
    private func ifOffered<Result>(
        _ call: nonisolated(nonsending) () async throws -> Result
    ) async throws -> Result {
        do {
            return try await call()
        } catch let error as DBusError where [.serviceUnknown, .nameHasNoOwner].contains(error.name) {
            throw DBusError(.notOffered, "the agent is not running, so there are no suggestions")
        }
    }

    private func suggestion(_ identifier: String) throws -> Proxy {
        Proxy(connection, HunchNames.agent, try HunchNames.suggestionPath(identifier))
    }

    // MARK: Directions

    /// Suggests routing apps for a request. The suggestions exist for ten minutes.
    public func suggestDirections(_ query: DirectionsQuery) async throws -> DirectionsAnswer {
        try await start()
        let (resolved, suggestions, excluded): (DirectionsAnswer.Resolved, [ObjectPath], [DirectionsAnswer.Exclusion]) =
            try await root.call(HunchNames.directions, "Suggest", query, timeout: Self.workTime)
        return DirectionsAnswer(resolved, suggestions: suggestions, excluded: excluded)
    }

    /// Returns the request that a link means: for an app that shows routes and gets such a link. Looks nothing up, so that
    /// an end may be words.
    ///
    /// - Parameter uri: a `directions:` or `geo:` link, a link of a map on the web, coordinates, or a text.
    /// - Returns: a request with a destination.
    /// - Throws: `DBusError` `InvalidInput` if it means no place.
    public func parseDirections(_ uri: String) async throws -> DirectionsQuery {
        try await start()
        return try await root.call(HunchNames.directions, "Parse", uri, timeout: Self.answerTime)
    }

    /// Returns the places that a text may mean, most likely first.
    ///
    /// - Parameter limit: the maximum number of places, 1 to 100.
    public func geocode(_ text: String, limit: UInt32 = 10) async throws -> [PlaceReport] {
        let options: VariantMap = ["limit": .uint32(limit)]
        try await start()
        return try await root.call(
            HunchNames.directions, "Geocode", text, options, timeout: Self.workTime)
    }

    /// Returns the places nearest to a coordinate, nearest first.
    ///
    /// - Parameters:
    ///   - latitude: degrees, −90 to 90.
    ///   - longitude: degrees, −180 to 180.
    ///   - limit: the maximum number of places, 1 to 100.
    public func reverseGeocode(
        latitude: Double, longitude: Double, limit: UInt32 = 1
    ) async throws -> [PlaceReport] {
        let options: VariantMap = ["limit": .uint32(limit)]
        try await start()
        return try await root.call(
            HunchNames.directions, "ReverseGeocode", latitude, longitude, options, timeout: Self.workTime)
    }

    /// Returns the places that the user looked at lately in any app, newest first, for an app that asks for an address.
    /// The user must have allowed the app.
    ///
    /// - Parameters:
    ///   - limit: the maximum number of places, 1 to 50.
    ///   - mayAsk: whether Hunch may ask the user now; see ``placeDecisions()``.
    /// - Throws: `DBusError` `…AccessDenied` for a program that is not known as an app.
    public func recentPlaces(limit: UInt32 = 10, mayAsk: Bool = true) async throws -> RecentPlaces {
        try await start()
        let options: VariantMap = ["limit": .uint32(limit), "ask": .boolean(mayAsk)]
        let (access, places): (String, [MapItem]) = try await root.call(
            HunchNames.directions, "RecentPlaces", options, timeout: Self.answerTime)
        return RecentPlaces(RecentPlaces.Access(rawValue: access) ?? .unasked, places: places)
    }

    /// Returns a sequence with an element each time that the current activity changes. It begins with the next call of
    /// ``currentActivity()``, and leaves out activities that this app may not see.
    public func currentActivityChanges() async throws -> AgentChanges {
        try await changes("CurrentChanged", of: HunchNames.activities)
    }

    /// Returns a sequence with an element when the last answer of ``likelySuggestions(limit:)`` is out of date. The next
    /// element comes only after another call of it.
    public func likelyChanges() async throws -> AgentChanges {
        try await changes("LikelyChanged", of: HunchNames.agentInterface)
    }

    private func changes(_ member: MemberName, of interface: InterfaceName) async throws -> AgentChanges {
        let rule = MatchRule(sender: HunchNames.agent, path: HunchNames.root, interface: interface, member: member)
        return try await connection.signals([rule], capacity: 1).compactMap { event in
            if case .signal = event { () } else { nil }
        }
    }

    /// Returns the user's answers to the question whether this app may know the places, from now on.
    public func placeDecisions() async throws -> AsyncCompactMapSequence<SignalStream, Bool> {
        let rule = MatchRule(
            sender: HunchNames.agent, path: HunchNames.root, interface: HunchNames.directions,
            member: "RecentPlacesDecided")
        return try await connection.signals([rule], capacity: 1).compactMap { event in
            if case .signal(let message) = event { try? message.arguments(Bool.self) } else { nil }
        }
    }

    /// Returns the places that the user named, by their names: `home`, `work` and others. For the command `hunch`.
    public func ownPlaces() async throws -> [String: MapItem] {
        try await start()
        return try await root.call(HunchNames.directions, "Places", timeout: Self.answerTime)
    }

    /// Sets a place of the user's, or removes it. For the command `hunch`.
    ///
    /// - Parameters:
    ///   - name: `home`, `work` or another name, at most 64 bytes.
    ///   - place: a place with a coordinate, or a query to look up; `nil` to remove it.
    /// - Returns: whether that changed anything.
    public func setOwnPlace(_ place: MapItem?, named name: String) async throws -> Bool {
        try await start()
        return try await root.call(
            HunchNames.directions, "SetPlace", name, place?.transfer ?? [:], timeout: Self.answerTime)
    }

    /// Returns all known routing apps.
    public func routingApps() async throws -> [RoutingAppReport] {
        try await start()
        return try await root.call(HunchNames.directions, "RoutingApps", timeout: Self.answerTime)
    }
}

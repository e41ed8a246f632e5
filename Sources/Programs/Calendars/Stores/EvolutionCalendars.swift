internal import EventLoops
internal import FoundationEssentials
internal import HunchDBus
internal import HunchModel
internal import Localization

/// The calendars of Evolution Data Server, in which GNOME, Evolution and their online accounts keep events.
actor EvolutionCalendars: LoopActor {
    /// A calendar that the server has opened for this connection.
    struct OpenCalendar: Sendable {
        let name: String
        let service: BusName
        let path: ObjectPath
        /// The mail addresses of its owner, in lower case.
        let addresses: Set<String>
    }

    /// The open calendars, and the sentences about those that cannot be opened.
    private struct Opened: Sendable {
        var calendars: [OpenCalendar] = []
        var problems: [String] = []
    }

    private static let maximumCalendars = 64
    /// The maximum number of series of a calendar whose moved occurrences are read.
    private static let maximumSeries = 500
    private static let calendarInterface = EvolutionServer.calendarInterface

    let loop: EventLoop
    private let bus: Connection
    private let changed: @Sendable () -> Void
    /// The opening that is under way or done; `nil` before the first one, and after something ended.
    private var opening: Task<Opened, any Error>?
    private var following: Task<Void, Never>?

    /// - Parameter changed: called when an event or the list of calendars has changed.
    init(on loop: EventLoop, bus: Connection, changed: @escaping @Sendable () -> Void) {
        self.loop = loop
        self.bus = bus
        self.changed = changed
    }

    /// Returns the events between two dates, as texts, and the sentences about calendars that do not answer. Starts the
    /// server, if it is installed.
    ///
    /// - Throws: ``DBusError`` if the server does not answer; `CancellationError`.
    func texts(from start: Date, until end: Date) async throws -> (texts: [CalendarText], problems: [String]) {
        let opened = try await open()
        return await withTaskGroup(of: Result<[CalendarText], Unanswered>.self) { group in
            for calendar in opened.calendars {
                group.addTask { [self] in
                    do {
                        return .success(try await texts(of: calendar, from: start, until: end))
                    } catch {
                        // The process that serves it may have ended. The next reading opens it again.
                        await reset()
                        return .failure(Unanswered(calendar.name, error))
                    }
                }
            }
            var (found, problems) = ([CalendarText](), opened.problems)
            for await result in group {
                switch result {
                case .success(let texts): found += texts
                case .failure(let problem): problems.append(problem.sentence)
                }
            }
            return (found, problems.sorted())
        }
    }

    private func texts(
        of calendar: OpenCalendar, from start: Date, until end: Date
    ) async throws -> [CalendarText] {
        let proxy = Proxy(bus, calendar.service, calendar.path)
        let query = "(occur-in-time-range? (make-time \"\(Self.text(start))\") (make-time \"\(Self.text(end))\"))"
        var objects: [String] = try await proxy.call(
            Self.calendarInterface, "GetObjectList", query, timeout: EvolutionServer.answerTime)
        guard !objects.isEmpty else { return [] }
        // The query leaves out occurrences that were moved to another time, which the series itself does not mention.
        for series in Set(objects.filter(Self.isSeries).compactMap(Self.identifier)).sorted().prefix(Self.maximumSeries)
        {
            let whole: String? = try? await proxy.call(
                Self.calendarInterface, "GetObject", series, "", timeout: EvolutionServer.answerTime)
            guard let whole else { continue }
            objects.removeAll { Self.identifier($0) == series }
            objects.append(whole)
        }
        // Definitions of time zones are separate. Zones of the zone database need none.
        var zones: [String] = []
        for zone in Set(objects.flatMap(Self.zones)).sorted().prefix(32) {
            let text: String? = try? await proxy.call(
                Self.calendarInterface, "GetTimezone", zone, timeout: EvolutionServer.answerTime)
            if let text { zones.append(text) }
        }
        return [CalendarText(objects: zones + objects, addresses: calendar.addresses)]
    }

    private static func isSeries(_ object: String) -> Bool {
        lines(object).contains { $0.hasPrefix("RRULE") || $0.hasPrefix("RDATE") }
    }

    private static func identifier(_ object: String) -> String? {
        lines(object).first { $0.hasPrefix("UID:") }.map { String($0.dropFirst(4)) }
    }

    /// Returns the identifiers of the time zones in an event.
    private static func zones(in event: String) -> [String] {
        lines(event).compactMap { line in
            guard let start = line.firstRange(of: ";TZID=") else { return nil }
            let name = line[start.upperBound...].prefix { $0 != ":" && $0 != ";" }.filter { $0 != "\"" }
            return name.utf8.count <= 255 && !name.isEmpty ? String(name) : nil
        }
    }

    private static func lines(_ text: String) -> [Substring] { text.split(whereSeparator: \.isNewline) }

    private static func text(_ date: Date) -> String {
        Date.ISO8601FormatStyle().format(date).filter { $0 != "-" && $0 != ":" }
    }

    // MARK: Opening

    /// Opens the calendars and follows their changes, once for all callers.
    private func open() async throws -> Opened {
        let task = opening ?? Task(executorPreference: loop) { [self] in try await openAll() }
        opening = task
        do {
            return try await task.value
        } catch {
            reset()
            throw error
        }
    }

    private func openAll() async throws -> Opened {
        guard let server = try await EvolutionServer(on: bus) else { return Opened() }
        let sources = try await server.sources().compactMap { EvolutionSource($0) }
            .sorted { $0.identifier < $1.identifier }.prefix(Self.maximumCalendars)
        let opened = await withTaskGroup(of: Result<OpenCalendar, Unanswered>.self) { group in
            for source in sources {
                group.addTask { [self] in
                    do { return .success(try await open(source, server)) } catch {
                        return .failure(Unanswered(source.name, error))
                    }
                }
            }
            var opened = Opened()
            for await result in group {
                switch result {
                case .success(let calendar): opened.calendars.append(calendar)
                case .failure(let problem): opened.problems.append(problem.sentence)
                }
            }
            return opened
        }
        try await follow(opened.calendars, server)
        return opened
    }

    private func open(_ source: EvolutionSource, _ server: EvolutionServer) async throws -> OpenCalendar {
        let (calendar, properties) = try await server.open("OpenCalendar", source.identifier)
        // Names and values take turns. The values are written as GVariant texts: 'me@example.org'.
        let address = zip(properties, properties.dropFirst()).first { $0.0 == "cal-email-address" }?.1
        let plain = (address ?? "").lowercased().filter { $0 != "'" && $0 != "\"" }
        return OpenCalendar(
            name: source.name, service: calendar.service, path: calendar.path,
            addresses: plain.isEmpty ? [] : [plain])
    }

    // MARK: Following

    /// Follows the calendars, the list of calendars, and the processes that serve them.
    private func follow(_ calendars: [OpenCalendar], _ server: EvolutionServer) async throws {
        let events = try await bus.signals(
            calendars.map { MatchRule(sender: $0.service, path: $0.path, interface: .properties) })
        let sources = try await bus.signals([
            MatchRule(sender: server.registry, path: EvolutionServer.manager, interface: .objectManager),
            MatchRule(sender: server.registry, pathNamespace: EvolutionServer.manager, interface: .properties),
        ])
        var owners: [NameOwners] = []
        for service in Set(calendars.map(\.service)) { owners.append(try await bus.owners(of: service)) }
        following?.cancel()
        following = Task(executorPreference: loop) { [weak self, changed, owners] in
            await withTaskGroup(of: Void.self) { group in
                group.addTask { for await _ in events { changed() } }
                group.addTask {
                    for await event in sources where Self.concernsCalendars(event) {
                        await self?.reopen(calendars)
                    }
                }
                for owner in owners {
                    group.addTask {
                        var wasPresent = false
                        for await present in owner {
                            if wasPresent, present == nil { await self?.lose() }
                            wasPresent = present != nil
                        }
                    }
                }
            }
        }
    }

    /// Whether a signal of the registry may change which calendars there are. It sends others for each connection.
    private static func concernsCalendars(_ event: SignalEvent) -> Bool {
        guard case .signal(let message) = event, message.interface == .properties else { return true }
        guard let (_, values, _) = try? message.arguments(String.self, VariantMap.self, [String].self) else {
            return false
        }
        return (try? values.value("Data", as: String.self)).flatMap { $0 }?.contains("[Calendar]") ?? false
    }

    private func reset() { opening = nil }

    /// Opens the calendars again at the next reading, and closes the former ones.
    private func reopen(_ calendars: [OpenCalendar]) async {
        reset()
        for calendar in calendars {
            let call = MethodCall(
                calendar.service, calendar.path, Self.calendarInterface, "Close", startsService: false)
            // A calendar that is gone needs no closing.
            try? await bus.send(call)
        }
        changed()
    }

    /// Opens the calendars again half a minute after their process ended, so that one that crashes is not started over and
    /// over.
    private func lose() {
        reset()
        _ = schedule(after: .seconds(30)) { $0.changed() }
    }

    func close() {
        opening?.cancel()
        following?.cancel()
        (opening, following) = (nil, nil)
    }
}

/// A calendar that did not answer.
private struct Unanswered: Error {
    let sentence: String

    init(_ name: String, _ error: any Error) {
        sentence = localized(
            "the calendar “%1” does not answer: %2", name, (error as? DBusError)?.message ?? "\(error)")
    }
}

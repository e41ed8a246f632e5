internal import EventLoops
internal import FoundationEssentials
internal import HunchDBus
internal import HunchModel

/// The calendars of Evolution Data Server, in which GNOME, Evolution and their online accounts keep events.
actor EvolutionCalendars: LoopActor {
    /// The calendars that the person sees in their apps: those that contain appointments.
    private struct OpenCalendar {
        let name: String
        let service: BusName
        let path: ObjectPath
        let addresses: Set<String>
    }

    /// The time limit for an answer. Calendars on the network may ask for a password first.
    private static let answerTime = Duration.seconds(10)
    private static let maximumCalendars = 64
    private static let sourcesInterface: InterfaceName = "org.gnome.evolution.dataserver.Source"
    private static let factory: InterfaceName = "org.gnome.evolution.dataserver.CalendarFactory"
    private static let calendar: InterfaceName = "org.gnome.evolution.dataserver.Calendar"
    private static let root: ObjectPath = "/org/gnome/evolution/dataserver"

    let loop: EventLoop
    private let bus: Connection
    private let changed: @Sendable () -> Void
    private var calendars: [OpenCalendar]?
    private var problems: [String] = []
    private var following: Task<Void, Never>?

    /// - Parameter changed: called when an event or the list of calendars has changed.
    init(on loop: EventLoop, bus: Connection, changed: @escaping @Sendable () -> Void) {
        self.loop = loop
        self.bus = bus
        self.changed = changed
    }

    /// Returns the events between two dates, as texts, and the sentences about calendars that do not answer. Starts the
    /// server, if it is installed.
    func texts(from start: Date, until end: Date) async throws -> (texts: [CalendarText], problems: [String]) {
        if calendars == nil { try await open() }
        var problems = problems
        var texts: [CalendarText] = []
        for calendar in calendars ?? [] {
            do {
                texts += try await self.texts(of: calendar, from: start, until: end)
            } catch let error as DBusError where error.name != .disconnected {
                problems.append("the calendar “\(calendar.name)” does not answer: \(error.message)")
            }
        }
        return (texts, problems)
    }

    private func texts(of calendar: OpenCalendar, from start: Date, until end: Date) async throws -> [CalendarText] {
        let proxy = Proxy(bus, calendar.service, calendar.path)
        let query = "(occur-in-time-range? (make-time \"\(Self.text(start))\") (make-time \"\(Self.text(end))\"))"
        let objects: [String] = try await proxy.call(
            Self.calendar, "GetObjectList", query, timeout: Self.answerTime)
        guard !objects.isEmpty else { return [] }
        // Definitions of time zones are separate. Those of the zone database need none.
        var zones: [String] = []
        for zone in Set(objects.flatMap(Self.zones)).sorted().prefix(32) {
            let text: String? = try? await proxy.call(Self.calendar, "GetTimezone", zone, timeout: Self.answerTime)
            if let text { zones.append(text) }
        }
        let text =
            "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n" + (zones + objects).joined(separator: "\r\n") + "\r\nEND:VCALENDAR\r\n"
        return [CalendarText(text: text, addresses: calendar.addresses)]
    }

    /// Returns the identifiers of the time zones in an event.
    private static func zones(in event: String) -> [String] {
        event.split(whereSeparator: \.isNewline).compactMap { line in
            guard let start = line.firstRange(of: ";TZID=") else { return nil }
            let name = line[start.upperBound...].prefix { $0 != ":" && $0 != ";" }.filter { $0 != "\"" }
            return name.utf8.count <= 255 && !name.isEmpty ? String(name) : nil
        }
    }

    private static func text(_ date: Date) -> String {
        let text = Date.ISO8601FormatStyle().format(date)
        return text.filter { $0 != "-" && $0 != ":" }
    }

    // MARK: Opening

    /// Opens the calendars and follows their changes.
    private func open() async throws {
        calendars = []
        problems = []
        let names = try await bus.activatableNames()
        // The number in the names differs between versions.
        guard let registry = Self.newest("Sources", in: names), let factory = Self.newest("Calendar", in: names) else {
            return
        }
        let manager: ObjectPath = try Self.root.appending("SourceManager")
        var rules = [
            MatchRule(sender: registry, path: manager, interface: .objectManager),
            MatchRule(sender: registry, pathNamespace: manager, interface: .properties),
        ]
        let objects: [ObjectPath: [String: VariantMap]] = try await bus.call(
            registry, manager, .objectManager, "GetManagedObjects", timeout: Self.answerTime)
        let sources = objects.values.compactMap { $0[Self.sourcesInterface.text] }.compactMap(Source.init)
        for source in sources.sorted(by: { $0.identifier < $1.identifier }).prefix(Self.maximumCalendars) {
            do {
                let calendar = try await open(source, factory)
                calendars?.append(calendar)
                rules.append(
                    MatchRule(sender: calendar.service, path: calendar.path, interface: .properties))
            } catch let error as DBusError where error.name != .disconnected {
                problems.append("the calendar “\(source.name)” cannot be opened: \(error.message)")
            }
        }
        try await follow(rules, factory)
    }

    private func open(_ source: Source, _ factory: BusName) async throws -> OpenCalendar {
        let (path, service): (String, String) = try await bus.call(
            factory, Self.root.appending("CalendarFactory"), Self.factory, "OpenCalendar", source.identifier,
            timeout: Self.answerTime)
        let (name, object) = (try BusName(service), try ObjectPath(path))
        let properties: [String] = try await bus.call(name, object, Self.calendar, "Open", timeout: Self.answerTime)
        // Names and values take turns. The values are written as GVariant texts: 'me@example.org'.
        let address = zip(properties, properties.dropFirst()).first { $0.0 == "cal-email-address" }?.1
        let plain = (address ?? "").lowercased().filter { $0 != "'" && $0 != "\"" }
        return OpenCalendar(name: source.name, service: name, path: object, addresses: plain.isEmpty ? [] : [plain])
    }

    private static func newest(_ part: String, in names: [BusName]) -> BusName? {
        let prefix = "org.gnome.evolution.dataserver." + part
        return names.compactMap { name in
            name.text.hasPrefix(prefix) ? Int(name.text.dropFirst(prefix.count)).map { (name, $0) } : nil
        }.max { $0.1 < $1.1 }?.0
    }

    // MARK: Following

    private func follow(_ rules: [MatchRule], _ factory: BusName) async throws {
        let signals = try await bus.signals(rules)
        let owners = try await bus.owners(of: factory)
        following?.cancel()
        following = Task(executorPreference: loop) { [weak self] in
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    for await event in signals {
                        if case .signal(let message) = event, message.interface == .properties,
                            message.path?.text.contains("SourceManager") == false
                        {
                            self?.changed()
                        } else {
                            // A calendar was added, removed or changed.
                            await self?.reopen()
                        }
                    }
                }
                group.addTask {
                    var wasPresent = false
                    for await owner in owners {
                        if wasPresent, owner == nil { await self?.lose() }
                        wasPresent = owner != nil
                    }
                }
            }
        }
    }

    /// Opens the calendars again at the next reading.
    private func reopen() {
        calendars = nil
        changed()
    }

    /// Opens the calendars again half a minute after the server ended, so that one that crashes is not started over and
    /// over.
    private func lose() {
        calendars = []
        problems = ["Evolution Data Server has ended; its calendars are read again in half a minute"]
        _ = schedule(after: .seconds(30)) { $0.reopen() }
        changed()
    }

    func close() {
        following?.cancel()
        following = nil
    }
}

/// A calendar in the registry of Evolution Data Server.
private struct Source {
    let identifier: String
    let name: String

    /// - Returns: `nil` for other sources, and for calendars that are off or hidden.
    init?(_ properties: VariantMap) {
        guard let identifier = (try? properties.value("UID", as: String.self)) ?? nil,
            let data = (try? properties.value("Data", as: String.self)) ?? nil,
            // The format is that of desktop entries.
            let entry = try? DesktopEntry(id: AppID(identifier), text: data), entry.hasGroup("Calendar"),
            entry.raw("Enabled", in: "Data Source") != "false", entry.raw("Selected", in: "Calendar") != "false",
            // Birthdays of contacts and the weather have no appointments.
            let backend = entry.raw("BackendName", in: "Calendar"), !["contacts", "weather"].contains(backend)
        else { return nil }
        self.identifier = identifier
        name = entry.string("DisplayName", in: "Data Source") ?? identifier
    }
}

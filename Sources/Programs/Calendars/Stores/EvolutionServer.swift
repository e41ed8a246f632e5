internal import HunchDBus
internal import HunchModel

/// The registry and the factory of Evolution Data Server, which the bus starts on demand.
struct EvolutionServer: Sendable {
    /// The time limit for an answer. Calendars on the network may ask for a password first.
    static let answerTime = Duration.seconds(10)
    static let calendarInterface: InterfaceName = "org.gnome.evolution.dataserver.Calendar"
    /// The registry's object.
    static let manager: ObjectPath = "/org/gnome/evolution/dataserver/SourceManager"
    private static let factoryPath: ObjectPath = "/org/gnome/evolution/dataserver/CalendarFactory"
    private static let factoryInterface: InterfaceName = "org.gnome.evolution.dataserver.CalendarFactory"
    private static let sourceInterface: InterfaceName = "org.gnome.evolution.dataserver.Source"

    let registry: BusName
    private let factory: BusName
    private let bus: Connection

    /// Finds the server; `nil` if it is not installed.
    init?(on bus: Connection) async throws {
        let names = try await bus.activatableNames()
        guard let registry = Self.newest("Sources", in: names), let factory = Self.newest("Calendar", in: names) else {
            return nil
        }
        (self.bus, self.registry, self.factory) = (bus, registry, factory)
    }

    /// The number at the end of the names differs between versions.
    private static func newest(_ part: String, in names: [BusName]) -> BusName? {
        let prefix = "org.gnome.evolution.dataserver." + part
        return names.compactMap { name in
            name.text.hasPrefix(prefix) ? Int(name.text.dropFirst(prefix.count)).map { (name, $0) } : nil
        }.max { $0.1 < $1.1 }?.0
    }

    /// Returns the properties of all sources.
    func sources() async throws -> [VariantMap] {
        let objects: [ObjectPath: [String: VariantMap]] = try await bus.call(
            registry, Self.manager, .objectManager, "GetManagedObjects", timeout: Self.answerTime)
        return objects.values.compactMap { $0[Self.sourceInterface.text] }
    }

    /// Opens a calendar or a task list.
    ///
    /// - Parameters:
    ///   - method: the factory's method, `OpenCalendar` or `OpenTaskList`.
    ///   - source: the identifier of its source.
    /// - Returns: its object, and its properties, in which names and values take turns.
    func open(_ method: MemberName, _ source: String) async throws -> (object: Proxy, properties: [String]) {
        let (path, service): (String, String) = try await bus.call(
            factory, Self.factoryPath, Self.factoryInterface, method, source, timeout: Self.answerTime)
        let object = Proxy(bus, try BusName(service), try ObjectPath(path))
        return (object, try await object.call(Self.calendarInterface, "Open", timeout: Self.answerTime))
    }
}

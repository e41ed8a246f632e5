public import FoundationEssentials
public import HunchDBus
public import HunchModel

/// An appointment with the route to it, as `org.hunch.Calendar1.Upcoming` reports it.
public struct AppointmentReport: MapValue, Hashable, Sendable {
    /// The appointment.
    public var event: CalendarEvent
    /// The estimated time to leave; `nil` if the route is not known.
    public var leave: Date?
    /// The distance of the great circle in metres; `nil` if the route is not known.
    public var distance: Double?
    /// The reason why the time to leave for its place is not known, as a code of `org.hunch.Calendar1.Upcoming`.
    public var obstacle: String?

    /// Creates a report.
    public init(event: CalendarEvent, leave: Date? = nil, distance: Double? = nil, obstacle: String? = nil) {
        self.event = event
        self.leave = leave
        self.distance = distance
        self.obstacle = obstacle
    }

    /// Reads a report. Unknown keys are ignored.
    ///
    /// - Throws: ``HunchDBus/DBusError`` as for an event, and `…InvalidArgs` for a value of the wrong type.
    public init(transfer map: VariantMap) throws(DBusError) {
        self.init(
            event: try CalendarEvent(transfer: map), leave: try map.date(microseconds: "leave"),
            distance: try map.value("distance"), obstacle: try map.value("obstacle"))
    }

    /// The report with its keys.
    public var transfer: VariantMap {
        var map = event.transfer
        map["leave"] = leave.map { .uint64($0.microseconds) }
        map["distance"] = distance.map(Value.double)
        map["obstacle"] = obstacle.map(Value.string)
        return map
    }
}

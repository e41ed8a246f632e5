public import HunchModel

/// What a timetable in GTFS (General Transit Feed Specification) tells about where it serves.
public struct TransitFeed: Sendable {
    /// Who runs the vehicles.
    public struct Agency: Hashable, Sendable {
        /// What people call it.
        public var name: String
        /// Its site on the web, as the feed spells it.
        public var url: String
    }

    /// Where its vehicles stop from the day asked about on, each place once, in no order.
    public var stops: [Coordinate] = []
    /// The ways to travel of the routes that run, without repetitions, in the order of ``HunchModel/TransportMode``.
    public var modes: [TransportMode] = []
    /// Who runs those routes, in the order of the feed.
    public var agencies: [Agency] = []
    /// Who publishes the feed; `nil` when the feed does not say so.
    public var publisher: String?
    /// What the publisher calls this state of the feed.
    public var version: String?
    /// The first day that the feed is for.
    public var firstDay: ServiceDay?
    /// The last day that the feed is for.
    public var lastDay: ServiceDay?
    /// How many stops were left out, since no vehicle that runs from the day on takes up or sets down anybody there.
    public var unservedStops = 0
    /// How many stops were left out that are at 0° north, 0° east, which is where errors put them.
    public var misplacedStops = 0
    /// How many times a vehicle comes on demand to an area (GTFS-Flex) rather than to a stop; these areas are not read.
    public var timesOnDemand = 0

    /// Reads a feed.
    ///
    /// A stop counts when a trip takes up or sets down passengers there and the trip's service runs on at least one day from
    /// the given one on. Stations, entrances and nodes count only where a trip stops at them itself.
    ///
    /// - Parameters:
    ///   - path: the ZIP archive of the feed.
    ///   - day: the first day that counts.
    ///   - progress: called after each table with the fraction 0…1 that is done.
    /// - Throws: ``BulkFiles/ImportError``, naming file, line and column: `unreadable`, `malformed`, `tooLong`
    ///   (``TransitFeedLimits``), `unknownFormat`.
    public init(path: String, from day: ServiceDay, progress: (Double) -> Void = { _ in }) throws {
        var reading = TransitFeedReading(archive: try FeedArchive(path: path))
        try reading.readCalendar()
        progress(0.05)
        try reading.readTrips(from: day)
        progress(0.2)
        try reading.readStopTimes()
        progress(0.9)
        try reading.readStops()
        try reading.readRoutes()
        try reading.readAgencies()
        try reading.readPublisher()
        progress(1)
        self = reading.feed
    }

    init() {}
}

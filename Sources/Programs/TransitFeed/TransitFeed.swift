public import HunchModel

/// The stops, travel modes and agencies of a GTFS (General Transit Feed Specification) timetable.
public struct TransitFeed: Sendable {
    /// A transit agency, which operates routes.
    public struct Agency: Hashable, Sendable {
        /// The name of the agency, as riders know it.
        public var name: String
        /// The agency's website, as the feed spells it.
        public var url: String
    }

    /// The coordinates of the stops that are served from the given day on, unordered, without repetitions.
    public var stops: [Coordinate] = []
    /// The travel modes of the routes that run, without repetitions, in the order of ``HunchModel/TransportMode``.
    public var modes: [TransportMode] = []
    /// The agencies of these routes, in the order of the feed.
    public var agencies: [Agency] = []
    /// The publisher of the feed; `nil` if the feed names none.
    public var publisher: String?
    /// The version of the feed; `nil` if the feed does not say.
    public var version: String?
    /// The first day that the feed covers; `nil` if the feed does not say.
    public var firstDay: ServiceDay?
    /// The last day that the feed covers; `nil` if the feed does not say.
    public var lastDay: ServiceDay?
    /// The number of stops left out because no trip picks up or drops off passengers there from the given day on.
    public var unservedStops = 0
    /// The number of stops left out because they are at 0° north, 0° east, the usual result of a faulty export.
    public var misplacedStops = 0
    /// The number of stop times that serve an area on demand (GTFS-Flex) instead of a stop. Areas are not read.
    public var timesOnDemand = 0

    /// Reads a feed.
    ///
    /// A stop counts if a trip picks up or drops off passengers there and the trip's service runs on at least one day
    /// from the given one on. Stations, entrances and nodes count only if a trip stops at them itself.
    ///
    /// - Parameters:
    ///   - path: the ZIP archive of the feed.
    ///   - day: the first day that counts.
    ///   - progress: called several times with the fraction 0…1 that is done.
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

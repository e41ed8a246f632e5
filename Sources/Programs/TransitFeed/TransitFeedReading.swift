import BulkFiles
import HunchModel

/// Reads the tables of a feed in sequence. Each table determines which records of the next ones count.
///
/// Source: GTFS Schedule reference, the tables of these names.
struct TransitFeedReading {
    let archive: FeedArchive
    private(set) var feed = TransitFeed()
    private var calendar = ServiceCalendar()
    private var trips: Set<String> = []
    private var routes: Set<String> = []
    private var stops: Set<String> = []
    private var agencies: Set<String> = []

    init(archive: FeedArchive) { self.archive = archive }

    mutating func readCalendar() throws {
        let hasWeeks = archive.has("calendar.txt")
        if hasWeeks {
            let days = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
            try archive.forEachRecord(
                of: "calendar.txt", required: ["service_id", "start_date", "end_date"] + days
            ) { record in
                let (first, last) = (try record.day(1), try record.day(2))
                guard first <= last else { throw record.fault(2, "the service ends before it begins") }
                let weekdays = try (0..<7).map { try record.number(3 + $0, 0...1) == 1 }
                calendar.add(try record.identifier(0), weekdays, first...last)
            }
        }
        // A feed may omit either of the two tables, but not both.
        guard !hasWeeks || archive.has("calendar_dates.txt") else { return }
        try archive.forEachRecord(
            of: "calendar_dates.txt", required: ["service_id", "date", "exception_type"]
        ) { record in
            calendar.addException(
                try record.identifier(0), on: try record.day(1), runs: try record.number(2, 1...2) == 1)
        }
    }

    mutating func readTrips(from day: ServiceDay) throws {
        let running = calendar.services(from: day)
        try archive.forEachRecord(of: "trips.txt", required: ["route_id", "service_id", "trip_id"]) { record in
            let service = try record.identifier(1)
            guard running.contains(service) else {
                guard calendar.knows(service) else {
                    throw record.fault(1, "no calendar has the service “\(service.cut(to: 60))”")
                }
                return
            }
            routes.insert(try record.identifier(0))
            trips.insert(try record.identifier(2))
            guard trips.count <= TransitFeedLimits.identifiers else {
                throw record.fault(2, "the feed has more than the limit of \(TransitFeedLimits.identifiers) trips")
            }
        }
        guard !trips.isEmpty else {
            throw ImportError(
                .malformed, "no trip of the feed runs on or after \(day); was it published for an earlier time?")
        }
    }

    mutating func readStopTimes() throws {
        // Stop times are usually grouped by trip.
        var last: (bytes: [UInt8], runs: Bool) = ([], false)
        try archive.forEachRecord(
            of: "stop_times.txt", required: ["trip_id"], optional: ["stop_id", "pickup_type", "drop_off_type"],
            limit: TransitFeedLimits.stopTimesSize
        ) { record in
            let trip = record.bytes(0)
            if !trip.elementsEqual(last.bytes) || trip.isEmpty {
                last = (Array(trip), trips.contains(try record.identifier(0)))
            }
            guard last.runs else { return }
            // 1 means no pickup or no drop-off. With both, the vehicle only passes this timing point.
            if record.bytes(2).elementsEqual([0x31]), record.bytes(3).elementsEqual([0x31]) { return }
            let stop = try record.text(1)
            guard !stop.isEmpty else {
                feed.timesOnDemand += 1
                return
            }
            stops.insert(stop)
            guard stops.count <= TransitFeedLimits.identifiers else {
                throw record.fault(1, "the feed has more than the limit of \(TransitFeedLimits.identifiers) stops")
            }
        }
    }

    mutating func readStops() throws {
        var places: Set<Coordinate> = []
        try archive.forEachRecord(
            of: "stops.txt", required: ["stop_id"], optional: ["stop_lat", "stop_lon", "location_type"]
        ) { record in
            let stop = try record.identifier(0)
            guard stops.remove(stop) != nil else {
                // Stations and entrances do not count as unserved stops.
                if try ["", "0"].contains(record.text(3)) { feed.unservedStops += 1 }
                return
            }
            let latitude = try record.degrees(1, within: 90)
            let longitude = try record.degrees(2, within: 180)
            guard latitude != 0 || longitude != 0 else {
                feed.misplacedStops += 1
                return
            }
            places.insert(try Coordinate(latitude: latitude, longitude: longitude))
        }
        if let missing = stops.min() {
            throw ImportError(
                .malformed, "stops.txt does not have the stop “\(missing.cut(to: 60))”, at which a trip stops")
        }
        feed.stops = Array(places)
    }

    mutating func readRoutes() throws {
        var modes: Set<TransportMode> = []
        try archive.forEachRecord(
            of: "routes.txt", required: ["route_id", "route_type"], optional: ["agency_id"]
        ) { record in
            guard routes.remove(try record.identifier(0)) != nil else { return }
            modes.insert(RouteType.mode(try record.number(1, 0...9_999)))
            agencies.insert(try record.text(2))
        }
        if let missing = routes.min() {
            throw ImportError(.malformed, "routes.txt does not have the route “\(missing.cut(to: 60))” of a trip")
        }
        feed.modes = TransportMode.allCases.filter(modes.contains)
    }

    mutating func readAgencies() throws {
        var all: [(id: String, agency: TransitFeed.Agency)] = []
        try archive.forEachRecord(
            of: "agency.txt", required: ["agency_name", "agency_url"], optional: ["agency_id"]
        ) { record in
            all.append(
                (try record.text(2), TransitFeed.Agency(name: try record.identifier(0), url: try record.text(1))))
        }
        // Routes may omit the agency if there is only one.
        feed.agencies = all.filter { all.count == 1 || agencies.contains($0.id) }.map(\.agency)
    }

    mutating func readPublisher() throws {
        guard archive.has("feed_info.txt") else { return }
        try archive.forEachRecord(
            of: "feed_info.txt", required: ["feed_publisher_name"],
            optional: ["feed_version", "feed_start_date", "feed_end_date"]
        ) { record in
            feed.publisher = try record.identifier(0)
            feed.version = try record.text(1).isEmpty ? nil : record.text(1)
            feed.firstDay = try record.text(2).isEmpty ? nil : record.day(2)
            feed.lastDay = try record.text(3).isEmpty ? nil : record.day(3)
        }
    }
}

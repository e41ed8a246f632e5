import TestSupport
import TransitFeed

/// A small feed in two towns, which tests change.
struct FeedFixture {
    static let day = ServiceDay("2026-11-21") ?? ServiceDay(number: 0)

    /// The tables by name.
    var tables: [String: String] = [
        "agency.txt": """
        agency_id,agency_name,agency_url,agency_timezone
        T,Town Transport,https://www.town.example/en,Europe/Helsinki
        S,Sleeping Lines,https://sleeping.example,Europe/Helsinki
        """,
        "stops.txt": """
        stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station
        A,Market,60.1,24.9,0,P
        B,"Harbour, ""Old"" pier",60.2,25.0,0,
        C,Unserved,61.0,26.0,0,
        P,Central,60.11,24.91,1,
        E,Entrance,60.12,24.92,2,P
        X,Only in summer,62.0,27.0,,
        """,
        "routes.txt": """
        route_id,agency_id,route_short_name,route_type
        1,T,1,3
        2,T,2,0
        9,S,9,4
        """,
        "trips.txt": """
        route_id,service_id,trip_id
        1,WEEK,1a
        2,DATES,2a
        9,OVER,9a
        """,
        "stop_times.txt": """
        trip_id,arrival_time,departure_time,stop_id,stop_sequence,pickup_type,drop_off_type
        1a,08:00:00,08:00:00,A,1,,
        1a,08:10:00,08:10:00,B,2,0,0
        1a,08:20:00,08:20:00,C,3,1,1
        2a,25:00:00,25:00:00,B,1,0,0
        9a,08:00:00,08:00:00,X,1,0,0
        """,
        "calendar.txt": """
        service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date
        WEEK,1,1,1,1,1,0,0,20260101,20261231
        OVER,1,1,1,1,1,1,1,20260101,20260831
        """,
        "calendar_dates.txt": """
        service_id,date,exception_type
        DATES,20261224,1
        OVER,20261121,2
        """,
    ]

    /// Packs the tables and reads them.
    func read(from day: ServiceDay = day) async throws -> TransitFeed {
        try await withTemporaryDirectory { directory in
            try await zipArchive(of: tables, into: directory, as: "feed.zip")
            return try TransitFeed(path: directory.file("feed.zip"), from: day)
        }
    }
}

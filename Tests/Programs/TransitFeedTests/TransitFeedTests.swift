import BulkFiles
import HunchModel
import TestSupport
import Testing
import TransitFeed

@Suite("GTFS timetables") struct TransitFeedTests {
    private func places(_ feed: TransitFeed) -> [String] {
        feed.stops.map { "\($0.latitude) \($0.longitude)" }.sorted()
    }

    @Test("Only stops served by running trips count, not stations")
    func inService() async throws {
        let feed = try await FeedFixture().read()
        #expect(places(feed) == ["60.1 24.9", "60.2 25.0"])
        #expect(feed.modes == [.bus, .streetcar])
        #expect(feed.agencies.map { "\($0.name) \($0.url)" } == ["Town Transport https://www.town.example/en"])
        #expect(feed.unservedStops == 2 && feed.misplacedStops == 0 && feed.timesOnDemand == 0)
        #expect(feed.publisher == nil && feed.lastDay == nil)
    }

    @Test(
        "A service follows its week, with exceptions, from a day on",
        arguments: [
            ("2026-08-31", 3), ("2026-09-01", 2), ("2026-12-24", 2), ("2026-12-25", 2), ("2026-12-31", 2),
            ("2027-01-01", 0),
        ])
    func days(_ day: String, _ count: Int) async throws {
        let day = try #require(ServiceDay(day))
        if count == 0 {
            await #expect(throws: ImportError.self) { try await FeedFixture().read(from: day) }
        } else {
            #expect(try await FeedFixture().read(from: day).stops.count == count)
        }
    }

    @Test("Removed or non-service days at the end do not count")
    func exceptions() async throws {
        var fixture = FeedFixture()
        fixture.tables["calendar.txt"] = """
            service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date
            WEEK,1,1,1,1,1,0,0,20260101,20261122
            OVER,0,0,0,0,0,0,0,20260101,20301231
            """
        // 20 November 2026 is a Friday.
        #expect(try await fixture.read(from: #require(ServiceDay("20261120"))).modes == [.bus, .streetcar])
        #expect(try await fixture.read(from: #require(ServiceDay("20261121"))).modes == [.streetcar])
        fixture.tables["calendar_dates.txt"]? += "\nWEEK,20261120,2"
        #expect(try await fixture.read(from: #require(ServiceDay("20261120"))).modes == [.streetcar])
    }

    @Test("Either calendar may be missing, but not both")
    func calendars() async throws {
        var fixture = FeedFixture()
        fixture.tables["calendar.txt"] = nil
        fixture.tables["trips.txt"] = "route_id,service_id,trip_id\n2,DATES,2a"
        #expect(try await places(fixture.read()) == ["60.2 25.0"])
        fixture.tables["calendar_dates.txt"] = nil
        await #expect(throws: ImportError.self) { try await fixture.read() }
    }

    @Test("The publisher, version and validity of a feed are read")
    func publisher() async throws {
        var fixture = FeedFixture()
        fixture.tables["feed_info.txt"] = """
            feed_publisher_name,feed_publisher_url,feed_lang,feed_start_date,feed_end_date,feed_version
            Region,https://region.example,fi,20260101,20261231,v7
            """
        let feed = try await fixture.read()
        #expect(feed.publisher == "Region" && feed.version == "v7")
        #expect(feed.firstDay?.description == "2026-01-01" && feed.lastDay?.description == "2026-12-31")
    }

    @Test("BOM, CRLF, quoted line breaks and column order are accepted")
    func spelling() async throws {
        var fixture = FeedFixture()
        fixture.tables["stops.txt"] =
            "\u{FEFF}stop_lon,stop_name,stop_id,stop_lat\r\n24.9,\"Two\r\nlines, \"\"quoted\"\"\",A,60.1\r\n\r\n 25.0 ,b, B ,60.2\r\n26,c,C,61\r\n"
        fixture.tables["routes.txt"] = "route_type,route_id\n3,1\n0,2\n4,9"
        fixture.tables["agency.txt"] = "agency_name,agency_url\n\"Only, one\",https://one.example"
        let feed = try await fixture.read()
        #expect(places(feed) == ["60.1 24.9", "60.2 25.0"])
        #expect(feed.agencies.map(\.name) == ["Only, one"])
    }

    @Test("Stops at 0, 0 and on-demand areas are skipped and counted")
    func leftOut() async throws {
        var fixture = FeedFixture()
        fixture.tables["stop_times.txt"]? += "\n1a,09:00:00,09:00:00,C,4,0,0\n1a,,,,5,2,1"
        fixture.tables["stops.txt"] = fixture.tables["stops.txt"]?.replacing("C,Unserved,61.0,26.0", with: "C,x,0,0")
        let feed = try await fixture.read()
        #expect(feed.stops.count == 2 && feed.misplacedStops == 1 && feed.timesOnDemand == 1)
    }

    @Test(
        "Basic and extended route types yield travel modes",
        arguments: [
            (0, TransportMode.streetcar), (1, .subway), (2, .train), (3, .bus), (4, .ferry), (5, .streetcar),
            (6, .other),
            (7, .other), (11, .bus), (12, .train), (100, .train), (109, .train), (200, .bus), (400, .train),
            (401, .subway),
            (405, .train), (715, .bus), (800, .bus), (900, .streetcar), (1_000, .ferry), (1_100, .plane),
            (1_200, .ferry),
            (1_300, .other), (1_400, .other), (1_501, .taxi), (1_700, .other), (8, .other),
        ])
    func types(_ type: Int, _ mode: TransportMode) async throws {
        var fixture = FeedFixture()
        fixture.tables["routes.txt"] = "route_id,agency_id,route_type\n1,T,\(type)\n2,T,\(type)\n9,S,1"
        #expect(try await fixture.read().modes == [mode])
    }

    @Test(
        "Malformed tables are refused with file, line and column",
        arguments: [
            ("stops.txt", "60.1,24.9", "91,24.9", "stops.txt in ", ", line 2, column stop_lat: “91” is no"),
            ("stops.txt", "60.1,24.9", "60.1,", "stops.txt in ", ", line 2, column stop_lon: “” is no"),
            ("stops.txt", "60.1,24.9", "nan,24.9", "stops.txt in ", ", line 2, column stop_lat"),
            ("stops.txt", "stop_id", "id", "stops.txt in ", ", line 1: the column stop_id is missing"),
            ("stops.txt", "B,\"Harb", "Z,\"Harb", "", "stops.txt does not have the stop “B”"),
            ("stops.txt", "\" pier\"", "\" pier\"x", "stops.txt in ", ", line 3, field 2: text follows"),
            ("stops.txt", "pier\",", "pier,", "stops.txt in ", ", line 3: a quoted field"),
            ("routes.txt", "T,1,3", "T,1,bus", "routes.txt in ", ", line 2, column route_type: “bus” is not a number"),
            ("routes.txt", "1,T,1,3", "7,T,1,3", "", "routes.txt does not have the route “1”"),
            ("trips.txt", "1,WEEK", "1,WEAK", "trips.txt in ", ", line 2, column service_id: no calendar has"),
            ("trips.txt", "WEEK,1a", "WEEK,", "trips.txt in ", ", line 2, column trip_id: the field is empty"),
            (
                "calendar.txt", "20261231", "20260231", "calendar.txt in ",
                ", line 2, column end_date: “20260231” is not a day"
            ),
            ("calendar.txt", "20261231", "20251231", "calendar.txt in ", ", line 2, column end_date: the service ends"),
            ("calendar.txt", "WEEK,1", "WEEK,2", "calendar.txt in ", ", line 2, column monday: “2” is not a number"),
            (
                "calendar_dates.txt", "20261224,1", "20261224,3", "calendar_dates.txt in ",
                ", line 2, column exception_type"
            ),
            ("agency.txt", "Town Transport", "", "agency.txt in ", ", line 2, column agency_name: the field is empty"),
        ])
    func malformed(_ table: String, _ sound: String, _ broken: String, _ start: String, _ rest: String) async throws {
        var fixture = FeedFixture()
        let text = try #require(fixture.tables[table])
        try #require(text.contains(sound))
        fixture.tables[table] = text.replacing(sound, with: broken, maxReplacements: 1)
        let error = await #expect(throws: ImportError.self) { try await fixture.read() }
        #expect(error?.code == .malformed)
        #expect(
            error?.message.hasPrefix(start) == true && error?.message.contains(rest) == true, "\(error?.message ?? "")")
    }

    @Test("Missing tables, bad archives and invalid UTF-8 are refused")
    func missing() async throws {
        for table in ["agency.txt", "stops.txt", "routes.txt", "trips.txt", "stop_times.txt"] {
            var fixture = FeedFixture()
            let text = fixture.tables.removeValue(forKey: table)
            var error = await #expect(throws: ImportError.self) { try await fixture.read() }
            #expect(error?.message.contains("has no \(table)") == true)
            fixture.tables["feed/\(table)"] = text
            error = await #expect(throws: ImportError.self) { try await fixture.read() }
            #expect(error?.message.contains("top level") == true)
            fixture.tables[table] = ""
            error = await #expect(throws: ImportError.self) { try await fixture.read() }
            #expect(error?.message.hasSuffix("is empty") == true)
        }
        try await withTemporaryDirectory { directory in
            let path = try directory.write("no archive", to: "feed.zip")
            #expect(throws: ImportError.self) { try TransitFeed(path: path, from: FeedFixture.day) }
            #expect(throws: ImportError.self) { try TransitFeed(path: directory.file("none"), from: FeedFixture.day) }
            #expect(throws: ImportError.self) { try TransitFeed(path: directory.file(""), from: FeedFixture.day) }
        }
    }
}

import Glibc
import HunchModel
import Testing

@testable import JourneyWords
@testable import MapLinks
@testable import Places

/// Times of journeys in links, and the words next to a place that are not understood.
@Suite("Times in links")
struct LinkTimeTests {
    /// 24 December 2026, 18:00 in this computer's zone.
    private static let localEvening: Int = {
        var time = tm()
        (time.tm_year, time.tm_mon, time.tm_mday, time.tm_hour, time.tm_isdst) = (126, 11, 24, 18, -1)
        return Int(mktime(&time))
    }()
    /// 24 December 2026, 18:00 UTC.
    private static let evening = 1_798_135_200

    @Test(
        "The time of a publisher's link is read in this computer's zone",
        arguments: [
            ("https://maps.google.com/maps?saddr=Bern&daddr=Basel&dirflg=r&ttype=arr&date=12/24/26&time=6:00pm", true),
            ("https://maps.google.com/maps?saddr=Bern&daddr=Basel&dirflg=r&ttype=dep&date=12/24/26&time=18:00", false),
            (
                "https://www.google.com/maps/dir/Bern/Basel/@47,8,9z/data=!4m10!4m9!1m2!2m1!1sA!1m0!2m3!6e1!7e2!8j1798135200!3e3",
                true
            ),
            (
                "https://www.google.com/maps/dir/Bern/Basel/@47,8,9z/data=!4m10!4m9!1m2!2m1!1sA!1m0!2m3!6e0!7e2!8j1798135200!3e3",
                false
            ),
        ])
    func localTime(_ link: String, isArrival: Bool) throws {
        let time = try #require(try PlaceParser().parse(link).time)
        #expect(time.seconds(after: 0) == Self.localEvening)
        #expect(time.isArrival == isArrival)
    }

    @Test(
        "The time of a timetable's link is read in the zone of the timetable",
        arguments: [
            (
                "https://www.bahn.de/buchung/fahrplan/suche#sts=true&so=Bern&zo=Basel&zoid=A%3D1%40O%3DBasel%40&hd=2026-12-24T18:00:00&hza=A",
                true, 1
            ),
            (
                "https://reiseauskunft.bahn.de/bin/query.exe/dn?S=Bern&Z=Basel&REQ0JourneyDate=24.12.26&REQ0JourneyTime=18:00",
                false, 1
            ),
            ("https://www.bvg.de/x?S=Zoo&Z=Tegel&date=24.12.2026&time=18:00&timeSel=arrive&start=1", true, 1),
            (
                "https://www.sbb.ch/en?von=Bern&nach=Basel&date=%222026-12-24%22&time=%2218:00%22&moment=%22ARRIVAL%22",
                true, 1
            ),
            ("https://tfl.gov.uk/plan-a-journey/results?InputTo=Kew&date=20261224&time=1800&timeIs=arriving", true, 0),
            (
                "https://www.kvv.de/?name_destination=Bretten&itdDate=20261224&itdTime=1800&itdTripDateTimeDepArr=dep",
                false, 1
            ),
            (
                "https://www.ns.nl/reisplanner/#/?vertrek=Ede&aankomst=Delft&type=aankomst&tijd=2026-12-24T18:00", true,
                1
            ),
            ("https://idos.idnes.cz/vlaky/spojeni/?f=Brno&t=Praha&date=24.12.2026&time=18:00&arr=true", true, 1),
            (
                "https://www.navitime.co.jp/transfer/searchlist?dnvStationName=A&month=2026%2F12&day=24&hour=18&minute=00&basis=0",
                true, 9
            ),
            ("https://transit.yahoo.co.jp/search/result?from=A&to=B&y=2026&m=12&d=24&hh=18&m1=0&m2=0&type=4", true, 9),
            ("https://transit.yahoo.co.jp/search/result?from=A&to=B&y=2026&m=12&d=24&hh=18&m1=0&m2=0&type=1", false, 9),
            (
                "https://www.jorudan.co.jp/norikae/cgi/nori.cgi?eki1=A&eki2=B&Dym=202612&Ddd=24&Dhh=18&Dmn1=0&Dmn2=0&Cway=1",
                true, 9
            ),
            (
                "https://www.jorudan.co.jp/norikae/cgi/nori.cgi?eki1=A&eki2=B&Dyy=2026&Dmm=12&Ddd=24&Dhh=18&Dmn=0",
                false, 9
            ),
            ("https://opentdatach.github.io/ojp-demo-app/?to=47.3%2C8.5&trip_datetime=2026-12-24%2018:00", false, 1),
            ("https://trimet.org/home/?toPlace=A::45.5,-122.6&date=2026-12-24&time=18:00&arriveBy=true", true, -8),
        ])
    func timetable(_ link: String, isArrival: Bool, hoursFromUTC: Int) throws {
        let time = try #require(try PlaceParser().parse(link).time)
        #expect(time.seconds(after: 0) == Self.evening - hoursFromUTC * 3_600)
        #expect(time.isArrival == isArrival)
    }

    @Test("The time of a timetable's link is that of its summer in summer, and without a date that of this computer")
    func summerAndUndated() throws {
        let summer = try PlaceParser().parse("https://www.bahn.de/x#so=Bern&zo=Basel&hd=2027-07-01T18:00:00")
        #expect(summer.time?.seconds(after: 0) == 1_814_457_600)
        let undated = try PlaceParser().parse("https://www.bvg.de/x?S=Zoo&Z=Tegel&time=18:00")
        #expect(undated.time.map { $0 == JourneyTime("18:00") } == true)
    }

    @Test("A day, an hour and a minute of one digit in a link are read")
    func oneDigit() throws {
        let link = "https://www.jorudan.co.jp/norikae/cgi/nori.cgi?eki1=A&eki2=B&Dym=202612&Ddd=1&Dhh=9&Dmn=5"
        let place = try PlaceParser().parse(link)
        #expect(place.ignored == nil)
        let padded = try PlaceParser().parse(
            "https://www.jorudan.co.jp/norikae/cgi/nori.cgi?eki1=A&eki2=B&Dym=202612&Ddd=01&Dhh=09&Dmn1=0&Dmn2=5")
        #expect(place.time != nil && place.time == padded.time)
    }

    @Test(
        "A time with a zone in a link is read",
        arguments: [
            ("https://citymapper.com/directions?endcoord=51.5,-0.07&arriveby=2026-12-24T10:00:00-08:00", true),
            ("https://citymapper.com/directions?endcoord=51.5,-0.07&arrive_by=2026-12-24T18:00Z", true),
            ("https://citymapper.com/directions?endcoord=51.5,-0.07&arrival_time=2026-12-24T19%3A00%2B01%3A00", true),
            ("https://citymapper.com/directions?endcoord=51.5,-0.07&departat=2026-12-24T18:00:00Z", false),
            ("https://reittiopas.hsl.fi/reitti/-/Oodi%3A%3A60.17397%2C24.938158?time=1798135200&arriveBy=true", true),
            ("https://reittiopas.hsl.fi/reitti/-/Oodi%3A%3A60.17397%2C24.938158?time=1798135200&arriveBy=false", false),
            ("https://transitous.org/?toPlace=52.5219%2C13.4132&time=2026-12-24T18:00:00Z&arriveBy=true", true),
            ("https://reise.atb.no/assistant?toLat=63.4&toLon=10.4&searchMode=arriveBy&searchTime=1798135200000", true),
        ])
    func instant(_ link: String, isArrival: Bool) throws {
        let time = try #require(try PlaceParser().parse(link).time)
        #expect(time.seconds(after: 0) == Self.evening)
        #expect(time.isArrival == isArrival)
    }

    @Test(
        "A link without a time has none, and an unreadable time is named",
        arguments: [
            ("https://maps.google.com/maps?daddr=Basel&ttype=now&time=9:00", nil),
            ("https://maps.google.com/maps?daddr=Basel&dirflg=r", nil),
            ("https://maps.google.com/maps?daddr=Basel&ttype=arr&date=99/99/26&time=soon", "99/99/26"),
            ("https://citymapper.com/directions?endcoord=51.5,-0.07&arriveby=tomorrow-ish", "tomorrow-ish"),
        ] as [(String, String?)])
    func withoutTime(_ link: String, ignored: String?) throws {
        let place = try PlaceParser().parse(link)
        #expect(place.time == nil)
        #expect(place.ignored == ignored)
    }

    @Test("The words next to a link take precedence over its own time")
    func wordsFirst() throws {
        let link = "https://citymapper.com/directions?endcoord=51.5,-0.07&arrival_time=2026-12-24T18:00Z"
        let place = try PlaceParser().parse("\(link) by bus on 2026-12-25 at 9:00")
        #expect(place.modes == [.bus] && place.time?.isArrival == false)
        #expect(place.time.map { $0.seconds(after: 0) > Self.evening } == true)
    }

    @Test(
        "Words behind a link whose last field is not a place keep its mode",
        arguments: [
            ("destination=Leipzig&travelmode=bicycling tomorrow at 9", "Leipzig", [.bike]),
            ("destination=Leipzig&travelmode=transit tomorrow at 9", "Leipzig", TransportMode.transit),
            ("destination=Bad+Saarow&travelmode=bicycling tomorrow at 9", "Bad Saarow", [.bike]),
            ("travelmode=bicycling&destination=Bad Saarow tomorrow at 9", "Bad Saarow", [.bike]),
            ("destination=Leipzig&travelmode=bicycling tomorrow at 9 by train", "Leipzig", [.train]),
        ] as [(String, String, Set<TransportMode>)])
    func wordsBehindMode(_ fields: String, destination: String, modes: Set<TransportMode>) throws {
        let place = try PlaceParser().parse("https://www.google.com/maps/dir/?api=1&\(fields)")
        #expect(place.item.query == destination && place.modes == modes && place.time != nil)
    }

    @Test(
        "Words next to a place are named if they are neither part of it nor understood",
        arguments: [
            ("Treffpunkt 52.4, 13.07 morgen 18 Uhr", "Treffpunkt", nil),
            ("Brandenburger Tor (52.5163, 13.3777) by bus", "Brandenburger Tor", nil),
            ("Parkplatz 48.137, 11.575", "Parkplatz", nil), ("meet me at 52.4, 13.07 tomorrow 6pm", nil, nil),
            ("wir treffen uns bei 52.4, 13.07 am Freitag um 9", nil, nil),
            ("I'm at 48.1374, 11.5755, come over", nil, "come over"),
            ("Dinner: https://osm.org/go/0EEQjE-- at 8", nil, "Dinner"),
            ("52.4, 13.07 mit dem RE1", nil, "RE1"), ("see you at 8FVC9G8F+6X tomorrow at 9", nil, nil),
            ("https://maps.google.com/?q=101 Spear Street, San Francisco", nil, nil),
        ] as [(String, String?, String?)])
    func otherWords(_ text: String, name: String?, ignored: String?) throws {
        let place = try PlaceParser().parse(text)
        #expect(place.item.name == name)
        #expect(place.ignored == ignored)
    }

    @Test(
        "Sizes and scores are not coordinates",
        arguments: ["Score 3.5, 4.5", "Paper 21.0 x 29.7", "Size 3.25, 99.75, 4"])
    func noCoordinate(_ text: String) throws {
        #expect(try PlaceParser().parse(text).item.coordinate == nil)
    }
}

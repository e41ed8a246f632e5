import HunchModel
import Testing

@testable import Browsers

@Suite("The subject of a page")
struct PageSubjectTests {
    private func read(_ data: String, url: String = "https://Example.org/a", title: String = "") -> PageSubject? {
        PageSubject(
            BrowserMessage.Page(
                url: url, title: title, html: "<script type='application/ld+json'>\(data)</script>"))
    }

    @Test("The position of a page without one is in its link to a map")
    func map() throws {
        let subject = try #require(
            read(#"{"@type":"Museum","name":"M","hasMap":"https://www.google.com/maps/place/M/@48.2,16.37,17z"}"#))
        #expect(subject.place == MapItem(name: "M", coordinate: try Coordinate(latitude: 48.2, longitude: 16.37)))
        #expect(subject.found.hasPlace)
        let known = try #require(
            read(#"{"@type":"Museum","name":"M","geo":"1,2","hasMap":"https://www.google.com/maps/@48.2,16.37,17z"}"#))
        #expect(known.place?.coordinate == (try Coordinate(latitude: 1, longitude: 2)))
        #expect(
            try #require(read(#"{"@type":"Museum","name":"M","hasMap":"https://example.org/map.png"}"#)).place == nil)
    }

    @Test("Reading ends when the caller requests it")
    func deadline() {
        let item = #"{"@type":"Place","name":"P"}"#
        let html =
            "<script type='application/ld+json'>[\(Array(repeating: item, count: 9_000).joined(separator: ","))]</script>"
        var questions = 0
        _ = PageSubject(BrowserMessage.Page(url: "https://example.org/a", title: "", html: html)) {
            questions += 1
            return true
        }
        #expect(questions == 1)
    }

    @Test("A restaurant becomes an activity with its place")
    func restaurant() throws {
        let subject = try #require(
            read(
                #"""
                {"@type": "Restaurant", "name": "Yank Sing", "telephone": "+1 415", "address": {"streetAddress": "101 Spear St",
                "addressLocality": "San Francisco", "addressCountry": "us"}, "geo": {"latitude": "37.79", "longitude": -122.39}}
                """#))
        let activity = subject.activity
        #expect(activity.title == "Yank Sing" && activity.webPageURL == "https://Example.org/a")
        #expect(activity.group == "example.org" && activity.isEligibleForSuggestion)
        let address = PostalAddress(street: "101 Spear St", city: "San Francisco", countryCode: "US")
        let place = MapItem(
            name: "Yank Sing", coordinate: try Coordinate(latitude: 37.79, longitude: -122.39), address: address,
            phoneNumber: "+1 415")
        #expect(activity.place == place)
        #expect(
            subject.found == BrowserAnswer.Found(title: "Yank Sing", kind: "place", type: "Restaurant", hasPlace: true))
    }

    @Test("The place of an event is its venue, and that of a journey is where it departs")
    func venues() {
        let concert = read(
            #"{"@type": "MusicEvent", "name": "Concert", "location": {"@type": "Place", "name": "Philharmonie", "address": {"addressLocality": "Berlin"}}}"#
        )
        #expect(concert?.place?.name == "Philharmonie" && concert?.place?.address?.city == "Berlin")
        let train = read(
            #"""
            {"@type": "TrainReservation", "reservationFor": {"@type": "TrainTrip", "trainNumber": "ICE 1",
            "departureStation": {"name": "Berlin Hbf", "geo": {"latitude": 52.5, "longitude": 13.4}}}}
            """#, title: "Your ticket")
        #expect(train?.title == "Your ticket" && train?.place?.name == "Berlin Hbf")
        #expect(train?.place?.coordinate?.latitude == 52.5)
        let named = read(#"{"@type": "Event", "name": "Talk", "location": "Town Hall, Oslo"}"#)
        #expect(named?.place == MapItem(name: "Town Hall, Oslo", query: "Town Hall, Oslo"))
    }

    @Test("Pages that name no place have none, and 0, 0 is not a position")
    func withoutPlaces() {
        #expect(read(#"{"@type": "Restaurant", "name": "Chain"}"#)?.place == nil)
        #expect(read(#"{"@type": "Restaurant", "name": "X", "geo": {"latitude": 0, "longitude": 0}}"#)?.place == nil)
        #expect(read(#"{"@type": "Event", "name": "Webinar"}"#)?.place == nil)
    }

    @Test("A list of places is about none, unless the title names one")
    func lists() {
        func page(_ title: String) -> PageSubject? {
            let data = #"[{"@type": "Zoo", "name": "Zoo A"}, {"@type": "Museum", "name": "Museum B"}]"#
            return PageSubject(
                BrowserMessage.Page(
                    url: "https://example.org/", title: title,
                    html: "<title>\(title)</title><script type='application/ld+json'>\(data)</script>"))
        }
        #expect(page("Ten tips") == nil)
        #expect(page("museum b: welcome")?.title == "Museum B")
    }

    @Test("A journey is called by its connection and its ends")
    func journeys() {
        let flight = read(
            #"""
            {"@type": "FlightReservation", "reservationFor": {"flightNumber": "110", "airline": {"name": "United"},
            "departureAirport": {"name": "San Francisco", "iataCode": "SFO"}, "arrivalAirport": {"iataCode": "JFK"}}}
            """#, title: "Your booking")
        #expect(flight?.title == "United 110: San Francisco → JFK")
    }

    @Test("Articles are not remembered")
    func others() {
        let article = read(#"{"@type": "NewsArticle", "headline": "News"}"#)?.activity
        #expect(article?.title == "News" && article?.isEligibleForSuggestion == false)
    }

    @Test(
        "Pages without a subject, a title or a web address are ignored",
        arguments: [
            ("{}", "https://example.org/", "T"), (#"{"@type": "Event"}"#, "https://example.org/", ""),
            (#"{"@type": "Event", "name": "E"}"#, "file:///etc/passwd", "T"),
            (#"{"@type": "Event", "name": "E"}"#, "https://" + String(repeating: "a", count: 5_000), "T"),
        ])
    func nothing(data: String, url: String, title: String) {
        #expect(read(data, url: url, title: title) == nil)
    }

    @Test("An event has its time unless it is cancelled, and a day as its end is included")
    func times() throws {
        func activity(_ more: String) -> Activity? {
            read(#"{"@type": "Event", "name": "E", \#(more)}"#)?.activity
        }
        let concert = activity(#""startDate": "2026-12-24T20:00:00+01:00", "endDate": "2026-12-24T22:00+01:00""#)
        #expect(concert?.start == WrittenTime("2026-12-24T19:00Z")?.date)
        #expect(concert?.end == WrittenTime("2026-12-24T21:00Z")?.date)
        let fair = activity(#""startDate": "2026-06-02", "endDate": "2026-06-02""#)
        #expect(fair?.start == WrittenTime("2026-06-02")?.date && fair?.end == WrittenTime("2026-06-03")?.date)
        #expect(activity(#""startDate": "2026-06-02", "endDate": "2026-06-01""#)?.end == nil)
        let cancelled = #""startDate": "2026-06-02", "eventStatus": "https://schema.org/EventCancelled""#
        #expect(activity(cancelled)?.start == nil)
        #expect(activity(#""startDate": "soon""#)?.start == nil)
    }

    @Test(
        "An event on the web has no place",
        arguments: [
            #"{"@type": "VirtualLocation", "name": "Zoom", "url": "https://zoom.us/j/1"}"#, #""https://zoom.us/j/1""#,
        ])
    func online(location: String) {
        let event = read(#"{"@type": "Event", "name": "E", "startDate": "2026-06-02", "location": \#(location)}"#)
        #expect(event != nil && event?.place == nil)
    }

    @Test("Music and videos complete what the browser's player says")
    func media() {
        let song = read(
            #"""
            {"@type": "MusicRecording", "name": "Song", "byArtist": {"name": "Band"}, "inAlbum": {"name": "Album"},
            "image": "https://example.org/cover.png"}
            """#, title: "Song by Band – Site")
        let media = NowPlayingInfo(
            title: "Song", artists: ["Band"], album: "Album", artworkURL: "https://example.org/cover.png")
        #expect(song?.activity.title == "Song by Band – Site" && song?.activity.media == media)
        #expect(song?.activity.isEligibleForSuggestion == false && song?.activity.isEligibleForSearch == false)
        #expect(song?.found.title == "Song")
        // A page could show a file of this machine otherwise.
        let local = read(#"{"@type": "VideoObject", "name": "Film", "image": "file:///home/me/photo.jpg"}"#)
        #expect(local?.activity.title == "Film" && local?.activity.media == NowPlayingInfo(title: "Film"))
        #expect(read(#"{"@type": "Zoo", "name": "Zoo"}"#)?.activity.media == nil)
    }

    @Test("Texts of a page are cut to what an activity may have")
    func longTexts() {
        let long = String(repeating: "ä", count: 5_000)
        let place = read(#"{"@type": "Zoo", "name": "\#(long)", "address": {"streetAddress": "\#(long)"}}"#)
        #expect((place?.activity.title.utf8.count ?? .max) <= Activity.Limit.title)
        #expect((place?.place?.address?.street?.utf8.count ?? .max) <= 1_024)
    }

    @Test(
        "Messages are objects with a number and one known key",
        arguments: [
            "", "[]", "{}", #"{"left": "a"}"#, #"{"id": 1}"#, #"{"id": 1, "left": 1}"#,
            #"{"id": 1, "page": {"url": "u"}}"#,
            #"{"id": 1, "left": "a", "excluded": "b"}"#, #"{"id": 1, "other": "a"}"#, #"{"id": "1", "left": "a"}"#,
        ])
    func badMessages(text: String) {
        #expect(throws: (any Error).self) { try BrowserRequest(json: Array(text.utf8)) }
    }

    @Test("Known messages are read")
    func messages() throws {
        let left = try BrowserRequest(json: Array(#"{"id": 7, "left": "a"}"#.utf8))
        #expect(left.id == 7 && left.message == .left("a"))
        let page = BrowserMessage.Page(url: "u", title: "t", html: "h")
        let text = #"{"id": 8, "directions": {"url": "u", "title": "t", "html": "h"}}"#
        #expect(try BrowserRequest(json: Array(text.utf8)).message == .directions(page))
    }
}

@testable import GazetteerImport
import Geocoding
import HunchModel
import Gazetteers
import TestSupport
import Testing

@Suite("Calendar locations that are not places") struct PlacelessTests {
    @Test(
        "Text without a place is refused",
        arguments: [
            "Zoom", "ZOOM", "Zoom Meeting", "Zoom: 123 456 7890", "Zoom (link in description)", "Room 3B", "Rm. 101",
            "room A", "Raum 2.14",
            "Salle 12", "Conference room", "Conference Room 4", "Meeting Room Blue", "conference room B2", "TBD", "tba",
            "n/a", "N.A.", "Online",
            "online", "Virtual", "Microsoft Teams Meeting", "Microsoft Teams", "Google Meet", "Phone call",
            "Besprechungsraum 3", "3. Stock",
            "https://zoom.us/j/123456", "Join: https://meet.google.com/abc-defg-hij", "www.example.org/x",
            "mailto:a@example.org", "会議室", "Онлайн",
            "Webex", "Skype for Business", "To be announced", "2nd floor", "Room 77B, 3rd floor", "Etage 2 Raum 5",
            "wird noch bekannt gegeben", "+49 30 1234567", "+44 (0)20 7946 0018", "tel:+4930123456", "geo:0,0?q=Berlin",
        ])
    func isRefused(text: String) async throws {
        try await withTemporaryDirectory { directory in
            let gazetteer = try Gazetteer(GazetteerFixture.make(in: directory))
            let error = #expect(throws: GeocoderError.self) { try gazetteer.candidates(for: GeocodingQuery(text)) }
            #expect(error?.code == .notAPlace)
        }
    }

    /// Towns of these names exist, or addresses with these words in them.
    @Test(
        "Text that may be a place is looked up",
        arguments: [
            "Remote", "Remote, Oregon", "Call", "Sala", "Salle", "Hall",
            "Zoom Erlebniswelt, Gelsenkirchen", "Room Street",
            "Meeting House Lane", "Floor Street Building", "Teams", "Stock", "Stock 12, Essex", "Building",
            "Sala Sweden",
            "Gate",
        ])
    func isLookedUp(name: String) async throws {
        try await withTemporaryDirectory { directory in
            let file = GazetteerFile(path: directory.file("g.sqlite"))
            _ = try file.importSource(GazetteerFixture.source("towns")) { writer in
                for name in [name, "Rome", "Holmes"] {
                    try writer.add(
                        GazetteerPlace(
                            name: name, kind: .city, coordinate: Coordinate(latitude: 1, longitude: 2), importance: 0.2)
                    )
                }
            }
            let found = try Gazetteer(file).candidates(for: GeocodingQuery(name))
            #expect(found.first?.item.name == name)
        }
    }

    @Test("An everyday word does not match a similarly named town")
    func everyday() async throws {
        try await withTemporaryDirectory { directory in
            let file = GazetteerFile(path: directory.file("g.sqlite"))
            _ = try file.importSource(GazetteerFixture.source("towns")) { writer in
                for name in ["Homen", "Calle", "Workum"] {
                    try writer.add(
                        GazetteerPlace(
                            name: name, kind: .city, coordinate: Coordinate(latitude: 1, longitude: 2), importance: 0.2)
                    )
                }
            }
            for text in ["home", "Work"] { #expect(try Gazetteer(file).candidates(for: GeocodingQuery(text)).isEmpty) }
            #expect(try Gazetteer(file).candidates(for: GeocodingQuery("Hommen")).count == 1)
        }
    }
}

import AgentInterface
import FoundationEssentials
import HunchModel
import Testing

@testable import OnlineGeocoder

@Suite("Bad coordinates in the answer of a service", .timeLimit(.minutes(15))) struct BadCoordinateTests {
    private func nominatim(_ places: [(String, String)]) -> Data {
        let list = places.map { #"{"lat":"\#($0)","lon":"\#($1)","display_name":"X"}"# }
        return Data("[\(list.joined(separator: ","))]".utf8)
    }

    private func photon(_ positions: [String]) -> Data {
        let list = positions.map { #"{"geometry":{"coordinates":[\#($0)]},"properties":{"name":"X"}}"# }
        return Data(#"{"features":[\#(list.joined(separator: ","))]}"#.utf8)
    }

    @Test("One place with a bad coordinate is left out")
    func one() throws {
        let good = try Coordinate(latitude: 52.5, longitude: 13.4)
        for bad in [("91", "0"), ("x", "1"), ("1", "999"), ("", "")] {
            let places = try NominatimService().places(in: nominatim([bad, ("52.5", "13.4")]))
            #expect(places.map(\.item.coordinate) == [good])
        }
        for bad in ["0,91", "999,1", "1", ""] {
            let places = try PhotonService().places(in: photon([bad, "13.4,52.5"]))
            #expect(places.map(\.item.coordinate) == [good])
        }
    }

    @Test("A malformed place is left out")
    func malformed() throws {
        let good = try Coordinate(latitude: 52.5, longitude: 13.4)
        for bad in ["{}", "null", "7", #"{"lat":null,"lon":"1","display_name":"X"}"#, #"{"lat":1,"lon":2}"#] {
            let body = #"[\#(bad),{"lat":"52.5","lon":"13.4","display_name":"X"}]"#
            #expect(try NominatimService().places(in: Data(body.utf8)).map(\.item.coordinate) == [good], "\(bad)")
        }
        for bad in ["{}", "null", #"{"geometry":null,"properties":{}}"#, #"{"geometry":{"coordinates":[null,1]}}"#] {
            let place = #"{"geometry":{"coordinates":[13.4,52.5]},"properties":{"name":"X"}}"#
            let body = #"{"features":[\#(bad),\#(place)]}"#
            #expect(try PhotonService().places(in: Data(body.utf8)).map(\.item.coordinate) == [good], "\(bad)")
        }
    }

    @Test("An answer of bad coordinates alone is refused")
    func all() throws {
        #expect(throws: BadCoordinates.self) { try NominatimService().places(in: nominatim([("91", "0")])) }
        #expect(throws: BadCoordinates.self) { try PhotonService().places(in: photon(["0,91"])) }
        #expect(try PhotonService().places(in: photon([])).isEmpty)
    }
}

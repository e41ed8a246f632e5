internal import GRDB
internal import HunchModel

extension HistoryStore {
    static func writeWhereabouts(_ db: Database, _ writer: inout LineWriter) throws {
        for place in try Row.fetchAll(db, sql: "SELECT * FROM place ORDER BY number").compactMap(KnownPlace.init) {
            try writer.add(
                ExportLine.PlaceLine(
                    number: place.number, word: place.word, latitude: place.coordinate.latitude,
                    longitude: place.coordinate.longitude, date: ExportLine.text(of: Stored.milliseconds(place.date))))
        }
        for stay in try Row.fetchAll(db, sql: "SELECT * FROM stay ORDER BY begin").compactMap(Stay.init) {
            try writer.add(
                ExportLine.StayLine(
                    place: stay.place, begin: ExportLine.text(of: Stored.milliseconds(stay.begin)),
                    end: ExportLine.text(of: Stored.milliseconds(stay.end))))
        }
    }
}

extension ExportLine {
    struct PlaceLine: Codable {
        var type = "place"
        let number: Int
        let word: String
        let latitude, longitude: Double
        let date: String
    }

    struct StayLine: Codable {
        var type = "stay"
        let place: Int
        let begin, end: String
    }
}

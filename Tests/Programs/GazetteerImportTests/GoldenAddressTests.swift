import FoundationEssentials
import GazetteerImport
import Geocoding
import HunchModel
import Gazetteers
import TestSupport
import Testing

/// Addresses and names as people write them, asked of towns from a GeoNames dump and houses from a GeoJSON text sequence.
@Suite("Addresses as people write them") struct GoldenAddressTests {
    private static func file(_ name: String) throws -> String {
        let folder = "/" + #filePath.split(separator: "/").dropLast().joined(separator: "/") + "/Addresses"
        return try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
    }

    private struct Row {
        let query: String
        /// The name, “-”, or the error.
        let answer: String
        let position: Coordinate?

        init(_ line: Substring) throws {
            let fields = line.split(separator: "\t")
            try #require(fields.count == 2, "“\(line)” is not a query and an answer")
            query = String(fields[0])
            let parts = fields[1].split(separator: " | ")
            answer = String(parts[0])
            let numbers = parts.dropFirst().flatMap { $0.split(separator: ",").compactMap { Double($0) } }
            position = numbers.count == 2 ? try Coordinate(latitude: numbers[0], longitude: numbers[1]) : nil
        }
    }

    private func first(_ query: String, in gazetteer: Gazetteer) -> (answer: String, position: Coordinate?) {
        do throws(GeocoderError) {
            let item = try gazetteer.candidates(for: GeocodingQuery(query)).first?.item
            return (item?.name ?? "-", item?.coordinate)
        } catch {
            return ("error: \(error.code)", nil)
        }
    }

    @Test("Each address finds the expected place first")
    func queries() async throws {
        try await withTemporaryDirectory { directory in
            let fixture = ImportFixture(directory)
            try directory.write(Self.file("admin1CodesASCII.txt"), to: "admin1CodesASCII.txt")
            try fixture.add(Self.file("cities500.txt"), as: "cities500.txt")
            let features = try Self.file("addresses.geojsonseq").split(separator: "\n").map { "\u{1E}\($0)\n" }
            try fixture.add(features.joined(), as: "addresses.geojsonseq")
            let gazetteer = try Gazetteer(fixture.file)
            let rows = try Self.file("queries.tsv").split(separator: "\n").filter { !$0.hasPrefix("#") }.map(Row.init)
            #expect(rows.count > 100)
            for row in rows {
                let found = first(row.query, in: gazetteer)
                #expect(found.answer == row.answer, "\(row.query)")
                if let wanted = row.position {
                    let distance = found.position?.distance(to: wanted) ?? .infinity
                    #expect(distance < 150, "\(row.query): \(distance) m away")
                }
            }
        }
    }
}

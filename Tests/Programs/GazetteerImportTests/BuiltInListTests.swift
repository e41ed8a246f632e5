import Directions
import Foundation
import GRDB
import GazetteerImport
import Glibc
import HunchModel
import TestSupport
import Testing

@testable import Gazetteers
@testable import Geocoding
@testable import JourneyWords

/// GNOME's place list, which fills the gazetteer on first use, asked for every town that it has.
@Suite(.timeLimit(.minutes(15))) struct BuiltInListTests {
    /// A text and where the towns lie that it may mean.
    private struct Question: Sendable {
        var text: String
        var positions: [Coordinate]
    }

    /// The counts of answers by outcome.
    private struct Tally: CustomStringConvertible, Sendable {
        var (right, asked, missing) = (0, 0, 0)
        var wrong: [String] = []

        var total: Int { right + asked + missing + wrong.count }
        var description: String {
            "\(right) certain and right, \(asked) asked about, \(missing) not found, wrong: \(wrong)"
        }
    }

    /// The distance in metres within which an answer is right.
    private static let tolerance = 50_000.0

    private static func ask(_ questions: [Question], _ file: GazetteerFile) throws -> Tally {
        let gazetteer = try Gazetteer(file)
        var tally = Tally()
        for question in questions {
            let found = (try? gazetteer.candidates(for: GeocodingQuery(question.text, limit: 5))) ?? []
            switch GeocodingOutcome(found) {
            case .certain(let taken):
                let position = try #require(taken.item.coordinate)
                if question.positions.contains(where: { $0.distance(to: position) < tolerance }) {
                    tally.right += 1
                } else {
                    tally.wrong.append("\(question.text): \(taken.label)")
                }
            case .ambiguous: tally.asked += 1
            case .unresolved(let candidates):
                if candidates.isEmpty { tally.missing += 1 } else { tally.asked += 1 }
            }
        }
        return tally
    }

    /// The stride through the names that are not a town's own, because asking about all of them takes eight minutes.
    private static let strideOfOtherNames = 4

    /// Each town's own name, some of the other names, and each town's own name with its country's.
    private static func questions(_ file: GazetteerFile) throws -> (names: [Question], withCountry: [Question]) {
        var names: Set<String> = []
        var ownNames: Set<String> = []
        var withCountry: [String: Question] = [:]
        var towns: [String: [Coordinate]] = [:]
        try DatabaseQueue(path: file.path).read { db in
            let rows = try Row.fetchCursor(
                db,
                sql: """
                    SELECT place.name, place.alternates, latitude, longitude, ifnull(country.name, area.name)
                    FROM place JOIN area ON area.id = area_id LEFT JOIN area AS country ON country.id = area.parent_id
                    WHERE kind = 'city'
                    """)
            while let row = try rows.next() {
                let position = try Coordinate(latitude: row[2], longitude: row[3])
                let (name, country): (String, String) = (row[0], row[4])
                ownNames.insert(name)
                for text in [name] + GazetteerEntry.lines(row[1]) {
                    names.insert(text)
                    // Names that are folded alike are one name.
                    towns[WordFolding.joined(text), default: []].append(position)
                }
                withCountry["\(name), \(country)", default: Question(text: "\(name), \(country)", positions: [])]
                    .positions.append(position)
            }
        }
        let others = names.subtracting(ownNames).sorted()
        let asked = ownNames + stride(from: 0, to: others.count, by: strideOfOtherNames).map { others[$0] }
        let complete = asked.map { Question(text: $0, positions: towns[WordFolding.joined($0)] ?? []) }
        return (complete, Array(withCountry.values))
    }

    /// Runs minutes of work on a thread of its own, which leaves the processor to other tests.
    private static func onIdleThread<Value: Sendable>(
        _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                // On Linux it is the thread's own; a failure only makes the others slower.
                _ = nice(19)
                continuation.resume(with: Result(catching: body))
            }
        }
    }

    @Test("No town of the built-in list is mistaken for another one")
    func everyTown() async throws {
        let list = try #require(GazetteerImport.installedPlaceLists(environment: [:]).last)
        try await withTemporaryDirectory { directory in
            let file = GazetteerFile(path: directory.file("gazetteer.sqlite"))
            let (byName, byCountry) = try await Self.onIdleThread {
                _ = try GazetteerImport(into: file).importFile(at: list, date: Date(timeIntervalSince1970: 0))
                let (names, withCountry) = try Self.questions(file)
                return (try Self.ask(names, file), try Self.ask(withCountry, file))
            }
            #expect(byName.wrong.isEmpty, "\(byName)")
            #expect(byName.right > byName.total * 9 / 10, "\(byName)")
            #expect(byCountry.wrong.isEmpty, "\(byCountry)")
            #expect(byCountry.right > byCountry.total * 9 / 10, "\(byCountry)")
        }
    }
}

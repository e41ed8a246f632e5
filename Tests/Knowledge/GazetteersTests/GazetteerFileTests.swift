@testable import GazetteerImport
import FoundationEssentials
import HunchModel
import TestSupport
import Testing

@testable import Gazetteers
@testable import Geocoding

@Suite struct GazetteerFileTests {
    private struct Stop: Error {}

    private func names(_ file: GazetteerFile, _ text: String) throws -> [String] {
        try Gazetteer(file).candidates(for: GeocodingQuery(text)).compactMap(\.item.name)
    }

    private func add(_ name: String, latitude: Double = 1, to file: GazetteerFile, source: String) throws {
        _ = try file.importSource(GazetteerFixture.source(source)) { writer in
            let area = try writer.add(
                GazetteerArea(name: "Land \(source)", aliases: [], countryCode: nil, isCountry: true))
            try writer.add(
                GazetteerPlace(
                    name: name, kind: .city, coordinate: try Coordinate(latitude: latitude, longitude: 1),
                    importance: 0.5,
                    area: area))
        }
    }

    @Test(
        "The file is in the folder of its path",
        arguments: [("g.sqlite", "."), ("/g.sqlite", "/"), ("a/g.sqlite", "a"), ("/a/b/g.sqlite", "/a/b")])
    func liesInTheFolderThatItsPathSays(path: String, folder: String) {
        #expect(GazetteerFile(path: path).folder == folder)
    }

    @Test("The sources are listed")

    func tellsItsSources() async throws {
        try await withTemporaryDirectory { directory in
            let file = try GazetteerFixture.make(in: directory)
            let source = try #require(try file.sources().first)
            #expect(source.name == "fixture")
            #expect(source.placeCount == 15)
            #expect(source.licence == "CC0-1.0")
            #expect(source.attribution == "Nobody")
            #expect(source.fileDate == GazetteerFixture.epoch)
            #expect(source.importDate == GazetteerFixture.epoch)
        }
    }

    @Test("Sources are replaced and removed separately")

    func sourcesAreKeptApart() async throws {
        try await withTemporaryDirectory { directory in
            let file = GazetteerFile(path: directory.file("g.sqlite"))
            try add("Alpha", to: file, source: "one")
            try add("Beta", to: file, source: "two")
            #expect(try file.sources().map(\.name) == ["one", "two"])
            #expect(try names(file, "Alpha, Land one") == ["Alpha"])
            #expect(try names(file, "Beta") == ["Beta"])

            try add("Gamma", to: file, source: "one")
            #expect(try file.sources().map(\.placeCount) == [1, 1])
            #expect(try names(file, "Alpha").isEmpty)
            #expect(try names(file, "Gamma Land one") == ["Gamma"])
            #expect(try names(file, "Beta Land two") == ["Beta"])
            #expect(try Gazetteer(file).places(near: Coordinate(latitude: 1, longitude: 1), limit: 10).count == 2)

            #expect(try file.removeSource(named: "two"))
            #expect(try names(file, "Beta").isEmpty)
            #expect(try names(file, "Gamma") == ["Gamma"])
            #expect(try !file.removeSource(named: "two"))
            #expect(try file.removeSource(named: "one"))
            #expect(!file.exists)
            #expect(try file.sources().isEmpty)
        }
    }

    @Test("The same place from two sources is one candidate")

    func theSamePlaceOfTwoSourcesIsOneCandidate() async throws {
        try await withTemporaryDirectory { directory in
            let file = GazetteerFile(path: directory.file("g.sqlite"))
            try add("Alpha", latitude: 1, to: file, source: "one")
            try add("Alpha", latitude: 1.05, to: file, source: "two")
            try add("Alpha", latitude: 20, to: file, source: "three")
            let found = try Gazetteer(file).candidates(for: GeocodingQuery("Alpha"))
            // As likely as the third, however many sources have it.
            #expect(found.map { ($0.confidence * 100).rounded() } == [50, 50])
        }
    }

    @Test(
        "Small words in town names may be abbreviated",
        arguments: ["Bad Homburg v. d. Höhe", "bad homburg v.d. höhe", "Freiburg i. Br.", "freiburg i.br."])
    func smallWordsOfTownsAreAbbreviated(text: String) async throws {
        try await withTemporaryDirectory { directory in
            let file = GazetteerFile(path: directory.file("g.sqlite"))
            for name in ["Bad Homburg vor der Höhe", "Freiburg im Breisgau", "Breitenau"] {
                try add(name, latitude: Double(name.utf8.count), to: file, source: name)
            }
            let found = try names(file, text)
            #expect(found.map { $0.prefix(4).lowercased() } == [text.prefix(4).lowercased()])
        }
    }

    @Test("A town named in two languages is one candidate")

    func aTownThatSourcesNameInOtherLanguagesIsOneCandidate() async throws {
        try await withTemporaryDirectory { directory in
            let file = GazetteerFile(path: directory.file("g.sqlite"))
            for (name, alternates, latitude) in [("Cologne", ["Köln", "Keulen"], 1.0), ("Köln", [], 1.05)] {
                _ = try file.importSource(GazetteerFixture.source(name)) { writer in
                    try writer.add(
                        GazetteerPlace(
                            name: name, alternates: alternates, kind: .city,
                            coordinate: try Coordinate(latitude: latitude, longitude: 1), importance: 0.5))
                }
            }
            for text in ["Köln", "Cologne"] {
                let found = try Gazetteer(file).candidates(for: GeocodingQuery(text))
                #expect(found.count == 1 && found.first?.confidence == 1, "\(text)")
            }
        }
    }

    @Test("A failed import keeps the old places")

    func aFailedImportLeavesTheOldPlaces() async throws {
        try await withTemporaryDirectory { directory in
            let file = GazetteerFile(path: directory.file("g.sqlite"))
            try add("Alpha", to: file, source: "one")
            #expect(throws: Stop.self) {
                try file.importSource(GazetteerFixture.source("one")) { writer in
                    try writer.add(
                        GazetteerPlace(
                            name: "Beta", kind: .city, coordinate: try Coordinate(latitude: 1, longitude: 1),
                            importance: 0))
                    throw Stop()
                }
            }
            #expect(try names(file, "Alpha") == ["Alpha"])
            #expect(try names(file, "Beta").isEmpty)
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["g.sqlite"])
        }
    }

    @Test("Only one import runs at a time")

    func oneImportAtATime() async throws {
        try await withTemporaryDirectory { directory in
            let file = GazetteerFile(path: directory.file("g.sqlite"))
            try add("Alpha", to: file, source: "one")
            _ = try file.importSource(GazetteerFixture.source("two")) { _ throws in
                let second = #expect(throws: GeocoderError.self) { try add("Beta", to: file, source: "three") }
                #expect(second?.code == .busy)
                let removal = #expect(throws: GeocoderError.self) { try file.remove() }
                #expect(removal?.code == .busy)
                #expect(try names(file, "Alpha") == ["Alpha"])
            }
        }
    }

    @Test("An open gazetteer works after the file is replaced")

    func anOpenGazetteerOutlivesItsReplacement() async throws {
        try await withTemporaryDirectory { directory in
            let file = GazetteerFile(path: directory.file("g.sqlite"))
            try add("Alpha", to: file, source: "one")
            let open = try Gazetteer(file)
            let geocoder = GazetteerGeocoder(file)
            #expect(try await geocoder.candidates(for: GeocodingQuery("Alpha")).count == 1)

            try add("Beta", to: file, source: "one")
            #expect(try open.candidates(for: GeocodingQuery("Alpha")).count == 1)
            #expect(try await geocoder.candidates(for: GeocodingQuery("Alpha")).isEmpty)
            #expect(try await geocoder.candidates(for: GeocodingQuery("Beta")).count == 1)
            #expect(try await geocoder.places(near: Coordinate(latitude: 0, longitude: 0), limit: 3).count == 1)

            try file.remove()
            await #expect { _ = try await geocoder.candidates(for: GeocodingQuery("Beta")) } throws: { error in
                (error as? GeocoderError)?.code == .noGazetteer
            }
            // A position needs no gazetteer, and a text without a place is refused as well.
            let position = try await geocoder.candidates(for: GeocodingQuery("48.2, 16.37"))
            #expect(position.map(\.item.name) == ["48.2, 16.37"])
            await #expect { _ = try await geocoder.candidates(for: GeocodingQuery("Zoom")) } throws: { error in
                (error as? GeocoderError)?.code == .notAPlace
            }
        }
    }

    @Test("Files of other programs are refused")

    func foreignFilesAreRefused() async throws {
        try await withTemporaryDirectory { directory in
            let text = GazetteerFile(
                path: try directory.write("this is not a database, and long enough to tell", to: "a"))
            let empty = GazetteerFile(path: try directory.write("", to: "b"))
            for file in [text, empty] {
                let opening = #expect(throws: GeocoderError.self) { try Gazetteer(file) }
                #expect(opening?.code == .incompatible)
                let adding = #expect(throws: GeocoderError.self) { try add("Alpha", to: file, source: "one") }
                #expect(adding?.code == .incompatible)
                try file.remove()
                #expect(!file.exists)
            }
            let missing = #expect(throws: GeocoderError.self) { try Gazetteer(text) }
            #expect(missing?.code == .noGazetteer)
        }
    }

    @Test("Names have limits")

    func namesAreHeldToTheirLimits() async throws {
        try await withTemporaryDirectory { directory in
            let file = GazetteerFile(path: directory.file("g.sqlite"))
            let source = try file.importSource(GazetteerFixture.source("one")) { writer in
                for name in [String(repeating: "é", count: 5_000), "", "Two\nLines", "Plain"] {
                    try writer.add(
                        GazetteerPlace(
                            name: name, alternates: Array(repeating: String(repeating: "x", count: 900), count: 200),
                            kind: .city, coordinate: try Coordinate(latitude: 1, longitude: 1), importance: .nan))
                }
            }
            #expect(source.placeCount == 3)
            #expect(try names(file, "Two Lines") == ["Two Lines"])
            let longest = try Gazetteer(file).places(near: Coordinate(latitude: 1, longitude: 1), limit: 9)
                .compactMap(\.item.name?.utf8.count).max()
            #expect(longest == GazetteerPlace.maximumNameLength)
        }
    }

    @Test("The environment determines the path of the file")

    func theFileLiesWhereTheEnvironmentSays() throws {
        #expect(
            try GazetteerFile(environment: ["XDG_DATA_HOME": "/d", "HOME": "/h"]).path == "/d/hunch/gazetteer.sqlite")
        for data in [[:], ["XDG_DATA_HOME": ""], ["XDG_DATA_HOME": "relative"]] {
            let environment = data.merging(["HOME": "/h"]) { old, _ in old }
            #expect(try GazetteerFile(environment: environment).path == "/h/.local/share/hunch/gazetteer.sqlite")
        }
        #expect(throws: GeocoderError.self) { try GazetteerFile(environment: [:]) }
    }
}

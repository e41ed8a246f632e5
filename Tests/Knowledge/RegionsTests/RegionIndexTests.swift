import FoundationEssentials
import Glibc
import HunchModel
import SeededRandom
import TestSupport
import Testing

@testable import Regions

@Suite("Region index")
struct RegionIndexTests {
    private let square = "[[[0,0],[10,0],[10,10],[0,10],[0,0]]]"

    @Test("Each place gets its identifiers in ascending order")
    func batch() throws {
        let folder = try TemporaryFolder()
        try folder.write(feature("b", square), to: "1.geojson")
        try folder.write(
            """
            {"type":"FeatureCollection","features":[\(feature("c", "[[[5,5],[20,5],[20,20],[5,20],[5,5]]]")),
             {"type":"Feature","id":"a","properties":null,"geometry":null}]}
            """, to: "2.json")
        try folder.write("no coverage", to: "notes.txt")
        let index = try RegionIndex(folders: [CoverageFolder(path: folder.path)])
        #expect(index.problems.isEmpty)
        #expect(index.regions.map(\.id) == ["a", "b", "c"])
        let places = try [(1, 1), (7, 7), (15, 15), (-50, 0)].map { try Coordinate(latitude: $0.0, longitude: $0.1) }
        #expect(index.regions(containing: places) == [["a", "b"], ["a", "b", "c"], ["a", "c"], ["a"]])
        #expect(index.regions(containing: places[1]) == ["a", "b", "c"])
        #expect(index.regions(containing: [Coordinate]()).isEmpty)
    }

    @Test("An earlier folder takes precedence; broken files are skipped")
    func folders() throws {
        let mine = try TemporaryFolder()
        let theirs = try TemporaryFolder()
        try mine.write(feature("app", "[[[50,50],[60,50],[60,60],[50,60],[50,50]]]"), to: "app.geojson")
        try mine.write("{", to: "broken.geojson")
        try theirs.write(feature("app", square), to: "app.geojson")
        try theirs.write(feature("other", square), to: "other.geojson")
        let paths = [mine.path, "/nonexistent/hunch", theirs.path].map(CoverageFolder.init(path:))
        let index = try RegionIndex(folders: paths)
        #expect(index.regions.map(\.id) == ["app", "other"])
        #expect(try index.regions(containing: Coordinate(latitude: 55, longitude: 55)) == ["app"])
        #expect(try index.regions(containing: Coordinate(latitude: 5, longitude: 5)) == ["other"])
        #expect(index.problems.map(\.code) == [.notJSON])
        #expect(index.problems[0].file == mine.path + "/broken.geojson")
    }

    @Test("A duplicate identifier is reported and the first is kept")
    func duplicates() throws {
        let folder = try TemporaryFolder()
        try folder.write(feature("same", square), to: "1.geojson")
        try folder.write(feature("same", "[[[50,50],[60,50],[60,60],[50,60],[50,50]]]"), to: "2.geojson")
        let index = try RegionIndex(folders: [CoverageFolder(path: folder.path)])
        #expect(index.problems.map(\.code) == [.duplicate])
        #expect(try index.holds(5, 5) && !index.holds(55, 55))
    }

    @Test("A feature without an identifier is named after its file")
    func unnamed() throws {
        let folder = try TemporaryFolder()
        let nameless = #"{"type":"Feature","properties":null,"geometry":null}"#
        try folder.write(nameless, to: "city.bus.geojson")
        try folder.write(#"{"type":"FeatureCollection","features":[\#(nameless),\#(nameless)]}"#, to: "two.geojson")
        let index = try RegionIndex(folders: [CoverageFolder(path: folder.path)])
        #expect(index.regions.map(\.id) == ["city.bus", "two#1", "two#2"])
    }

    @Test("A null or empty identifier counts as missing", arguments: ["null", "\"\""])
    func emptyIdentifier(id: String) throws {
        let index = try index(#"{"type":"Feature","id":\#(id),"geometry":null}"#)
        #expect(index.regions.map(\.id) == ["area"] && index.regions.allSatisfy { !$0.hasOwnIdentifier })
    }

    @Test("A file that breaks keeps its last good regions")
    func former() throws {
        let folder = try TemporaryFolder()
        let coverage = [CoverageFolder(path: folder.path)]
        let elsewhere = "[[[50,50],[60,50],[60,60],[50,60],[50,50]]]"
        try folder.write(feature("one", square), to: "one.geojson")
        try folder.write(#"{"type":"Feature","id":"two","geometry":null}"#, to: "two.geojson")
        try folder.write(feature("three", square), to: "three.geojson")
        var index = try RegionIndex(folders: coverage)
        #expect(index.problems.isEmpty)

        try folder.write("{", to: "one.geojson")
        try folder.write(feature("two", "[[[0,0],[10,10],[10,0],[0,10],[0,0]]]"), to: "two.geojson")
        try folder.write(feature("three", elsewhere), to: "three.geojson")
        // Twice: what was kept once is kept on.
        for _ in 1...2 {
            index = try RegionIndex(folders: coverage, keeping: index)
            #expect(index.regions.map(\.id) == ["one", "three", "two"])
            #expect(try index.regions(containing: Coordinate(latitude: 5, longitude: 5)) == ["one", "two"])
            #expect(try index.regions(containing: Coordinate(latitude: 55, longitude: 55)) == ["three", "two"])
            #expect(index.problems.count == 2 && index.problems.allSatisfy(\.keepsFormer))
            #expect(index.problems.allSatisfy { $0.message.hasSuffix("is still used") })
        }
        // Somebody else's feature of that name counts before what a broken file once said.
        let mine = try TemporaryFolder()
        try mine.write(feature("one", elsewhere), to: "one.geojson")
        let both = try RegionIndex(folders: [CoverageFolder(path: mine.path)] + coverage, keeping: index)
        #expect(try both.regions(containing: Coordinate(latitude: 5, longitude: 5)) == ["two"])

        try FileManager.default.removeItem(atPath: folder.path + "/one.geojson")
        index = try RegionIndex(folders: coverage, keeping: index)
        #expect(index.regions.map(\.id) == ["three", "two"])
    }

    @Test("A missing file and an oversized file are reported")
    func files() throws {
        let folder = try TemporaryFolder()
        let large = folder.path + "/large.geojson"
        try folder.write("", to: "large.geojson")
        let handle = try #require(fopen(large, "w"))
        fseek(handle, CoverageLimits.fileSize, SEEK_SET)
        fputc(0x20, handle)
        fclose(handle)
        let index = try RegionIndex(files: [folder.path + "/missing.geojson", large, folder.path])
        #expect(index.problems.map(\.code) == [.unreadable, .tooLarge, .unreadable])
        #expect(index.problems[0].message.contains("No such file"))
    }

    @Test("An empty index finds no region")
    func empty() throws {
        let index = try RegionIndex(files: [])
        #expect(try index.regions(containing: Coordinate(latitude: 0, longitude: 0)).isEmpty)
        #expect(index.area(of: "x") == nil)
    }

    @Test("Several tasks can query the index at the same time")
    func concurrent() async throws {
        let index = try index(feature("a", square))
        await withTaskGroup(of: Int.self) { group in
            for task in 0..<8 {
                group.addTask {
                    var random = SplitMix64(seed: UInt64(task))
                    var wrong = 0
                    for _ in 0..<500 {
                        let x = Double.random(in: -20...20, using: &random)
                        let y = Double.random(in: -20...20, using: &random)
                        let inside = (0...10).contains(x) && (0...10).contains(y)
                        if (try? index.holds(y, x)) != inside { wrong += 1 }
                    }
                    return wrong
                }
            }
            for await wrong in group { #expect(wrong == 0) }
        }
    }

    @Test("Standard folders follow the environment and executable")
    func standardFolders() {
        let folders = CoverageFolder.standard(
            environment: ["HOME": "/home/a", "XDG_DATA_DIRS": "/opt/share/:relative:/usr/share"],
            executableFolder: "/opt/hunch/bin")
        #expect(
            folders.map(\.path) == [
                "/home/a/.local/share/hunch/regions", "/opt/share/hunch/regions", "/usr/share/hunch/regions",
                "/opt/hunch/share/hunch/regions",
            ])
        let built = CoverageFolder.standard(
            environment: ["XDG_DATA_HOME": "/d"], executableFolder: "/src/hunch/.build/x86_64/debug")
        #expect(
            built.map(\.path) == [
                "/d/hunch/regions", "/usr/local/share/hunch/regions", "/usr/share/hunch/regions",
                "/src/hunch/.build/x86_64/share/hunch/regions", "/src/hunch/Regions",
            ])
    }
}

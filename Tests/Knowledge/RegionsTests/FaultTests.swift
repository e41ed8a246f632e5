import SeededRandom
import TestSupport
import Testing

@testable import JSON
@testable import Regions

@Suite("Coverage file faults")
struct FaultTests {
    struct Fault: Sendable {
        var coordinates: String
        var type = "Polygon"
        var code: RegionError.Code
        var polygon: Int?
        var ring: Int?
        var at: (Double, Double)?
    }

    private static let sound = "[[0,0],[10,0],[10,10],[0,10],[0,0]]"

    private static let faults: [Fault] = [
        Fault(
            coordinates: "[[[0,0],[10,10],[10,0],[0,10],[0,0]]]", code: .invalidGeometry, polygon: 1, ring: 1,
            at: (5, 5)),
        Fault(
            coordinates: "[\(sound),[[2,2],[4,4],[4,2],[2,4],[2,2]]]", code: .invalidGeometry, polygon: 1, ring: 2,
            at: (3, 3)),
        Fault(
            coordinates: "[\(sound),[[20,20],[21,20],[21,21],[20,20]]]", code: .invalidGeometry, polygon: 1, ring: 2,
            at: (20, 20)),
        Fault(
            coordinates: "[[\(sound)],[[[5,5],[15,5],[15,15],[5,15],[5,5]]]]", type: "MultiPolygon",
            code: .invalidGeometry, polygon: 2),
        Fault(
            coordinates: "[[\(sound)],[[[20,20],[30,30],[30,20],[20,30],[20,20]]]]", type: "MultiPolygon",
            code: .invalidGeometry, polygon: 2, ring: 1, at: (25, 25)),
        Fault(coordinates: "[[[0,0],[10,0],[10,10],[0,10]]]", code: .ringNotClosed, polygon: 1, ring: 1, at: (0, 10)),
        Fault(coordinates: "[[[0,0],[10,0],[0,0]]]", code: .ringTooShort, polygon: 1, ring: 1),
        Fault(coordinates: "[\(sound),[]]", code: .empty, polygon: 1, ring: 2),
        Fault(coordinates: "[]", code: .empty, polygon: 1),
        Fault(coordinates: "[]", type: "MultiPolygon", code: .empty),
        Fault(coordinates: "[[\(sound)],[]]", type: "MultiPolygon", code: .empty, polygon: 2),
        Fault(
            coordinates: "[[[0,0],[10,0],[10,90.5],[0,10],[0,0]]]", code: .badPosition, polygon: 1, ring: 1,
            at: (10, 90.5)),
        Fault(
            coordinates: "[[[0,0],[541,0],[10,10],[0,10],[0,0]]]", code: .badPosition, polygon: 1, ring: 1, at: (541, 0)
        ),
        Fault(coordinates: "[[[0,0],[1e999,0],[10,10],[0,0]]]", code: .badPosition, polygon: 1, ring: 1),
        Fault(coordinates: "[[[-300,0],[300,0],[300,10],[-300,10],[-300,0]]]", code: .badPosition, polygon: 1, ring: 1),
        Fault(coordinates: "[[[0,0],[10,0],[5,0],[0,0]]]", code: .invalidGeometry, polygon: 1, ring: 1),
    ]

    @Test("An invalid ring is refused with reason, ring and coordinate", arguments: FaultTests.faults)
    func invalid(fault: Fault) throws {
        let index = try index(feature("bad", type: fault.type, fault.coordinates))
        let problem = try #require(index.problems.first)
        #expect(index.regions.isEmpty)
        #expect(index.problems.count == 1)
        #expect(problem.code == fault.code)
        #expect(problem.feature == "bad")
        #expect(problem.polygon == fault.polygon)
        #expect(problem.ring == fault.ring)
        if let place = fault.at {
            #expect(problem.position?.longitude == place.0)
            #expect(problem.position?.latitude == place.1)
        }
        #expect(problem.message.contains("area.geojson: feature \"bad\""))
    }

    @Test("Every faulty polygon is reported")
    func all() throws {
        let bow = "[[[0,0],[10,10],[10,0],[0,10],[0,0]]]"
        let other = "[[[20,0],[30,10],[30,0],[20,10],[20,0]]]"
        let found = try index(feature("bad", type: "MultiPolygon", "[\(bow),\(other)]")).problems
        #expect(found.map(\.polygon) == [1, 2])
        #expect(
            found.map(\.message)[1].contains("polygon 2, ring 1: Self-intersection at longitude 25.0, latitude 5.0"))
    }

    @Test(
        "A malformed document is refused with line and column",
        arguments: [
            ("", RegionError.Code.notCoverage, "line 1, column 1"),
            ("[]", .notCoverage, "must be an object"),
            ("{", .notJSON, "line 1, column 2"),
            ("{\"type\":\"Feature\",}", .notJSON, "column 19"),
            ("{\"type\":\"Feature\"}\n x", .notJSON, "line 2, column 2"),
            ("{\"type\":\"Feature\"}", .notCoverage, "no \"geometry\""),
            ("{\"geometry\":null}", .notCoverage, "no type"),
            ("{\"type\":\"Topology\",\"geometry\":null}", .notCoverage, "\"Topology\""),
            ("{\"type\":\"FeatureCollection\"}", .notCoverage, "no \"features\""),
            ("{\"type\":\"FeatureCollection\",\"features\":[{\"type\":\"Feature\"}]}", .notCoverage, "no \"geometry\""),
            ("{\"type\":\"FeatureCollection\",\"features\":[{\"geometry\":null}]}", .notCoverage, "not a Feature"),
            ("{\"type\":\"Feature\",\"geometry\":{\"type\":\"Point\",\"coordinates\":[1,2]}}", .notCoverage, "Point"),
            ("{\"type\":\"Feature\",\"geometry\":{\"coordinates\":[1,2]}}", .notCoverage, "no type"),
            ("{\"type\":\"Feature\",\"geometry\":{\"type\":\"Polygon\"}}", .notCoverage, "no \"coordinates\""),
            (
                "{\"type\":\"Feature\",\"geometry\":{\"type\":\"GeometryCollection\"}}", .notCoverage,
                "no \"geometries\""
            ),
            (
                "{\"type\":\"Feature\",\"geometry\":{\"type\":\"Polygon\",\"coordinates\":[[[1]]]}}", .badPosition,
                "position"
            ),
            (
                "{\"type\":\"Feature\",\"geometry\":{\"type\":\"Polygon\",\"coordinates\":[[1,2]]}}", .notJSON,
                "expected an array"
            ),
            (
                "{\"type\":\"Feature\",\"geometry\":{\"type\":\"Polygon\",\"coordinates\":[[[\"1\",2]]]}}", .notJSON,
                "expected a number"
            ),
            (
                "{\"type\":\"Feature\",\"geometry\":{\"type\":\"Polygon\",\"coordinates\":[[[NaN,2]]]}}", .notJSON,
                "NaN is not a number"
            ),
            (
                "{\"type\":\"Feature\",\"geometry\":{\"type\":\"Polygon\",\"coordinates\":[[[0,-Infinity]]]}}",
                .notJSON, "-Infinity is not a number"
            ),
            (
                "{\"type\":\"Feature\",\"geometry\":{\"type\":\"Polygon\",\"coordinates\":[],\"coordinates\":[]}}",
                .notCoverage, "twice"
            ),
            ("{\"type\":\"Feature\",\"geometry\":{\"type\":\"Polygon\",\"coordinates\":[[[01,2]]]}}", .notJSON, "zero"),
            ("{\"type\":\"Feature\",\"id\":{},\"geometry\":null}", .notCoverage, "id"),
            ("{\"type\":\"Feature\",\"properties\":1,\"geometry\":null}", .notCoverage, "properties"),
            ("{\"type\":\"Fea\\uD800ture\",\"geometry\":null}", .notJSON, "surrogate"),
            ("{\"type\":\"Fea\\xture\",\"geometry\":null}", .notJSON, "escape"),
            ("{\"type\":\"Fea\nture\",\"geometry\":null}", .notJSON, "control"),
            ("{\"a\":" + String(repeating: "[", count: 100_000), .tooLarge, "deeper"),
        ])
    func malformed(document: String, code: RegionError.Code, words: String) throws {
        let index = try index(document)
        let problem = try #require(index.problems.first)
        #expect(problem.code == code, "\(problem)")
        #expect(problem.message.contains(words), "\(problem)")
        #expect(problem.message.contains("area.geojson: line "))
    }

    @Test("Invalid UTF-8 in a string is refused")
    func notUTF8() throws {
        let text = Array(#"{"type":"Feature","id":""#.utf8) + [0xFF, 0xFE] + Array(#"","geometry":null}"#.utf8) + [0]
        #expect(throws: RegionError.self) { try CoverageReader.features(in: text) }
    }

    @Test("A truncated or changed document never traps")
    func mutations() throws {
        let document = Array(
            (#"{"type":"FeatureCollection","features":["# + feature("a", "[[[0,0],[1e1,0],[10,10.5],[0,0]]]") + "]}")
                .utf8)
        for length in 0..<document.count {
            #expect(throws: RegionError.self) { try CoverageReader.features(in: document[..<length] + [0]) }
        }
        var random = SplitMix64(seed: 11)
        var refused = 0
        for _ in 0..<20_000 {
            var text = document
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                text[Int.random(in: 0..<text.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            do { _ = try CoverageReader.features(in: text + [0]) } catch { refused += 1 }
        }
        #expect(refused > 10_000)
    }

    @Test("Numbers are parsed as the standard library parses them")
    func numbers() throws {
        var random = SplitMix64(seed: 3)
        var texts = [
            "0", "-0", "1e0", "1E+2", "123456789012345678901234567890", "0.1e-5", "9007199254740993", "5e-324",
        ]
        for _ in 0..<20_000 {
            let value = Double.random(in: -180...180, using: &random)
            let digits = Int.random(in: 0...7, using: &random)
            texts.append("\(value)")
            texts.append("\((value * 1e7).rounded() / 1e7)")
            texts.append("\(Int(value)).\(String(UInt64.random(in: 0...9_999_999_999, using: &random)))e-\(digits)")
        }
        for text in texts {
            let found = try (Array(text.utf8) + [0]).withUnsafeBufferPointer { bytes in
                var scanner = JSONScanner(nulTerminated: bytes)
                let value = try scanner.number()
                try scanner.finish()
                return value
            }
            #expect(found == Double(text), "\(text)")
        }
    }
}

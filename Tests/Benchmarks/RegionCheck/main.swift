// Loads a folder of coverage files and looks up points in it, as a peer of the plain C program.
//
// usage: region-check make FOLDER         writes 1,000 star-shaped regions of 2,700 positions
//        region-check check FOLDER COUNT  prints: load milliseconds, points per second, hits, peak resident KiB
import Glibc
import HunchModel
import Regions

/// A linear congruential generator that the C program has too.
struct Sequence {
    var state: UInt64 = 42

    mutating func next() -> Double {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Double(state >> 11) / Double(UInt64(1) << 53)
    }
}

func star(_ number: Int, _ sequence: inout Sequence) -> String {
    let centre = (x: sequence.next() * 340 - 170, y: sequence.next() * 160 - 80)
    let corners = 2_700
    // A coast: the radius wanders from corner to corner, pulled back to its middle.
    var radius = 5.0
    var positions: [String] = []
    for corner in 0..<corners {
        let angle = Double(corner) / Double(corners) * 2 * .pi
        radius += 0.1 * (sequence.next() - 0.5) - 0.02 * (radius - 5)
        positions.append("[\(centre.x + radius * cos(angle)),\(centre.y + radius * sin(angle))]")
    }
    positions.append(positions[0])
    return #"{"type":"Feature","id":"star-\#(number)","properties":{},"geometry":{"type":"Polygon","coordinates":[["#
        + positions.joined(separator: ",") + "]]}}\n"
}

let arguments = CommandLine.arguments
let clock = ContinuousClock()
if arguments.count == 3, arguments[1] == "make" {
    var sequence = Sequence()
    for number in 0..<1_000 {
        guard let file = fopen("\(arguments[2])/\(number).geojson", "w") else { exit(1) }
        fputs(star(number, &sequence), file)
        fclose(file)
    }
} else if arguments.count == 4, arguments[1] == "check", let count = Int(arguments[3]) {
    let start = clock.now
    let index = try RegionIndex(folders: [CoverageFolder(path: arguments[2])])
    let loaded = clock.now
    var sequence = Sequence()
    let places = try (0..<count).map { _ in
        try Coordinate(latitude: sequence.next() * 170 - 85, longitude: sequence.next() * 350 - 175)
    }
    let ready = clock.now
    let hits = index.regions(containing: places).reduce(0) { $0 + $1.count }
    let seconds = (clock.now - ready) / .seconds(1)
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    print((loaded - start) / .milliseconds(1), Double(count) / seconds, hits, usage.ru_maxrss)
    if !index.problems.isEmpty { print("region-check: \(index.problems[0])") }
} else {
    print("usage: region-check make FOLDER | check FOLDER COUNT")
    exit(2)
}

// Fills a gazetteer with synthetic places and searches for them.
//
// usage: place-lookup make FILE COUNT       writes a GeoNames dump of COUNT towns, with names in other languages
//        place-lookup import FILE GAZETTEER prints: places per second, peak memory in MB place-lookup ask GAZETTEER
//        FILE COUNT [KIND]
//                                           prints for each kind of query: its name, median and 99th percentile in
//                                           milliseconds, found in percent; then the memory in MB. With a
//                                           kind, that alone
//        place-lookup certain GAZETTEER NAMES
//                                           asks for each line “NAME<tab>LATITUDE,LONGITUDE[;…]”, prints those that are
//                                           taken more than 50 km from every position, then how many were right, wrong,
//                                           asked about and not found
import Directions
import FoundationEssentials
import GazetteerImport
import Geocoding
import Glibc
import HunchModel
import Gazetteers
import SeededRandom

/// Names that share beginnings, ends and words, as names do.
struct InventedNames {
    private static let starts = [
        "Ba", "Ber", "Lin", "Mar", "San", "Ro", "Ka", "Wa", "New", "Ham", "Gra", "Pol", "Hei", "Ko", "Vo", "La", "El",
        "Mon", "Te",
        "Pra", "Wal", "Bri", "Sto", "Kra", "Al", "Ost", "Nor", "Wes", "Ber", "Fal", "Gol", "Sil", "Schö", "Mün", "Köl",
        "Łó", "Čes",
    ]
    private static let middles = [
        "na", "ri", "o", "ta", "le", "si", "mi", "du", "ve", "ga", "shi", "ma", "ro", "ne", "ha", "de", "un", "per",
        "lo", "ki",
    ]
    private static let ends = [
        "ton", "ville", "burg", "heim", "dorf", "stadt", "grad", "pol", "berg", "hausen", "ford", "ham", "by", "wick",
        "o", "a",
        "ia", "au", "ow", "ice", "ec", "chen", "fels", "bach", "mouth", "minster", "er", "en",
    ]
    private static let first = [
        "New", "San", "Saint", "Bad", "Upper", "Villa", "El", "La", "Ober", "Port", "North", "Santa",
    ]
    private static let last = [
        "am See", "Beach", "City", "Springs", "de la Sierra", "Heights", "Falls", "Park", "Junction",
    ]

    var random: SplitMix64

    mutating func name() -> String {
        var name = Self.starts.randomElement(using: &random) ?? ""
        for _ in 0..<Int.random(in: 0...2, using: &random) { name += Self.middles.randomElement(using: &random) ?? "" }
        name += Self.ends.randomElement(using: &random) ?? ""
        if Int.random(in: 0..<6, using: &random) == 0 {
            name = "\(Self.first.randomElement(using: &random) ?? "") \(name)"
        }
        if Int.random(in: 0..<8, using: &random) == 0 { name += " \(Self.last.randomElement(using: &random) ?? "")" }
        return name
    }
}

let countries = ["US", "DE", "FR", "JP", "BR", "IN", "RU", "GB", "ES", "PL"]

func make(_ path: String, _ count: Int) {
    var names = InventedNames(random: SplitMix64(seed: 7))
    guard let file = fopen(path, "w") else { exit(1) }
    defer { fclose(file) }
    for number in 1...count {
        let name = names.name()
        let alternates = (0..<(Int.random(in: 0..<10, using: &names.random) / 3)).map { _ in names.name() }
        let latitude = Double.random(in: -55...70, using: &names.random)
        let longitude = Double.random(in: -180...180, using: &names.random)
        let people = Int(exp(Double.random(in: 6...15, using: &names.random)))
        let country = countries.randomElement(using: &names.random) ?? ""
        let state = ["CA", "TX", "NY", "FL", "OH"].randomElement(using: &names.random) ?? ""
        fputs(
            "\(number)\t\(name)\t\(name)\t\(alternates.joined(separator: ","))\t\(latitude)\t\(longitude)\tP\tPPL\t\(country)\t\t\(state)\t\t\t\t\(people)\t\t10\tEtc/UTC\t2024-01-01\n",
            file)
    }
}

/// A line of /proc/self/status in megabytes.
func memory(_ key: String) -> Double {
    let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = text.split(separator: "\n").first { $0.hasPrefix(key) }
    return (line?.split(separator: " ", omittingEmptySubsequences: true).dropFirst().first.flatMap { Double($0) } ?? 0)
        / 1_024
}

/// Returns the processor time of this thread in milliseconds, which does not depend on the load of the machine.
func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
}

/// Swaps, leaves out, doubles or replaces a letter.
func mistyped(_ name: String, _ random: inout SplitMix64) -> String {
    var letters = Array(name)
    let index = Int.random(in: 1..<max(2, letters.count - 1), using: &random)
    guard letters.indices.contains(index) else { return name }
    switch Int.random(in: 0..<4, using: &random) {
    case 0: letters.swapAt(index, index - 1)
    case 1: letters.remove(at: index)
    case 2: letters.insert(letters[index], at: index)
    default: letters[index] = "e"
    }
    return String(letters)
}

func ask(_ gazetteer: String, _ dump: String, _ count: Int, only: String?) throws {
    let rows = try String(contentsOfFile: dump, encoding: .utf8).split(separator: "\n")
    let gazetteer = try Gazetteer(GazetteerFile(path: gazetteer))
    var random = SplitMix64(seed: 3)
    let clock = ContinuousClock()
    let kinds: [(String, (Substring, String) -> String)] = [
        ("name", { name, _ in String(name) }),
        ("name and country", { name, country in "\(name), \(country)" }),
        ("any order, no capitals", { name, country in "\(country) \(name)".lowercased() }),
        ("typing error", { name, _ in mistyped(String(name), &random) }),
        ("unfinished", { name, _ in String(name.prefix(max(4, name.count - 2))) }),
        ("address of an unknown street", { name, country in "12 Elm Street, 75001 \(name), \(country)" }),
        ("unknown", { name, _ in "\(name.reversed().map(String.init).joined())xq \(name)zz" }),
    ]
    for (kind, text) in kinds where only == nil || kind == only {
        var times: [Double] = []
        var ownTimes: [Double] = []
        var found = 0
        for _ in 0..<count {
            let columns = (rows.randomElement(using: &random) ?? "").split(
                separator: "\t", omittingEmptySubsequences: false)
            let query = GeocodingQuery(text(columns[1], String(columns[8])))
            let start = clock.now
            let ownStart = processorTime()
            let candidates = try gazetteer.candidates(for: query)
            ownTimes.append(processorTime() - ownStart)
            times.append((clock.now - start) / .milliseconds(1))
            if candidates.contains(where: { $0.item.name == String(columns[1]) }) { found += 1 }
        }
        times.sort()
        ownTimes.sort()
        print(
            "\(kind)\t\(times[count / 2])\t\(times[count * 99 / 100])\t\(ownTimes[count * 99 / 100])\t\(100 * found / count)"
        )
    }
    print("memory\t\(memory("VmRSS:"))\t\(memory("RssAnon:"))")
}

/// The distance in metres within which an answer is right.
let tolerance = 50_000.0

func judge(_ gazetteer: String, _ names: String) throws {
    let gazetteer = try Gazetteer(GazetteerFile(path: gazetteer))
    var (right, wrong, asked, missing) = (0, 0, 0, 0)
    for line in try String(contentsOfFile: names, encoding: .utf8).split(separator: "\n") {
        let columns = line.split(separator: "\t")
        guard columns.count == 2 else { continue }
        let positions = try columns[1].split(separator: ";").map { text in
            let numbers = text.split(separator: ",").compactMap { Double($0) }
            return try Coordinate(latitude: numbers[0], longitude: numbers[1])
        }
        let text = String(columns[0])
        let outcome = GeocodingOutcome((try? gazetteer.candidates(for: GeocodingQuery(text, limit: 5))) ?? [])
        switch outcome {
        case .certain(let candidate):
            let distance = candidate.item.coordinate.map { taken in
                positions.map { $0.distance(to: taken) }.min() ?? .infinity
            }
            if distance ?? .infinity > tolerance {
                wrong += 1
                print("\(text)\t\(candidate.label)\t\(((distance ?? 0) / 1_000).rounded()) km")
            } else {
                right += 1
            }
        case .ambiguous: asked += 1
        case .unresolved(let candidates): if candidates.isEmpty { missing += 1 } else { asked += 1 }
        }
    }
    print("right \(right), wrong \(wrong), asked \(asked), not found \(missing)")
}

let arguments = CommandLine.arguments
if arguments.count == 4, arguments[1] == "certain" {
    try judge(arguments[2], arguments[3])
} else if arguments.count == 4, arguments[1] == "make", let count = Int(arguments[3]), count > 0 {
    make(arguments[2], count)
} else if arguments.count == 4, arguments[1] == "import" {
    let clock = ContinuousClock()
    let start = clock.now
    let outcome = try GazetteerImport(into: GazetteerFile(path: arguments[3])).importFile(
        at: arguments[2], date: Date())
    print(Double(outcome.source.placeCount) / ((clock.now - start) / .seconds(1)), memory("VmHWM:"))
} else if (5...6).contains(arguments.count), arguments[1] == "ask", let count = Int(arguments[4]), count > 0 {
    try ask(arguments[2], arguments[3], count, only: arguments.count == 6 ? arguments[5] : nil)
} else {
    print("usage: place-lookup make FILE COUNT | import FILE GAZETTEER | ask GAZETTEER FILE COUNT [KIND]")
    exit(2)
}

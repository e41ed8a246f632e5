import HunchModel
import MapLinks
import Places
import SeededRandom
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Links and what they mean, one publisher a file: each line has an input and its summary, with a tab between. In the
/// inputs `␤` stands for a new line.
@Suite struct GoldenLinkTests {
    static let folder = "/" + #filePath.split(separator: "/").dropLast().joined(separator: "/") + "/Links"
    /// All files of the folder but the points of ``GridTests``, which have another form.
    static let files = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
        .filter { $0.hasSuffix(".tsv") && $0 != "gridpoints.tsv" }.map { String($0.dropLast(4)) }.sorted()

    /// The lines of a file: an input and the summary that it must have.
    static func rows(_ file: String) throws -> [(input: String, summary: String)] {
        let text = try String(contentsOf: URL(filePath: "\(folder)/\(file).tsv"), encoding: .utf8)
        return try text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
            let fields = line.split(separator: "\t")
            try #require(fields.count == 2, "\(file): “\(line)” is not an input and a summary")
            return (String(fields[0]).replacing("␤", with: "\n"), String(fields[1]))
        }
    }

    @Test("Every golden link gives the expected place", arguments: files) func everyLinkMeansWhatItShould(file: String)
        throws
    {
        let rows = try Self.rows(file)
        #expect(rows.count >= 10)
        for row in rows { #expect(summary(of: row.input) == row.summary, "\(file): \(row.input)") }
    }

    @Test("Mutated links cause no trap")
    func mutationsNeverTrap() throws {
        #expect(Self.files.count > 30)
        let seeds = try Self.files.flatMap { try Self.rows($0) }.map(\.input)
        let pool = Array("%,;?&=()+-.:/#@!~_0123456789NSEWgeo \n\r\"\\\u{0}\u{301}é\u{2212}°".unicodeScalars)
        let parser = PlaceParser()
        var random = SplitMix64(seed: 11)
        for round in 0..<8_000 {
            var scalars = Array(seeds[round % seeds.count].unicodeScalars)
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let place = Int.random(in: 0...scalars.count, using: &random)
                let other = Array(seeds[Int.random(in: 0..<seeds.count, using: &random)].unicodeScalars)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: scalars.insert(pool[Int.random(in: 0..<pool.count, using: &random)], at: place)
                case 1 where place < scalars.count: scalars.remove(at: place)
                case 2 where place < scalars.count:
                    scalars[place] = pool[Int.random(in: 0..<pool.count, using: &random)]
                default: scalars.insert(contentsOf: other.prefix(place), at: place)
                }
            }
            let input = String(String.UnicodeScalarView(scalars))
            do {
                let item = try parser.parse(input).item
                // A place that was understood always leads somewhere, and its texts are fit to be shown.
                #expect(item.coordinate != nil || item.query != nil, "\(input)")
                for text in [item.name, item.query] {
                    guard let text else { continue }
                    #expect(text.utf8.count <= PlaceParser.maximumTextLength && text == text.singleLine, "\(input)")
                }
            } catch {
                #expect(!error.message.isEmpty && !error.message.contains("\n"), "\(input)")
            }
        }
    }
}

extension String {
    /// Without control characters, so that a test shows whether there were any.
    fileprivate var singleLine: String {
        String(String.UnicodeScalarView(unicodeScalars.filter { $0.properties.generalCategory != .control }))
    }
}

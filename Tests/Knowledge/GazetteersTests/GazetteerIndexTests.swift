import Glibc
import HunchModel
import SeededRandom
import Testing

@testable import Gazetteers

@Suite("Gazetteer index blocks") struct GazetteerIndexTests {
    @Test("Postings survive encoding and decoding")
    func postingsRoundTrip() {
        var random = SplitMix64(seed: 1)
        for _ in 0..<200 {
            var rank: UInt32 = 0
            let entries = (0..<Int.random(in: 1...1_024, using: &random)).map { _ in
                rank += UInt32.random(in: 1...1 << UInt32.random(in: 0...14, using: &random), using: &random)
                return rank << 2 | UInt32.random(in: 0...3, using: &random)
            }
            var postings = Postings()
            let isWhole = Postings.block(entries[...]).withUnsafeBytes {
                postings.append(block: $0, first: entries[0] >> 2)
            }
            #expect(isWhole && postings.count == entries.count)
            #expect(zip(postings.ranks, postings.roles).map { $0 << 2 | UInt32($1.rawValue) } == entries)
            for entry in entries { #expect(postings.role(of: entry >> 2)?.rawValue == UInt8(entry & 3)) }
            #expect(postings.role(of: rank + 1) == nil)
        }
    }

    @Test("Damaged blocks are reported")
    func brokenBlocks() {
        for bytes in [[0x80], [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01]] as [[UInt8]] {
            var postings = Postings()
            #expect(!bytes.withUnsafeBytes { postings.append(block: $0, first: 0) })
        }
        var postings = Postings()
        #expect(
            !([0xFF, 0xFF, 0xFF, 0xFF, 0x0F] as [UInt8]).withUnsafeBytes { postings.append(block: $0, first: .max) })
    }

    @Test("A union of postings keeps the stronger role of each place")
    func union() {
        var (one, other) = (Postings(), Postings())
        for (rank, role) in [(1, Postings.Role.context), (3, .oneOfMore), (9, .onlyWord)] as [(UInt32, Postings.Role)] {
            one.append(rank, role)
        }
        for (rank, role) in [(1, Postings.Role.oneOfTwo), (3, .onlyWord), (4, .context)] as [(UInt32, Postings.Role)] {
            other.append(rank, role)
        }
        let both = one.union(other)
        #expect(both.ranks == [1, 3, 4, 9])
        #expect(both.roles == [.oneOfTwo, .onlyWord, .context, .onlyWord])
    }

    @Test("Cell ranges cover their box, and cells give coordinates")
    func cells() throws {
        var random = SplitMix64(seed: 2)
        for _ in 0..<2_000 {
            let south = Double.random(in: -90...89, using: &random)
            let north = min(90, south + pow(10, Double.random(in: -4...1.9, using: &random)))
            let west = Double.random(in: -180...179, using: &random)
            let east = min(180, west + pow(10, Double.random(in: -4...2.5, using: &random)))
            let ranges = PlaceCell.ranges(latitude: south...north, longitude: west...east)
            #expect(ranges.count <= 25)
            for _ in 0..<10 {
                let position = try Coordinate(
                    latitude: .random(in: south...north, using: &random),
                    longitude: .random(in: west...east, using: &random))
                let cell = PlaceCell.number(position)
                #expect(ranges.contains { $0.contains(cell) })
                #expect(try #require(PlaceCell.coordinate(cell)).distance(to: position) < 0.03)
            }
        }
        for (latitude, longitude) in [(90.0, 180.0), (-90, -180), (0, 0)] {
            let position = try Coordinate(latitude: latitude, longitude: longitude)
            #expect(try #require(PlaceCell.coordinate(PlaceCell.number(position))).distance(to: position) < 0.03)
        }
    }

    @Test("Cell blocks and house lists are decoded, even truncated ones")
    func cellBlocks() {
        let entries = (0..<300).map { CellBlock.Entry(cell: Int64($0 * 7 - 900), rank: UInt32($0), house: UInt16($0)) }
        let bytes = CellBlock.bytes(of: entries[...])
        var found: [UInt32] = []
        bytes.withUnsafeBytes { CellBlock.forEach(in: $0, cells: 0...70) { found.append($0.rank) } }
        #expect(found == entries.filter { (0...70).contains($0.cell) }.map(\.rank))
        bytes.dropLast(5).withUnsafeBytes { CellBlock.forEach(in: $0, cells: 0...Int64.max) { found.append($0.rank) } }

        let houses = ["1", "12a", "Zum Löwen"].map { HouseList.House(number: $0, cell: 77) }
        let list = HouseList.bytes(of: houses)
        #expect(list.withUnsafeBytes { HouseList.houses(in: $0).map(\.number) } == ["1", "12a", "Zum Löwen"])
        for length in 0..<list.count {
            #expect(list.prefix(length).withUnsafeBytes { HouseList.houses(in: $0).count } < 3)
        }
    }

    @Test("Fuzzy search finds the same words as a full comparison")
    func neighbours() throws {
        var random = SplitMix64(seed: 4)
        let words = Array(
            Set(
                (0..<1_500).map { _ in
                    String(
                        (0..<Int.random(in: 3...11, using: &random)).map { _ in
                            "abcdé".randomElement(using: &random) ?? "a"
                        })
                }))
        var vocabularies: [Int: Vocabulary] = [:]
        for word in words {
            let signature = try #require(Vocabulary.signature(ArraySlice(word.utf8)))
            vocabularies[signature.length, default: Vocabulary()].append(
                Array(word.utf8)[...], letters: signature.letters, count: 3)
        }
        for word in words.prefix(60) {
            guard let pattern = WordPattern(word) else { continue }
            var found: [String: Int] = [:]
            for length in pattern.lengths {
                vocabularies[length]?.stored.withUnsafeBytes { bytes in
                    Vocabulary.forEachNeighbour(of: pattern, in: bytes) { found[$0.word] = $0.distance }
                }
            }
            var expected: [String: Int] = [:]
            for other in words {
                let distance = Self.distance(Array(word), Array(other))
                if distance <= pattern.tolerance, word.count >= 6 || word.first == other.first {
                    expected[other] = distance
                }
            }
            #expect(found == expected)
        }
        #expect(WordPattern("ab1") == nil && WordPattern("abc") == nil && WordPattern("ab1cd") == nil)
    }

    /// Optimal string alignment, the whole matrix.
    private static func distance(_ one: [Character], _ other: [Character]) -> Int {
        var matrix = (0...one.count).map { row in (0...other.count).map { row == 0 ? $0 : $0 == 0 ? row : 0 } }
        for row in one.indices {
            for column in other.indices {
                var best = min(matrix[row][column + 1], matrix[row + 1][column]) + 1
                best = min(best, matrix[row][column] + (one[row] == other[column] ? 0 : 1))
                if row > 0, column > 0, one[row] == other[column - 1], one[row - 1] == other[column] {
                    best = min(best, matrix[row - 1][column - 1] + 1)
                }
                matrix[row + 1][column + 1] = best
            }
        }
        return matrix[one.count][other.count]
    }
}

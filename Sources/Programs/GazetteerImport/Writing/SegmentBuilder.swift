internal import Gazetteers
import Geocoding
import HunchModel
import JourneyWords

internal import Glibc

/// Builds a segment of the gazetteer in memory.
struct SegmentBuilder {
    /// The maximum number of places and streets of a segment.
    static let maximumPlaces = 1 << 18
    /// The maximum number of houses.
    private static let maximumHouses = 1 << 20

    /// The key that distinguishes streets of the same name.
    struct StreetKey: Hashable {
        var name: String
        var city: String?
        var postalCode: String?
        var area: GazetteerArea.ID?
        /// The cell, which separates distant streets of one name if neither town nor postal code is known.
        var cell: Int64
    }

    private struct House {
        var number: String
        var coordinate: Coordinate
    }

    private var places: [GazetteerPlace] = []
    private var streets: [StreetKey: Int] = [:]
    private var houses: [Int: [House]] = [:]
    private var houseCount = 0
    private let words = WordNumbers()
    /// The occurrences of words: the word's number (30 bits), the place (32 bits) and the role (2 bits).
    private var entries: [UInt64] = []

    var isEmpty: Bool { places.isEmpty }
    var isFull: Bool { places.count >= Self.maximumPlaces || houseCount >= Self.maximumHouses }

    /// - Parameter areas: the numbers of the areas that contain the place.
    mutating func add(_ place: GazetteerPlace, areas: [Int64]) {
        let index = UInt64(places.count) << 2
        places.append(place)
        addName(place.name, index)
        for name in place.alternates + place.doubtfulNames { addName(name, index) }
        for text in [place.street, place.city, place.postalCode] {
            if let text { for word in words.numbers(of: text) { entries.append(UInt64(word) << 34 | index) } }
        }
        if let code = place.postalCode, code.utf8.contains(0x20) {
            // A postal code of two words is also searched as one word.
            entries.append(UInt64(words.number(of: WordFolding.joined(code))) << 34 | index)
        }
        if let category = place.category {
            entries.append(UInt64(words.number(of: GazetteerSchema.word(ofCategory: category))) << 34 | index)
        }
        for area in areas {
            entries.append(UInt64(words.number(of: GazetteerSchema.word(ofArea: area))) << 34 | index)
        }
    }

    private mutating func addName(_ name: String, _ index: UInt64) {
        let numbers = words.numbers(of: name)
        let role = UInt64(Postings.Role(words: numbers.count).rawValue)
        for word in numbers { entries.append(UInt64(word) << 34 | index | role) }
    }

    /// Adds a house to its street, or just the street. A street is added with its first house.
    ///
    /// - Returns: whether the street is new.
    mutating func add(
        _ number: String?, on key: StreetKey, at coordinate: Coordinate, areas: @autoclosure () -> [Int64]
    ) -> Bool {
        let street = streets[key] ?? places.count
        let isNew = street == places.count
        if isNew {
            streets[key] = street
            add(
                GazetteerPlace(
                    name: key.name, kind: .street, coordinate: coordinate, importance: 0.02, area: key.area,
                    city: key.city, postalCode: key.postalCode), areas: areas())
        }
        if let number, houses[street, default: []].count < HouseList.maximumCount {
            houses[street, default: []].append(House(number: number, coordinate: coordinate))
            houseCount += 1
        }
        return isNew
    }

    /// Writes the segment.
    ///
    /// - Parameter progress: called with the written fraction, 0…1.
    mutating func write(to tables: SegmentTables, progress: (Double) -> Void) throws {
        for (street, houses) in houses { settle(street, houses) }
        let order = places.indices.sorted { (places[$1].importance, $0) < (places[$0].importance, $1) }
        var ranks = [UInt32](repeating: 0, count: places.count)
        for (rank, index) in order.enumerated() { ranks[index] = UInt32(rank) }

        var cells: [CellBlock.Entry] = []
        var streetCells: [CellBlock.Entry] = []
        var houseCells: [CellBlock.Entry] = []
        for (rank, index) in order.enumerated() {
            let place = places[index]
            let cell = CellBlock.Entry(cell: PlaceCell.number(place.coordinate), rank: UInt32(rank), house: 0)
            if place.kind == .street { streetCells.append(cell) } else { cells.append(cell) }
            try tables.add(place, rank: UInt32(rank))
            if let houses = houses[index] {
                let list = houses.map { HouseList.House(number: $0.number, cell: PlaceCell.number($0.coordinate)) }
                for (number, house) in list.enumerated() {
                    houseCells.append(
                        CellBlock.Entry(cell: house.cell, rank: UInt32(rank), house: UInt16(number)))
                }
                try tables.add(list, rank: UInt32(rank))
            }
            if rank % 8_192 == 0 { progress(0.4 * Double(rank) / Double(order.count)) }
        }
        try tables.add(&cells, .places)
        try tables.add(&streetCells, .streets)
        try tables.add(&houseCells, .houses)
        try writeWords(ranks, tables, progress)
        self = SegmentBuilder()
    }

    /// Sets the coordinate and importance of a street from its houses. The coordinate is that of the house nearest to
    /// the mean of all.
    private mutating func settle(_ street: Int, _ houses: [House]) {
        let count = Double(houses.count)
        let latitude = houses.reduce(0) { $0 + $1.coordinate.latitude } / count
        let longitude = houses.reduce(0) { $0 + $1.coordinate.longitude } / count
        func distance(_ house: House) -> Double {
            abs(house.coordinate.latitude - latitude) + abs(house.coordinate.longitude - longitude)
        }
        places[street].coordinate = houses.min { distance($0) < distance($1) }?.coordinate ?? places[street].coordinate
        places[street].importance = min(0.1, 0.02 + 0.01 * log10(count))
    }

    private mutating func writeWords(_ ranks: [UInt32], _ tables: SegmentTables, _ progress: (Double) -> Void) throws {
        let order = words.sorted
        var positions = [UInt32](repeating: 0, count: order.count)
        for (position, word) in order.enumerated() { positions[word] = UInt32(position) }
        for index in entries.indices {
            let entry = entries[index]
            let rank = ranks[Int(entry >> 2 & 0xFFFF_FFFF)]
            entries[index] = UInt64(positions[Int(entry >> 34)]) << 34 | UInt64(rank) << 2 | entry & 3
        }
        entries.sort()
        var vocabularies: [Int: Vocabulary] = [:]
        var start = 0
        while start < entries.count {
            let position = entries[start] >> 34
            var postings: [UInt32] = []
            while start < entries.count, entries[start] >> 34 == position {
                append(UInt32(truncatingIfNeeded: entries[start]), to: &postings)
                start += 1
            }
            let word = words.word(order[Int(position)])
            if let signature = Vocabulary.signature(word) {
                vocabularies[signature.length, default: Vocabulary()].append(
                    word, letters: signature.letters, count: postings.count)
            }
            try tables.add(word, postings)
            if position % 8_192 == 0 { progress(0.5 + 0.5 * Double(position) / Double(order.count)) }
        }
        try tables.add(vocabularies)
    }

    /// Appends an occurrence. If the place has the word several times, keeps the best role.
    private func append(_ entry: UInt32, to postings: inout [UInt32]) {
        guard let last = postings.last, last >> 2 == entry >> 2 else { return postings.append(entry) }
        // Entries are in ascending order, so the role can improve only from `context` to one in a name.
        if last & 3 == Postings.Role.context.rawValue { postings[postings.count - 1] = entry }
    }
}

/// Numbers the words of texts.
private final class WordNumbers {
    private var table = WordTable()
    private var folding = WordFolding()

    func numbers(of text: String) -> [Int] {
        var numbers: [Int] = []
        folding.forEachWord(of: text) { numbers.append(table.number(of: $0)) }
        return numbers
    }

    func number(of word: String) -> Int {
        var word = word
        return word.withUTF8 { table.number(of: $0) }
    }

    func word(_ number: Int) -> ArraySlice<UInt8> { table.word(number) }
    var sorted: [Int] { table.sorted }
}

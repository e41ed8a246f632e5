internal import HunchModel

extension CalendarText {
    /// The maximum number of identifiers that are compared, of all texts together.
    private static let maximumIdentifiers = 200_000

    /// Returns the texts in groups to read together: the files of a folder with events of the same identifier, such as
    /// an invitation, its update and its cancellation.
    ///
    /// Each group is within the limits of ``ICalendarReader``. A file that would exceed them, or that has no identifier
    /// in common with another file, is a group of its own.
    static func groups(_ texts: [CalendarText]) -> [[CalendarText]] {
        var leaders = Array(texts.indices)
        func leader(of index: Int) -> Int {
            var index = index
            while leaders[index] != index {
                // Halves the chain for the next time.
                leaders[index] = leaders[leaders[index]]
                index = leaders[index]
            }
            return index
        }
        var bytes = texts.map(\.text.utf8.count)
        var lines = texts.map { _ in 0 }
        // The first text with an identifier, by the hash of the folder and the identifier.
        var owners: [Int: Int] = [:]
        for (index, text) in texts.enumerated() {
            guard let folder = text.folder else { continue }
            let (identifiers, count) = text.identifiers
            lines[index] = count
            for identifier in identifiers {
                let key = [folder, identifier].hashValue
                guard let owner = owners[key] else {
                    if owners.count < maximumIdentifiers { owners[key] = index }
                    continue
                }
                let (first, second) = (leader(of: owner), leader(of: index))
                guard first != second, bytes[first] + bytes[second] <= ICalendarReader.maximumSize,
                    lines[first] + lines[second] <= ICalendarComponents.maximumLines
                else { continue }
                bytes[first] += bytes[second]
                lines[first] += lines[second]
                leaders[second] = first
            }
        }
        let groups = Dictionary(grouping: texts.indices) { leader(of: $0) }
        return groups.sorted { $0.key < $1.key }.map { $0.value.map { texts[$0] } }
    }

    /// The identifiers of its events, and the number of its lines.
    private var identifiers: (identifiers: [String], lines: Int) {
        var identifiers: [String] = []
        var isIdentifier = false
        let lines = text.utf8.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D })
        for line in lines {
            if isIdentifier, line.first == 0x20 || line.first == 0x09 {
                identifiers[identifiers.count - 1] += Substring(line.dropFirst())
            } else {
                isIdentifier = Substring(line.prefix(4)).uppercased() == "UID:"
                if isIdentifier { identifiers.append(String(Substring(line.dropFirst(4)))) }
            }
        }
        return (identifiers, lines.count)
    }
}

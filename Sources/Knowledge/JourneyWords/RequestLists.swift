internal import HunchModel

/// The lists of words in `Data/requests.txt` and `Data/names.txt`.
package enum RequestLists {
    /// The words or phrases by the name of their list.
    private static let lists = [PackageResources.requests_txt, PackageResources.names_txt]
        .flatMap { String(decoding: $0, as: UTF8.self).split(separator: "\n") }
        .reduce(into: [String: [String]]()) { lists, line in
            let fields = line.split(separator: "|")
            guard fields.count == 2, !line.hasPrefix("#") else { return }
            lists[String(fields[0]), default: []] += fields[1].split(separator: ",").map { String($0).trimmed }
        }

    /// The words and phrases of all lists, folded and joined.
    package static let all = Set(lists.values.joined().map(WordFolding.joined))

    /// Returns the words of a list.
    package static func words(_ name: String) -> Set<String> { Set(lists[name] ?? []) }

    /// Returns the phrases of a list in words, the longest first.
    static func phrases(_ name: String) -> [[String]] {
        (lists[name] ?? []).map { $0.split(separator: " ").map(String.init) }.sorted { $0.count > $1.count }
    }

    /// Returns the travel modes of the phrases in the lists whose names begin with a word.
    static func modes(_ name: String) -> [String: Set<TransportMode>] {
        values(name).mapValues { $0 == "transit" ? TransportMode.transit : [TransportMode(rawValue: $0) ?? .other] }
    }

    /// Returns the numbers of the lists whose names begin with words, by the words of the lists.
    static func numbers(_ name: String) -> [String: Int] { values(name).compactMapValues { Int($0) } }

    /// Returns the rests of the names by the words of those lists whose names begin with a word.
    static func values(_ name: String) -> [String: String] {
        lists.reduce(into: [:]) { values, list in
            guard list.key.hasPrefix(name + " ") else { return }
            for word in list.value { values[word] = String(list.key.dropFirst(name.count + 1)) }
        }
    }
}

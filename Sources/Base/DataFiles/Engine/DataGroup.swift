internal import DesktopFiles
internal import HunchModel
internal import Localization

/// A group of a data file, from which a row of a table reads its values.
///
/// A key may come several times, as in unit files of systemd. Its lists are joined, and of single values the last one counts.
package struct DataGroup {
    package let name: String
    /// The line of the group's header, from 1.
    let line: Int
    private var entries: [String: [(line: Int, value: String)]] = [:]
    /// The keys that the row asked for.
    private var known: Set<String> = []

    init(name: String, line: Int) { (self.name, self.line) = (name, line) }

    mutating func add(_ key: String, _ value: String, line: Int) { entries[key, default: []].append((line, value)) }

    /// Returns a list of texts, separated by semicolons; empty if the key is absent.
    mutating func texts(_ key: String) -> [String] {
        known.insert(key)
        return (entries[key] ?? []).flatMap { KeyFileLine.strings(in: $0.value) }.map(\.trimmed).filter { !$0.isEmpty }
    }

    /// Returns a list of texts in lower case.
    mutating func words(_ key: String) -> Set<String> { Set(texts(key).map { $0.lowercased() }) }

    /// Returns a list of hosts in lower case.
    mutating func hosts(_ key: String) throws(DataFault) -> Set<String> {
        let hosts = words(key)
        if let wrong = hosts.first(where: { $0.contains { "/:*@ ".contains($0) } }) {
            throw fault(key, localized("“%1” is not a host; write it without https:// and path", wrong.cut(to: 64)))
        }
        return hosts
    }

    /// Returns a text; `nil` if the key is absent or empty.
    mutating func text(_ key: String) -> String? {
        known.insert(key)
        let text = (entries[key]?.last).map { KeyFileLine.unescaped($0.value[...]) }
        return text?.isEmpty == false ? text : nil
    }

    /// Returns whether a value is `true` or `false`; `nil` if the key is absent.
    mutating func flag(_ key: String) throws(DataFault) -> Bool? { try choice(key, ["true": true, "false": false]) }

    /// Returns the value of a word; `nil` if the key is absent.
    mutating func choice<Value>(_ key: String, _ values: KeyValuePairs<String, Value>) throws(DataFault) -> Value? {
        guard let text = text(key) else { return nil }
        guard let value = values.first(where: { $0.key == text })?.value else {
            throw fault(
                key, localized("“%1” is not one of %2", "\(key)=\(text)", values.map(\.key).joined(separator: ", ")))
        }
        return value
    }

    /// Returns a fault in the line of a key.
    func fault(_ key: String, _ message: String) -> DataFault {
        DataFault(line: entries[key]?.last?.line ?? line, message: message)
    }

    /// Throws the fault that one of some keys is needed, unless one of them has a value.
    mutating func require(oneOf keys: [String], for key: String) throws(DataFault) {
        if keys.contains(where: { !texts($0).isEmpty }) { return }
        throw fault(key, localized("“%1” needs one of %2 in its group", key, keys.joined(separator: ", ")))
    }

    /// Throws the fault of the first key that the row did not ask for.
    func checkKeys() throws(DataFault) {
        let unknown = entries.filter { !known.contains($0.key) }.min { $0.value[0].line < $1.value[0].line }
        guard let unknown else { return }
        throw fault(
            unknown.key,
            localized(
                "unknown key “%1”; use one of %2", unknown.key.cut(to: 64), known.sorted().joined(separator: ", ")))
    }
}

/// A fault in a line of a data file.
package struct DataFault: Error {
    let line: Int
    let message: String
}

/// A fault of a data file.
package struct DataProblem: Hashable, Sendable, CustomStringConvertible {
    /// The path of the file, and the line from 1 if one is at fault.
    package let place: String
    /// The fault, in one sentence without a full stop.
    package let message: String

    package var description: String { "\(place): \(message)" }
}

public import FoundationEssentials
internal import Localization

extension KindDeclaration {
    /// The last words of parameter names whose values are a time or a counter.
    private static let fleeting: Set<String> = [
        "time", "date", "timestamp", "datetime", "epoch", "count", "counter", "index", "sequence",
    ]
    /// The distance in seconds from a donation's date within which a number counts as a timestamp: 400 days.
    private static let fleetingRange: Double = 400 * 86_400

    /// Returns the combination that identifies an action: the first supported one whose values are all present.
    ///
    /// - Parameters:
    ///   - values: the values by parameter name.
    ///   - date: the date of the action, to recognize timestamps.
    /// - Returns: the names, sorted.
    /// - Throws: ``KindError`` for an unknown parameter, a value of another type or too long, no complete combination,
    ///   or a time or counter within it.
    public func combination(of values: [String: String], at date: Date) throws(KindError) -> [String] {
        for (name, value) in values.sorted(by: { $0.key < $1.key }) {
            guard let parameter = parameters.first(where: { $0.name == name }) else {
                let known = parameters.map(\.name).joined(separator: ", ")
                if Self.isFleeting(name: name) { throw Self.timestamp(name) }
                throw KindError(
                    .unknownParameter,
                    localized("%1 has no parameter “%2”; it has %3", kind.rawValue, name.cut(to: 64), known))
            }
            try parameter.check(value)
        }
        guard let names = combinations.first(where: { $0.allSatisfy { values[$0]?.isEmpty == false } }) else {
            let known = combinations.map { $0.joined(separator: localized(" and ")) }.joined(
                separator: localized(", or "))
            throw KindError(.incomplete, localized("%1 needs %2", kind.rawValue, known))
        }
        for name in names {
            let isContact = parameters.first { $0.name == name }?.type == .contact
            if !isContact, let value = values[name], Self.isFleeting(value: value, at: date) {
                throw Self.timestamp(name)
            }
        }
        return names.sorted()
    }

    private static func timestamp(_ name: String) -> KindError {
        KindError(
            .timestamp,
            localized(
                "“%1” holds a time or a counter, so that no two donations would be alike; leave it out, the time is recorded anyway",
                name.cut(to: 64)))
    }

    /// Returns whether a parameter's name indicates a time or a counter.
    package static func isFleeting(name: String) -> Bool {
        var words: [String] = [""]
        for character in name {
            if !character.isLetter && !character.isNumber {
                words.append("")
            } else if character.isUppercase, words.last?.last?.isLowercase == true {
                words.append(String(character))
            } else {
                words[words.count - 1].append(character)
            }
        }
        return words.last { !$0.isEmpty }.map { fleeting.contains($0.lowercased()) } ?? false
    }

    /// Returns whether a value is a date, a time of day, or a timestamp near `date` in s, ms or µs.
    static func isFleeting(value: String, at date: Date) -> Bool {
        if TimeText.isTime(value) { return true }
        guard (9...24).contains(value.utf8.count), let number = Double(value) else { return false }
        return [1.0, 1e3, 1e6].contains { abs(number / $0 - date.timeIntervalSince1970) <= fleetingRange }
    }
}

extension KindDeclaration.Parameter {
    fileprivate func check(_ value: String) throws(KindError) {
        guard value.utf8.count <= limit else {
            throw KindError(
                .invalidValue, localized("“%1” has %2 bytes; the limit is %3 bytes", name, value.utf8.count, limit))
        }
        guard !value.utf8.contains(0) else { throw KindError(.invalidValue, localized("“%1” contains a NUL", name)) }
        let fits =
            switch type {
            case .text, .contact: true
            case .uri: WebAddress.hasScheme(value)
            case .integer: Int64(value) != nil
            case .number: Self.number(value) != nil
            case .boolean: value == "true" || value == "false"
            }
        guard fits else {
            throw KindError(
                .invalidValue,
                type == .uri
                    ? localized(
                        "“%1” is no address with a scheme, such as https://example.org/ or file:///home/me/a.txt", name)
                    : localized("“%1” is not of the type %2", name, type.rawValue))
        }
        if let range, let number = Self.number(value), !range.contains(number) {
            throw KindError(
                .invalidValue,
                localized(
                    "“%1” is %2; it must be %3 to %4", name, LocalNumber.exact(number),
                    LocalNumber.exact(range.lowerBound), LocalNumber.exact(range.upperBound)))
        }
        // An empty value counts as absent.
        guard let words, !value.isEmpty else { return }
        for word in value.split(separator: ",", omittingEmptySubsequences: false)
        where !words.contains(String(word)) {
            throw KindError(
                .invalidValue,
                localized(
                    "“%1” is not a value of “%2”; use %3, or several of them with commas between them",
                    word.cut(to: 32), name, words.joined(separator: ", ")))
        }
    }

    /// Parses a finite decimal number. Rejects hexadecimal ones, which `Double.init` accepts.
    private static func number(_ text: String) -> Double? {
        guard !text.utf8.contains(where: { $0 | 0x20 == UInt8(ascii: "x") }) else { return nil }
        return Double(text).flatMap { $0.isFinite ? $0 : nil }
    }
}

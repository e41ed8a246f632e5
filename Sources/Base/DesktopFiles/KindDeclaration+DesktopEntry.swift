public import HunchModel

extension KindDeclaration {
    /// The longest summary in bytes.
    private static let summaryLimit = 512

    /// Reads a kind that an app declares in a group of its desktop entry:
    ///
    ///     [X-org.hunch.Donations1 Kind orderCoffee]
    ///     Parameters=drink;size:text:32;milk:boolean;
    ///     Combinations=drink,size;drink;
    ///     Summary=Order {drink}
    ///     Summary[de]={drink} bestellen
    ///
    /// A parameter has a name, a type (`text` by default) and the maximum length of its value in bytes (1,024 by
    /// default), separated by colons. The summary describes the action to people in each language, with `{name}` for
    /// the value of a parameter.
    ///
    /// - Parameters:
    ///   - kind: the raw value of the kind.
    ///   - entry: the app's desktop entry.
    ///   - interface: the name of the donations interface, with which the group's name begins.
    ///   - locales: the locales for the summary, best first.
    /// - Returns: `nil` if the app does not declare the kind.
    /// - Throws: ``KindError`` `invalidDeclaration`, or `timestamp` for a time or counter in a combination.
    public init?(
        _ kind: Donation.Kind, declaredIn entry: DesktopEntry, interface: String, locales: [String] = []
    ) throws(KindError) {
        let group = "\(interface) Kind \(kind)"
        guard entry.hasGroup(group) else { return nil }
        try self.init(kind, of: entry, in: group, locales: locales)
    }

    private init(
        _ kind: Donation.Kind, of entry: DesktopEntry, in group: String, locales: [String]
    ) throws(KindError) {
        func fail(_ what: String) -> KindError {
            KindError(.invalidDeclaration, "the kind “\(kind.rawValue.cut(to: 64))” of \(entry.id) \(what)")
        }
        var parameters: [Parameter] = []
        for text in entry.strings("Parameters", in: group) {
            let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
            guard let name = parts.first, !name.isEmpty, name.utf8.count <= 64, parts.count <= 3,
                name.utf8.allSatisfy({ $0 > 0x20 && $0 != UInt8(ascii: ",") })
            else { throw fail("has a parameter that is not NAME:TYPE:LIMIT") }
            guard let type = parts.count > 1 ? ValueType(rawValue: parts[1]) : .text else {
                throw fail("has a parameter of an unknown type “\(parts[1].cut(to: 32))”")
            }
            let limit = parts.count > 2 ? Int(parts[2]) ?? 0 : 1_024
            guard (1...4_096).contains(limit) else { throw fail("has a limit outside 1…4096") }
            guard !parameters.contains(where: { $0.name == name }) else { throw fail("has “\(name)” twice") }
            parameters.append(Parameter(name, type, limit: limit))
        }
        let combinations = entry.strings("Combinations", in: group).map {
            $0.split(separator: ",").map { String($0.filter { $0 != " " }) }
        }
        guard !parameters.isEmpty else { throw fail("has no parameter; add “Parameters=NAME;” to its group") }
        guard !combinations.isEmpty else {
            throw fail(
                "does not say which parameters distinguish actions; add “Combinations=NAME;” to its group")
        }
        guard max(parameters.count, combinations.count) <= Self.maximumCount else {
            throw fail("has more than \(Self.maximumCount) parameters or combinations")
        }
        for name in combinations.joined() {
            guard parameters.contains(where: { $0.name == name }) else {
                throw fail("combines “\(name.cut(to: 64))”, which is not a parameter")
            }
            if Self.isFleeting(name: name) {
                throw KindError(
                    .timestamp,
                    "the kind “\(kind)” of \(entry.id) combines “\(name)”, a time or counter: no two donations would be alike"
                )
            }
        }
        guard combinations.allSatisfy({ !$0.isEmpty }) else { throw fail("has an empty combination") }
        // The unlocalized summary is required, for people whose languages are not among the translations.
        guard entry.string("Summary", in: group) != nil,
            let summary = entry.string("Summary", in: group, locales: locales)
        else { throw fail("has no summary; add “Summary=…” to its group") }
        for text in entry.translations("Summary", in: group) {
            if let fault = Self.fault(inSummary: text, of: parameters) { throw fail(fault) }
        }
        self.init(kind, parameters, combinations: combinations, summary: summary)
    }

    /// Returns the fault of a summary, in words that follow “the kind …”; `nil` if there is none.
    private static func fault(inSummary text: String, of parameters: [Parameter]) -> String? {
        guard text.utf8.count <= summaryLimit else { return "has a summary of more than \(summaryLimit) bytes" }
        guard !text.allSatisfy(\.isWhitespace) else { return "has an empty summary" }
        var rest = text[...]
        while let brace = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
            let name = rest[rest.index(after: brace)...].prefix { $0 != "{" && $0 != "}" }
            guard rest[brace] == "{", name.endIndex < rest.endIndex, rest[name.endIndex] == "}" else {
                return "has an unpaired “\(rest[brace])” in its summary"
            }
            guard parameters.contains(where: { $0.name == name }) else {
                return "has “{\(name.cut(to: 64))}” in its summary, which is not a parameter"
            }
            rest = rest[rest.index(after: name.endIndex)...]
        }
        return nil
    }
}

extension KindDeclaration {
    /// Returns the kinds that an app declares in its desktop entry, sorted, each with its declaration or error.
    ///
    /// - Parameter interface: the name of the donations interface, with which the groups' names begin.
    public static func declared(
        in entry: DesktopEntry, interface: String
    ) -> [(kind: Donation.Kind, declaration: Result<KindDeclaration, KindError>)] {
        let prefix = "\(interface) Kind "
        return entry.groupNames.filter { $0.hasPrefix(prefix) }.map { group in
            let kind = Donation.Kind(rawValue: String(group.dropFirst(prefix.count)))
            return (
                kind,
                Result { () throws(KindError) in
                    guard standard[kind] == nil else {
                        throw KindError(
                            .invalidDeclaration,
                            "the kind “\(kind)” of \(entry.id) is a standard one, which apps cannot declare again")
                    }
                    return try KindDeclaration(kind, of: entry, in: group, locales: [])
                }
            )
        }
    }
}

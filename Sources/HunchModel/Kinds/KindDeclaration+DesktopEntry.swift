extension KindDeclaration {
    /// A kind that an app declares in its desktop entry, in a group of its own:
    ///
    ///     [org.hunch.Donations1 Kind orderCoffee]
    ///     Parameters=drink;size:text:32;milk:boolean;
    ///     Combinations=drink,size;drink;
    ///     Summary=Order {drink}
    ///     Summary[de]={drink} bestellen
    ///
    /// A parameter is its name, its type (`text` by default) and the most bytes of its value, with colons between them.
    ///
    /// - Parameters:
    ///   - kind: its word.
    ///   - entry: the app's desktop entry, whose size is bounded.
    ///   - interface: the name of the donations interface, which the group's name begins with.
    ///   - locales: for the summary, best first.
    /// - Returns: `nil` when the app does not declare it.
    /// - Throws: ``KindError`` `invalidDeclaration`, or `timestamp` for a time or counter in a combination.
    public init?(
        _ kind: Donation.Kind, declaredIn entry: DesktopEntry, interface: String, locales: [String] = []
    ) throws(KindError) {
        let group = "\(interface) Kind \(kind)"
        guard entry.hasGroup(group) else { return nil }
        func fail(_ what: String) -> KindError {
            KindError(.invalidDeclaration, "the kind “\(kind.rawValue.prefix(64))” of \(entry.id) \(what)")
        }
        var parameters: [Parameter] = []
        for text in entry.strings("Parameters", in: group) {
            let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
            guard let name = parts.first, !name.isEmpty, name.utf8.count <= 64, parts.count <= 3,
                name.utf8.allSatisfy({ $0 > 0x20 && $0 != UInt8(ascii: ",") })
            else { throw fail("has a parameter that is not NAME:TYPE:LIMIT") }
            guard let type = parts.count > 1 ? ValueType(rawValue: parts[1]) : .text else {
                throw fail("has a parameter of an unknown type “\(parts[1].prefix(32))”")
            }
            let limit = parts.count > 2 ? Int(parts[2]) ?? 0 : 1_024
            guard (1...4_096).contains(limit) else { throw fail("has a limit outside 1…4096") }
            guard !parameters.contains(where: { $0.name == name }) else { throw fail("has “\(name)” twice") }
            parameters.append(Parameter(name, type, limit: limit))
        }
        let combinations = entry.strings("Combinations", in: group).map {
            $0.split(separator: ",").map { String($0.filter { $0 != " " }) }
        }
        guard (1...Self.maximumCount).contains(parameters.count), (1...Self.maximumCount).contains(combinations.count)
        else { throw fail("needs 1 to \(Self.maximumCount) parameters and combinations") }
        for name in combinations.joined() {
            guard parameters.contains(where: { $0.name == name }) else {
                throw fail("combines “\(name.prefix(64))”, which is no parameter")
            }
            if Self.isFleeting(name: name) {
                throw KindError(
                    .timestamp,
                    "the kind “\(kind)” of \(entry.id) combines “\(name)”, a time or counter: no two donations would be alike"
                )
            }
        }
        guard combinations.allSatisfy({ !$0.isEmpty }) else { throw fail("has an empty combination") }
        let summary = entry.string("Summary", in: group, locales: locales) ?? kind.rawValue
        guard summary.utf8.count <= 512 else { throw fail("has a summary of more than 512 bytes") }
        self.init(kind, parameters, combinations: combinations, summary: summary)
    }
}

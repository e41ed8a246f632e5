public import Coordinates
public import HunchModel
internal import Localization
internal import Synchronization

/// The link forms of a text: a rule for the links of each host and scheme in it.
///
/// The forms that Hunch knows are in `Data/links.txt`. A section is read when the first of its links is.
public struct LinkForms: PlaceRule {
    /// A section of the text: the name of the form and the lines below its header.
    private struct Section: Sendable {
        let name: String
        let line: Int
        let body: Substring
    }

    /// The forms that are read already, by the number of their section. A form with a fault reads no link.
    private final class Cache: Sendable {
        let rules = Mutex<[Int: (any LinkRule)?]>([:])
    }

    /// `publisher`. Places have the name of the publisher's own form.
    public let name = "publisher"

    private var sections: [Section] = []
    /// The sections by host, and by scheme with its colon.
    private var index: [String: [Int]] = [:]
    private let cache = Cache()

    /// The forms that Hunch knows.
    static let standard = LinkForms(String(decoding: PackageResources.links_txt, as: UTF8.self))

    /// Reads the headers of the sections.
    public init(_ text: String) {
        var line = 1
        var rest = text[...]
        var header: (name: String, line: Int)?
        var begin = rest.startIndex
        func add(to end: Substring.Index) -> Section? {
            header.map { Section(name: $0.name, line: $0.line, body: text[begin..<end]) }
        }
        while !rest.isEmpty {
            let end = rest.utf8.firstIndex(of: 0x0A) ?? rest.endIndex
            let next = end < rest.endIndex ? rest.utf8.index(after: end) : end
            if rest.utf8.first == UInt8(ascii: "[") {
                if let section = add(to: rest.startIndex) { sections.append(section) }
                let words = rest[..<end].split(separator: " ")
                header = (String(words[0].dropFirst().prefix { $0 != "]" }), line)
                for word in words.dropFirst() { index[word.lowercased(), default: []].append(sections.count) }
                begin = next
            }
            rest = rest[next...]
            line += 1
        }
        if let section = add(to: text.endIndex) { sections.append(section) }
    }

    /// Applies the forms of the link's publisher.
    public func place(in input: PlaceInput) throws(PlaceError) -> ParsedPlace? {
        guard let link = input.link else { return nil }
        for rule in rules(for: link) {
            if let place = try rule.place(in: input) { return place }
        }
        return nil
    }

    /// Returns the rules for the host of a link, those of subdomains first, or for its scheme.
    func rules(for link: Link) -> [any LinkRule] {
        (link.isWeb ? link.hosts : [link.scheme + ":"]).flatMap { index[$0] ?? [] }.compactMap(rule)
    }

    private func rule(_ number: Int) -> (any LinkRule)? {
        if let known = cache.rules.withLock({ $0[number] }) { return known }
        let section = sections[number]
        let rule = try? LinkForm(name: section.name, section.body).rule()
        cache.rules.withLock { $0[number] = .some(rule) }
        return rule
    }

    /// The faults of the forms, each with the line of its section's header, numbered from 1.
    public var problems: [(line: Int, message: String)] {
        sections.compactMap { section in
            do throws(LinkFormError) {
                _ = try LinkForm(name: section.name, section.body).rule()
                return nil
            } catch {
                return (section.line, error.description)
            }
        }
    }

    /// The names of the forms and the hosts and schemes of each.
    package var publishers: [(name: String, hosts: [String])] {
        sections.indices.map { number in
            (sections[number].name, index.filter { $0.value.contains(number) }.map(\.key).sorted())
        }
    }
}

package import HunchModel

/// All services for video calls: the one answer to whether an address, a name or a title is that of a call.
package struct CallServices: Sendable {
    /// Those of Hunch, of packages and of the user.
    package static let known = CallServices(DataTable(.ofThisProcess))

    private let services: [CallService]
    /// The services by their hosts.
    private let byHost: [String: CallService]
    private let otherHosts, phoneHosts, pages, innerPages, rooms: Set<String>
    private let titles: [String]
    private let addresses: [String]
    /// The texts that people write as the location of a call, in lower case.
    package let names: Set<String>
    /// Words in the names of apps for calls, in lower case.
    package let apps: Set<String>
    /// The schemes of the apps' links.
    package let schemes: Set<String>

    package init(_ table: DataTable<CallService>) {
        services = table.rows
        func all(_ words: KeyPath<CallService, Set<String>>) -> Set<String> {
            Set(table.rows.flatMap { $0[keyPath: words] })
        }
        byHost = Dictionary(services.flatMap { service in service.hosts.map { ($0, service) } }) { first, _ in first }
        (otherHosts, phoneHosts, pages) = (all(\.otherHosts), all(\.phoneHosts), all(\.pages))
        (innerPages, rooms, names) = (all(\.innerPages), all(\.rooms), all(\.names))
        (apps, schemes) = (all(\.apps), all(\.schemes))
        (titles, addresses) = (services.flatMap(\.titles), services.flatMap(\.addresses))
    }

    /// Returns whether a web address is that of a call, which a person can join there.
    package func isCall(_ address: String) -> Bool {
        guard let host = WebAddress.host(of: address)?.lowercased() else { return false }
        let path = address.drop { $0 != ":" }.dropFirst(3).drop { $0 != "/" }.dropFirst()
        let lower = path.lowercased()
        guard !path.isEmpty, !lower.hasSuffix(".ics"), !lower.contains("/ics?") else { return false }
        let labels = host.split(separator: ".")
        let domains = Self.domains(labels)
        if let service = domains.lazy.compactMap({ byHost[$0] }).first {
            return !isPage(lower)
                && (service.paths.isEmpty || service.paths.contains { CallService.matches(lower, $0) })
        }
        if domains.contains(where: otherHosts.contains) { return false }
        return addresses.contains { "\(host)/\(lower)".hasPrefix($0) }
            || services.contains { $0.hasCall(at: labels, path, lower) }
    }

    /// Returns whether a web address belongs to a service for calls: it is that of a call, or of another page there.
    package func contains(_ address: String) -> Bool {
        guard let host = WebAddress.host(of: address)?.lowercased() else { return false }
        let domains = Self.domains(host.split(separator: "."))
        return domains.contains { byHost[$0] != nil || otherHosts.contains($0) } || isCall(address)
    }

    /// Returns whether a web address is that of a page with telephone numbers.
    package func isPhonePage(_ address: String) -> Bool {
        WebAddress.host(of: address).map { phoneHosts.contains($0.lowercased()) } ?? false
    }

    /// Returns whether a page has the title of a call.
    package func isTitle(_ title: String) -> Bool {
        let title = title.lowercased()
        return titles.contains { pattern in
            pattern.hasPrefix("*")
                ? title.hasSuffix(pattern.dropFirst())
                : pattern.hasSuffix("*") ? title.hasPrefix(pattern.dropLast()) : title == pattern
        }
    }

    /// Returns whether a path is that of a page that is not a call.
    private func isPage(_ path: String) -> Bool {
        let parts = path.prefix { $0 != "?" && $0 != "#" }.split(separator: "/").map(String.init)
        return parts.first.map(pages.contains) == true
            || parts.dropFirst().contains(where: innerPages.contains) && !parts.contains(where: rooms.contains)
    }

    /// Returns a host and the domains above it.
    private static func domains(_ labels: [Substring]) -> [String] {
        labels.indices.map { labels[$0...].joined(separator: ".") }
    }
}

internal import HunchModel
internal import Localization

/// Addresses of items on a streaming service, and the same items in the schemes of the service's apps.
package struct StreamingService: DataRow {
    package static let file = "streaming-services.conf"
    package static let shipped = PackageResources.streaming_services_conf

    private let hosts: Set<String>
    private let kinds: Set<String>
    private let links: [String]

    package init(_ group: inout DataGroup) throws(DataFault) {
        hosts = try group.hosts("Hosts")
        kinds = Set(group.texts("Kinds"))
        links = group.texts("Links")
        for link in links where WebAddress.isScript(link) || !link.contains(":") {
            throw group.fault("Links", localized("“%1” is not a link", link.cut(to: 64)))
        }
    }

    private static let known = DataTable<StreamingService>(.ofThisProcess).rows

    /// Returns the links of apps to an item at a web address, the usual one first; none for another address.
    package static func appLinks(to address: String) -> [String] { appLinks(to: address, of: known) }

    static func appLinks(to address: String, of services: [StreamingService]) -> [String] {
        let scheme = address.cut(toBytes: 8).lowercased()
        guard scheme.hasPrefix("https://") || scheme.hasPrefix("http://"),
            let host = WebAddress.host(of: address)?.lowercased(),
            let service = services.first(where: { $0.hosts.contains(host) }),
            let slash = address.firstIndex(of: "/")
        else { return [] }
        let rest = address[slash...].dropFirst(2)
        let parts = rest.prefix { $0 != "?" && $0 != "#" }.split(separator: "/").dropFirst()
        guard !parts.isEmpty else { return [] }
        guard !service.kinds.isEmpty else {
            return service.links.map {
                $0.replacing("%u", with: rest).replacing("%e", with: PercentCoding.encode(address))
            }
        }
        // A language or a word like `browse` or `intl-de` may come before the kind.
        guard let index = parts.firstIndex(where: { service.kinds.contains(String($0)) }),
            parts.index(after: index) < parts.endIndex
        else { return [] }
        let item = parts[parts.index(after: index)]
        return service.links.map { $0.replacing("%k", with: parts[index]).replacing("%i", with: item) }
    }
}

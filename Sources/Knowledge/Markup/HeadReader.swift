internal import HTML
internal import FoundationEssentials

/// Reads the values of `meta`, `link`, `base` and `title` elements.
struct HeadReader {
    private(set) var openGraph: [String: [String]] = [:]
    private(set) var twitter: [String: [String]] = [:]
    private(set) var appLinks: [String: [String]] = [:]
    private(set) var smartAppBanner: [String: [String]] = [:]
    private(set) var position: [String: [String]] = [:]
    private(set) var title = ""
    private(set) var canonical: String?
    /// The address against which links are resolved.
    private(set) var base: LinkBase

    /// The number of values that are still read.
    private var remaining = Markup.maximumItems
    /// Whether values were left out.
    private(set) var isCut = false

    /// The maximum size of the title in bytes.
    private static let longestTitle = 65_536

    /// The namespaces of the Open Graph protocol (https://ogp.me) and of the pages of places at Facebook.
    private static let namespaces = [
        "og:", "article:", "book:", "profile:", "music:", "video:", "place:", "business:", "product:", "fb:",
    ]

    init(address: String?) { base = LinkBase(address) }

    mutating func read(_ element: HTMLElement) {
        switch element.name {
        case .base:
            // The first one counts.
            if !base.isExplicit, let address = element.attribute(.href) { base = base.replaced(by: address) }
        case .title: if title.isEmpty { title = MarkupText.collapsed(element.text(limit: Self.longestTitle)) }
        case .link: readLink(element)
        case .meta: readMeta(element)
        default: break
        }
    }

    private mutating func readLink(_ element: HTMLElement) {
        guard let address = element.attribute(.href) else { return }
        let relations = element.words(.rel).map { $0.lowercased() }
        if relations.contains("canonical"), canonical == nil { canonical = base.resolved(address) }
        if relations.contains("alternate"), address.hasPrefix("android-app:") || address.hasPrefix("ios-app:") {
            appLinks["alternate", default: []].append(address)
        }
    }

    private mutating func readMeta(_ element: HTMLElement) {
        guard element.has(.property) || element.has(.name),
            let content = element.attribute(.content).map(MarkupText.collapsed)
        else { return }
        // Pages confuse the two attributes.
        var names = element.words(.property)
        for name in element.words(.name) where !names.contains(name) { names.append(name) }
        for name in names.map({ $0.lowercased() }) {
            guard remaining > 0 else {
                isCut = true
                return
            }
            remaining -= 1
            switch name {
            case "apple-itunes-app":
                for part in content.split(separator: ",") {
                    let sides = part.split(separator: "=", maxSplits: 1).map { MarkupText.collapsed(String($0)) }
                    if sides.count == 2 { smartAppBanner[sides[0], default: []].append(sides[1]) }
                }
            case "geo.position", "icbm", "geo.placename", "geo.region": position[name, default: []].append(content)
            case _ where name.hasPrefix("twitter:"): twitter[name, default: []].append(content)
            case _ where name.hasPrefix("al:"): appLinks[name, default: []].append(content)
            case _ where Self.namespaces.contains(where: name.hasPrefix): openGraph[name, default: []].append(content)
            default: break
            }
        }
    }
}

/// The address against which the links of a page are resolved.
struct LinkBase {
    private let address: URL?
    /// Whether a `base` element gave it.
    private(set) var isExplicit = false

    init(_ address: String?) { self.address = address.flatMap { URL(string: $0) } }

    private init(_ address: URL?, isExplicit: Bool) { (self.address, self.isExplicit) = (address, isExplicit) }

    func replaced(by link: String) -> LinkBase {
        LinkBase(URL(string: link, relativeTo: address)?.absoluteURL ?? address, isExplicit: true)
    }

    /// Returns a link as an absolute address. Returns it unchanged without a base, or if it is not a link.
    func resolved(_ link: String) -> String {
        let link = MarkupText.collapsed(link)
        guard let address, let url = URL(string: link, relativeTo: address) else { return link }
        return url.absoluteString
    }
}

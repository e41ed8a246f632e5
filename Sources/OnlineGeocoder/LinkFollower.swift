internal import AgentInterface
internal import HunchModel

/// Asks the servers of short links where they lead, one after the other and blocking.
struct LinkFollower {
    /// The most short links that lead to one another.
    static let maximumHops = 5

    let client: HTTPClient
    /// The host of a link that may be asked; `nil` where it may not.
    private let host: @Sendable (String) -> String?
    private let reach: HTTPClient.Reach

    /// - Parameters:
    ///   - host: tells which links are short ones.
    ///   - reach: which servers may be connected to.
    init(
        client: HTTPClient, host: @escaping @Sendable (String) -> String? = ShortLinks.host,
        reach: HTTPClient.Reach = .publicServers
    ) {
        self.client = client
        self.host = host
        self.reach = reach
    }

    /// Returns the target of a short link: the first address that is not a short link, which is not requested itself.
    ///
    /// - Parameter turn: waits until the next request may leave.
    func target(
        of link: String, turn: () throws(OnlineGeocoder.Trouble) -> Void
    ) throws(OnlineGeocoder.Trouble) -> String {
        var link = link
        for _ in 0..<Self.maximumHops {
            guard let host = host(link) else { return link }
            try turn()
            let next: String?
            do throws(HTTPClient.Failure) {
                var found = try client.redirect(of: secured(link), onlyHead: true, reach: reach)
                // Some servers answer only those who want the page.
                if found == nil { found = try client.redirect(of: secured(link), onlyHead: false, reach: reach) }
                next = found
            } catch {
                throw .failed("\(host) cannot be asked: \(error.message)")
            }
            guard let next, next.utf8.count <= ShortLinks.maximumLength else {
                throw .failed("\(host) does not say where the link leads; it may be wrong or too old")
            }
            link = next
        }
        guard host(link) == nil else { throw .failed("the link leads through more than \(Self.maximumHops) others") }
        return link
    }

    private func secured(_ link: String) -> String {
        if case .any = reach { return link }
        let address = link.lowercased().hasPrefix("http://") ? link.dropFirst(7) : link[...]
        return address.lowercased().hasPrefix("https://") ? String(address) : "https://\(address)"
    }
}

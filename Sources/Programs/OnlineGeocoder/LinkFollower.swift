internal import AgentInterface
internal import HunchModel
internal import Localization

/// A resolver for short links. It requests one link after the other, and blocks.
struct LinkFollower {
    /// The maximum number of chained short links.
    static let maximumHops = 5

    let client: HTTPClient
    /// Returns the host of a short link that may be requested, or `nil` for other links.
    private let host: @Sendable (String) -> String?
    private let reach: HTTPClient.Reach

    /// - Parameters:
    ///   - host: recognizes short links.
    ///   - reach: the servers to which connections are allowed.
    init(
        client: HTTPClient, host: @escaping @Sendable (String) -> String? = ShortLinks.host,
        reach: HTTPClient.Reach = .publicServers
    ) {
        self.client = client
        self.host = host
        self.reach = reach
    }

    /// Follows a chain of short links and returns its target, the first link that is not short. The target itself is
    /// not requested.
    ///
    /// - Parameter turn: waits until the next request is allowed.
    func target(
        of link: String, turn: () throws(OnlineGeocoder.Failure) -> Void
    ) throws(OnlineGeocoder.Failure) -> String {
        var link = link
        for _ in 0..<Self.maximumHops {
            guard let host = host(link) else { return link }
            try turn()
            let next: String?
            do throws(HTTPClient.Failure) {
                var found = try client.redirect(of: secured(link), onlyHead: true, reach: reach)
                // Some servers answer only GET requests.
                if found == nil { found = try client.redirect(of: secured(link), onlyHead: false, reach: reach) }
                next = found
            } catch {
                throw .failed(localized("%1 cannot be reached: %2", host, error.message))
            }
            guard let next, next.utf8.count <= ShortLinks.maximumLength else {
                throw .failed(localized("%1 does not redirect the link; it may be mistyped or expired", host))
            }
            link = next
        }
        guard host(link) == nil else {
            throw .failed(localized("the link leads through more than %1 short links", Self.maximumHops))
        }
        return link
    }

    /// Returns the link with `https`, which is the only scheme that public servers may use.
    private func secured(_ link: String) -> String {
        if case .any = reach { return link }
        let address = link.lowercased().hasPrefix("http://") ? link.dropFirst(7) : link[...]
        return address.lowercased().hasPrefix("https://") ? String(address) : "https://\(address)"
    }
}

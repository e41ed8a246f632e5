internal import HunchModel
public import Regions

/// A routing app as a feature of a coverage file tells of it.
///
/// | property | value |
/// |---|---|
/// | `name` | what people call it |
/// | `kind` | `native` or `web` |
/// | `modes` | words of ``HunchModel/TransportMode``, at least one |
/// | `app` | identifier of the app, where several features tell of one; else the feature's own |
/// | `desktop_ids` | of a native app: desktop identifiers, likeliest first |
/// | `uri` | object of templates (``LaunchTemplate``): `to`, `here`, `from`, `search` |
/// | `mode_words` | object: the app's words for modes |
extension RoutingApp {
    /// Reads the properties of a region.
    ///
    /// - Returns: `nil` for a region that is no routing app's, having no `modes`.
    /// - Throws: ``RoutingAppProblem`` naming the property that is missing or wrong.
    public init?(region: Region) throws(RoutingAppProblem) {
        guard region.properties["modes"] != nil else { return nil }
        func problem(_ reason: String) -> RoutingAppProblem {
            RoutingAppProblem(file: region.file, app: region.id, reason: reason)
        }
        guard let words = region.properties["modes"]?.strings, !words.isEmpty else {
            throw problem("\"modes\" is not a list of ways to travel")
        }
        let modes = words.compactMap(TransportMode.init(rawValue:))
        guard modes.count == words.count else {
            let wrong = words.first { TransportMode(rawValue: $0) == nil } ?? ""
            throw problem("\"\(wrong)\" in \"modes\" is no way to travel")
        }
        guard let kind = region.properties["kind"]?.string.flatMap(Kind.init(rawValue:)) else {
            throw problem("\"kind\" is neither native nor web")
        }
        let desktopIDs = region.properties["desktop_ids"]?.strings ?? []
        guard kind == .web || !desktopIDs.isEmpty else {
            throw problem("a native app needs \"desktop_ids\", a list of its desktop identifiers")
        }
        let uris = region.properties["uri"]?.object ?? [:]
        guard ["to", "here", "from"].contains(where: { uris[$0]?.string != nil }) else {
            throw problem("\"uri\" has no template \"to\", \"here\" or \"from\"")
        }
        let templates = ["to", "here", "from", "search"].compactMap { uris[$0]?.string }
        if let unknown = templates.lazy.compactMap(LaunchTemplate.unknownPlaceholder).first {
            throw problem("\"uri\" has the unknown placeholder \"\(unknown)\"")
        }
        var modeWords: [TransportMode: String] = [:]
        for (mode, word) in region.properties["mode_words"]?.object ?? [:] {
            guard let mode = TransportMode(rawValue: mode), let word = word.string else {
                throw problem("\"mode_words\" has \"\(mode)\", which is no way to travel with a word")
            }
            modeWords[mode] = word
        }
        self.init(
            id: region.properties["app"]?.string ?? region.id, name: region.name, kind: kind, desktopIDs: desktopIDs,
            services: [Service(region: region.isEverywhere ? nil : region.id, modes: Set(modes))],
            template: LaunchTemplate(
                toDestination: uris["to"]?.string, fromHere: uris["here"]?.string, withSource: uris["from"]?.string,
                search: uris["search"]?.string, modeWords: modeWords))
    }
}

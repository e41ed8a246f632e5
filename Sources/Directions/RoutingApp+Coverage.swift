internal import JSON
internal import FoundationEssentials
internal import HunchModel
public import Regions

/// A routing app from a feature of a coverage file. `Regions/README.md` documents the properties.
extension RoutingApp {
    /// Reads the properties of a region.
    ///
    /// - Returns: `nil` for a region without `modes`, which does not belong to a routing app.
    /// - Throws: ``RoutingAppProblem`` with the missing or invalid property.
    public init?(region: Region) throws(RoutingAppProblem) {
        guard region.properties["modes"] != nil else { return nil }
        func problem(_ reason: String) -> RoutingAppProblem {
            RoutingAppProblem(file: region.file, app: region.id, reason: reason)
        }
        guard let words = region.properties["modes"]?.strings, !words.isEmpty else {
            throw problem("\"modes\" is not a list of modes")
        }
        let modes = words.compactMap(TransportMode.init(rawValue:))
        guard modes.count == words.count else {
            let wrong = words.first { TransportMode(rawValue: $0) == nil } ?? ""
            throw problem("unknown mode \"\(wrong)\" in \"modes\"; use \(TransportMode.words)")
        }
        guard let kind = region.properties["kind"]?.string.flatMap(Kind.init(rawValue:)) else {
            throw problem("\"kind\" is neither native nor web")
        }
        let desktopIDs = region.properties["desktop_ids"]?.strings?.map { AppID($0) } ?? []
        guard kind == .web || !desktopIDs.isEmpty else {
            throw problem("a native app needs \"desktop_ids\", a list of its desktop identifiers")
        }
        let opens = region.properties["opens"]?.string ?? Opening.route.rawValue
        guard let opening = Opening(rawValue: opens) else { throw problem("\"opens\" is neither route nor place") }
        var isEstimate = false
        // In files of version 0.1, it is an object with explanations, which is ignored.
        if let word = region.properties["coverage"]?.string {
            guard ["stated", "estimate"].contains(word) else {
                throw problem("\"coverage\" is neither stated nor estimate")
            }
            isEstimate = word == "estimate"
        }
        var template = try LaunchTemplate(
            texts: region.properties["uri"]?.object?.compactMapValues(\.string) ?? [:], of: kind, named: "uri",
            problem: problem)
        for (mode, word) in region.properties["mode_words"]?.object ?? [:] {
            guard let mode = TransportMode(rawValue: mode), let word = word.string else {
                throw problem(
                    "\"mode_words\" has \"\(mode)\", which is not a mode with a word; use \(TransportMode.words)")
            }
            template.modeWords[mode] = word
        }
        if let zone = region.properties["timezone"] {
            guard let timeZone = zone.string.flatMap(TimeZone.init(identifier:)) else {
                throw problem("\"timezone\" is not a time zone such as Europe/Helsinki")
            }
            template.timeZone = timeZone
        }
        var scope: Scope?
        if let word = region.properties["scope"] {
            scope = word.string.flatMap(Scope.init(rawValue:))
            guard scope != nil else { throw problem("\"scope\" is neither city nor intercity") }
        }
        let isSpecialised = region.properties["specialised"] ?? .boolean(false)
        guard [.boolean(true), .boolean(false)].contains(isSpecialised) else {
            throw problem("\"specialised\" is neither true nor false")
        }
        self.init(
            id: AppID(region.properties["app"]?.string ?? region.id), name: region.name, kind: kind,
            desktopIDs: desktopIDs,
            services: [
                Service(
                    region: region.isEverywhere ? nil : region.id, modes: Set(modes), isEstimate: isEstimate,
                    squareKilometres: region.isEverywhere ? nil : region.squareKilometres, scope: scope,
                    template: template)
            ],
            opening: opening, usesOpenData: region.properties["open_data"] == .boolean(true),
            isSpecialised: isSpecialised == .boolean(true))
    }
}

extension LaunchTemplate {
    /// Schemes that run code or read files instead of opening an app.
    private static let refusedSchemes: Set<String> = ["javascript", "data", "file", "vbscript", "blob", "about"]

    /// Reads the templates of an app.
    ///
    /// - Parameters:
    ///   - texts: the templates by their names: `to`, `here`, `from` and `search`.
    ///   - kind: the kind of app. Web services may only have `https:` links.
    ///   - property: the property's name, for problems.
    init(
        texts: [String: String], of kind: RoutingApp.Kind, named property: String,
        problem: (String) -> RoutingAppProblem
    ) throws(RoutingAppProblem) {
        var templates: [String: LinkTemplate] = [:]
        for (name, text) in texts.sorted(by: { $0.key < $1.key }) {
            guard ["to", "here", "from", "search"].contains(name) else {
                throw problem("\"\(property)\" has \"\(name)\"; use to, here, from or search")
            }
            let template: LinkTemplate
            do throws(LinkTemplateError) {
                template = try LinkTemplate(text)
            } catch {
                throw problem("the template \"\(name)\" of \"\(property)\" is wrong: \(error)")
            }
            let isAllowed =
                kind == .web ? template.scheme == "https" : !Self.refusedSchemes.contains(template.scheme)
            guard isAllowed else {
                throw problem(
                    "the template \"\(name)\" of \"\(property)\" has the scheme \(template.scheme):, which "
                        + (kind == .web ? "web services do not have; use https:" : "opens no app"))
            }
            templates[name] = template
        }
        guard templates["to"] ?? templates["here"] ?? templates["from"] != nil else {
            throw problem("\"\(property)\" has no template \"to\", \"here\" or \"from\"")
        }
        self.init(
            toDestination: templates["to"], fromHere: templates["here"], withSource: templates["from"],
            search: templates["search"])
    }
}

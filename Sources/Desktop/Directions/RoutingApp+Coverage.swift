internal import JSON
internal import FoundationEssentials
internal import HunchModel
internal import Localization
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
            throw problem(localized("\"modes\" is not a list of modes"))
        }
        let modes = words.compactMap(TransportMode.init(rawValue:))
        guard modes.count == words.count else {
            let wrong = words.first { TransportMode(rawValue: $0) == nil } ?? ""
            throw problem(localized("unknown mode \"%1\" in \"modes\"; use %2", wrong, TransportMode.words))
        }
        guard let kind = region.properties["kind"]?.string.flatMap(Kind.init(rawValue:)) else {
            throw problem(localized("\"kind\" is neither native nor web"))
        }
        let desktopIDs = region.properties["desktop_ids"]?.strings?.map { AppID($0) } ?? []
        guard kind == .web || !desktopIDs.isEmpty else {
            throw problem(localized("a native app needs \"desktop_ids\", a list of its desktop identifiers"))
        }
        let opens = region.properties["opens"]?.string ?? Opening.route.rawValue
        guard let opening = Opening(rawValue: opens) else {
            throw problem(localized("\"opens\" must be route or place"))
        }
        let template = try LaunchTemplate(
            texts: region.properties["uri"]?.object?.compactMapValues(\.string) ?? [:], of: kind, named: "uri",
            problem: problem)
        let isSpecialised = region.properties["specialised"] ?? .boolean(false)
        guard [.boolean(true), .boolean(false)].contains(isSpecialised) else {
            throw problem(localized("\"specialised\" is neither true nor false"))
        }
        self.init(
            id: AppID(region.properties["app"]?.string ?? region.id), name: region.name, kind: kind,
            desktopIDs: desktopIDs, services: [try Service(region, Set(modes), template, problem: problem)],
            opening: opening, usesOpenData: region.properties["open_data"] == .boolean(true),
            isSpecialised: isSpecialised == .boolean(true))
    }
}

extension RoutingApp.Service {
    /// Creates the service of a region, with what its feature says about the area, the words for modes and the time zone.
    ///
    /// - Throws: ``RoutingAppProblem`` with the invalid property.
    init(
        _ region: Region, _ modes: Set<TransportMode>, _ template: LaunchTemplate,
        problem: (String) -> RoutingAppProblem
    ) throws(RoutingAppProblem) {
        var isEstimate = false
        // In files of version 0.1, it is an object with explanations, which is ignored.
        if let word = region.properties["coverage"]?.string {
            guard ["stated", "estimate"].contains(word) else {
                throw problem(localized("\"coverage\" is neither stated nor estimate"))
            }
            isEstimate = word == "estimate"
        }
        var template = template
        for (mode, word) in region.properties["mode_words"]?.object ?? [:] {
            guard let mode = TransportMode(rawValue: mode), let word = word.string else {
                throw problem(
                    localized(
                        "\"mode_words\" has \"%1\", which is not a mode with a word; use %2", mode, TransportMode.words)
                )
            }
            template.modeWords[mode] = word
        }
        if let zone = region.properties["timezone"] {
            guard let timeZone = zone.string.flatMap(TimeZone.init(identifier:)) else {
                throw problem(localized("\"timezone\" is not a time zone such as Europe/Helsinki"))
            }
            template.timeZone = timeZone
        }
        var scope: RoutingApp.Scope?
        if let word = region.properties["scope"] {
            scope = word.string.flatMap(RoutingApp.Scope.init(rawValue:))
            guard scope != nil else { throw problem(localized("\"scope\" is neither city nor intercity")) }
        }
        self.init(
            region: region.isEverywhere ? nil : region.id, modes: modes, isEstimate: isEstimate,
            squareKilometres: region.isEverywhere ? nil : region.squareKilometres, scope: scope, template: template)
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
                throw problem(localized("\"%1\" has \"%2\"; use to, here, from or search", property, name))
            }
            let template: LinkTemplate
            do throws(LinkTemplateError) {
                template = try LinkTemplate(text)
            } catch {
                throw problem(
                    localized("the template \"%1\" of \"%2\" is wrong: %3", name, property, error.description))
            }
            let isAllowed =
                kind == .web ? template.scheme == "https" : !Self.refusedSchemes.contains(template.scheme)
            guard isAllowed else {
                throw problem(
                    kind == .web
                        ? localized(
                            """
                            the template "%1" of "%2" has the scheme %3:, which web services do not have; use https:
                            """, name, property, template.scheme)
                        : localized(
                            "the template \"%1\" of \"%2\" has the scheme %3:, which opens no app", name, property,
                            template.scheme))
            }
            templates[name] = template
        }
        guard templates["to"] ?? templates["here"] ?? templates["from"] != nil else {
            throw problem(localized("\"%1\" has no template \"to\", \"here\" or \"from\"", property))
        }
        self.init(
            toDestination: templates["to"], fromHere: templates["here"], withSource: templates["from"],
            search: templates["search"])
    }
}

public import DesktopFiles
public import HunchModel
import Localization
public import Regions

/// A routing app declared by its own desktop entry:
///
///     Implements=org.hunch.RoutingApp1;
///
///     [X-org.hunch.RoutingApp1]
///     Modes=car;bike;
///     Coverage=city.geojson
///     Uri=cityroutes:go?lat={lat}&lon={lon}
///
/// `Coverage` names a file in a coverage folder. The app serves all features of the file, of which the properties `coverage`,
/// `mode_words`, `timezone` and `scope` count; without `Coverage`, it serves everywhere. `UriHere` and `UriFrom` are the templates with the user's position and with another place as the
/// source. `UriSearch` is the template for a destination without a coordinate. See ``LinkTemplate``. With
/// `Opens=place`, the link only shows the destination.
extension RoutingApp {
    /// The group of a desktop entry, and the interface in its `Implements`.
    public static let declaration = "org.hunch.RoutingApp1"

    /// Reads the declaration of an entry.
    ///
    /// - Parameters:
    ///   - entry: a desktop entry.
    ///   - file: its path, for problems.
    ///   - locales: the locales of the name, best first; see ``HunchModel/DesktopEntry/localeNames(for:)``.
    ///   - features: returns the features of a coverage file; `nil` if there is no such file.
    /// - Returns: `nil` for an entry without a declaration.
    /// - Throws: ``RoutingAppProblem`` with the missing or invalid key.
    public init?(
        entry: DesktopEntry, file: String, locales: [String] = [], features: (String) -> [Region]?
    ) throws(RoutingAppProblem) {
        guard entry.implements.contains(Self.declaration) else { return nil }
        func problem(_ reason: String) -> RoutingAppProblem {
            RoutingAppProblem(file: file, app: entry.id.rawValue, reason: reason)
        }
        guard entry.hasGroup(Self.declaration) else {
            throw problem(localized("the group [%1] is missing", Self.declaration))
        }
        var modes: Set<TransportMode> = []
        for word in entry.strings("Modes", in: Self.declaration) {
            guard let mode = TransportMode(rawValue: word) else {
                throw problem(localized("unknown mode \"%1\" in Modes; use %2", word, TransportMode.words))
            }
            modes.insert(mode)
        }
        guard !modes.isEmpty else { throw problem(localized("Modes is empty")) }
        let keys = ["to": "Uri", "here": "UriHere", "from": "UriFrom", "search": "UriSearch"]
        let template = try LaunchTemplate(
            texts: keys.compactMapValues { entry.string($0, in: Self.declaration) }, of: .native, named: "Uri",
            problem: problem)
        let opens = entry.string("Opens", in: Self.declaration) ?? Opening.route.rawValue
        guard let opening = Opening(rawValue: opens) else {
            throw problem(localized("Opens must be route or place"))
        }
        var services = [Service(region: nil, modes: modes, template: template)]
        if let coverage = entry.string("Coverage", in: Self.declaration) {
            guard let regions = features(coverage), !regions.isEmpty else {
                throw problem(
                    localized(
                        "the coverage file \"%1\" is in no coverage folder or has no valid feature", coverage))
            }
            services = try regions.map { region throws(RoutingAppProblem) in
                try Service(region, modes, template, problem: problem)
            }
        }
        self.init(
            id: entry.id, name: entry.name(locales: locales), kind: .native, desktopIDs: [entry.id],
            services: services, opening: opening)
    }
}

internal import Glibc
internal import HunchModel
internal import Localization

/// The fit of an app and its link to a request.
struct RoutingFit {
    let modes: [TransportMode]
    /// The requested modes for which the link does not ask, in addition to another one.
    let otherModes: [TransportMode]
    let link: LaunchTemplate.Link
    /// Whether the link leads to the middle of the map on which the words were searched.
    let isRough: Bool
    let mayNotServe: Bool
    /// Whether all services are for routes between cities, but this route is short or of unknown length.
    let isShortForIt: Bool
    /// Whether all services are for routes within a city, but this route is longer, or leads from an unknown place to a town.
    let isLongForIt: Bool
    /// Whether an area that contains the route, stated or estimated, is much smaller than the world.
    let isRegional: Bool
    /// The smallest stated area that contains the route, in km²; `nil` without one. Areas of intercity services
    /// do not count: they extend into countries that have a planner of their own.
    let statedArea: Double?
}

/// The order of apps without knowledge of the user: by what their links can carry, then by their use in the country.
struct RoutingPrior {
    private let request: DirectionsRequest
    /// Whether to show the place is all that was asked.
    private let wantsPlace: Bool
    private let country: String?
    private let countryOfSource: String?
    private let shares: [AppID: Double]

    /// - Parameter isLink: whether the user clicked a link.
    init(_ request: DirectionsRequest, isLink: Bool) {
        self.request = request
        wantsPlace = isLink && request.source == .unknown && request.modes.isEmpty && request.time == nil
        // The outlines are coarse at borders.
        country =
            request.destination.address?.countryCode
            ?? (request.destination.coordinate ?? request.roughDestination).flatMap(AppUse.known.country)
        countryOfSource =
            if case .place(let source) = request.source {
                source.address?.countryCode ?? source.coordinate.flatMap(AppUse.known.country)
            } else {
                nil
            }
        shares = AppUse.known.shares(in: country, by: request.modes)
    }

    /// Returns whether an app is the planner of public transport of another country, by its identifier: `at.oebb.scotty`
    /// for a train in Germany.
    private func isForeign(_ app: RoutingApp) -> Bool {
        guard let country, shares[app.id] == nil, app.modes.isSubset(of: TransportMode.transit.union([.plane])),
            let domain = app.id.rawValue.split(separator: ".").first, domain.utf8.count == 2
        else { return false }
        let home = domain == "uk" ? "GB" : domain.uppercased()
        return ![country, countryOfSource].contains(home)
    }

    /// Returns a number by which to order apps of the same weight. It favours no letter of the alphabet, and other apps
    /// in each country.
    func tieBreak(_ app: AppID) -> UInt64 {
        let hash = StableHash("\(app.rawValue) \(country ?? AppUse.world)".utf8).value
        // FNV mixes the last characters only into the low bits.
        return (hash ^ hash >> 32) &* 0x9E37_79B9_7F4A_7C15
    }

    /// Returns the prior weight of an app, 0…1.
    ///
    /// The factors keep this order: apps that do all that was asked; those that show a route but lack the source, the
    /// mode or a certain coverage; those that show only the place. If a mode or a telling time was asked for, every app
    /// that carries it precedes those that do not. National planners of another country follow. It does not lower apps
    /// that the user opened before.
    ///
    /// - Parameter isLearned: whether the user has opened it before.
    func weight(of app: RoutingApp, _ fit: RoutingFit, isDefault: Bool, isLearned: Bool = false) -> Double {
        let isForeign = !isLearned && isForeign(app)
        let weight = plainWeight(of: app, fit, isDefault: isDefault) * (isForeign ? 0.25 : 1)
        guard !isForeign, isTimeTelling || !request.modes.isEmpty else { return weight }
        return weight / 2 + (isLearned || carriesAll(app, fit) ? 0.5 : 0)
    }

    /// Whether the time says that a timetable is wanted. Where people drive, a time without a mode is that of a drive.
    private var isTimeTelling: Bool {
        guard request.time != nil else { return false }
        return !request.modes.isEmpty || !((country ?? countryOfSource).map(Self.ofDrivers.contains) ?? false)
    }

    /// The countries where less than a tenth of all passenger-kilometres are by public transport, by national statistics of
    /// 2019 to 2023.
    private static let ofDrivers: Set<String> = ["US", "CA", "AU", "NZ", "SA", "AE", "KW", "QA", "OM", "BH", "IS"]

    /// Returns whether an app's link leads to the route with all that was asked.
    private func carriesAll(_ app: RoutingApp, _ fit: RoutingFit) -> Bool {
        app.opening == .route && !fit.mayNotServe && !fit.isRough && !fit.isLongForIt
            && fit.link.missing.allSatisfy { $0 == .mode && factor(for: $0, of: app) > 0.9 }
    }

    private func plainWeight(of app: RoutingApp, _ fit: RoutingFit, isDefault: Bool) -> Double {
        var weight = app.kind == .native ? 0.4 + 0.1 * appeal(of: app, fit) : 0.2 + 0.2 * appeal(of: app, fit)
        if isDefault, doesAll(app, fit) { weight = 1 }
        if app.isSpecialised { weight *= 0.75 }
        if fit.isShortForIt || fit.isLongForIt { weight *= 0.75 }
        // If several modes are requested, such as all public transport, an app for all of them is better than one for
        // trains.
        if !request.modes.isEmpty, !app.modes.isEmpty {
            weight *= 0.9 + 0.1 * Double(fit.modes.count) / Double(request.modes.count)
        }
        // An app that searches by text may find another place although the coordinate is known. For the name of a place
        // that is rare, since planners know stations and towns.
        if fit.link.isSearch, request.destination.coordinate != nil {
            weight *= request.destination.name == nil ? 0.5 : 0.95
        }
        if fit.mayNotServe { weight *= 0.5 }
        if fit.isRough { weight *= 0.5 }
        for part in fit.link.missing { weight *= factor(for: part, of: app) }
        if app.opening == .place, !wantsPlace { weight *= 0.15 }
        return weight
    }

    /// Returns the factor for a part of the request that the link of an app cannot carry.
    private func factor(for part: RequestPart, of app: RoutingApp) -> Double {
        switch part {
        case .time: 0.9
        // A planner with timetables shows trains among its connections.
        case .mode where app.modes.isSubset(of: TransportMode.transit.union([.plane])): app.modes.isEmpty ? 0.4 : 0.97
        case .mode, .source: 0.4
        }
    }

    /// Returns the reasons for the place of an app, the most telling first; at least one.
    func reasons(for app: RoutingApp, _ fit: RoutingFit, isDefault: Bool) -> [String] {
        var reasons: [String] = []
        if isDefault, doesAll(app, fit) { reasons.append(localized("it is the map app of this desktop")) }
        if let share = shares[app.id], share >= Self.wideUse { reasons.append(localized("many people there use it")) }
        if fit.statedArea != nil { reasons.append(localized("it is made for this area")) }
        let missing = fit.link.missing
        if app.opening == .place {
            reasons.append(localized("it shows the place on a map"))
        } else if app.isRideShareOnly {
            reasons.append(localized("it orders rides"))
        } else if request.source != .unknown, !fit.mayNotServe, missing.allSatisfy({ $0 == .time }) {
            reasons.append(localized("it shows the whole route"))
        } else {
            reasons.append(localized("it shows routes"))
        }
        return reasons
    }

    /// The share above which many people use an app.
    private static let wideUse = 0.25

    /// Whether the app shows what was asked: the route with its source and mode, or the place of a clicked link.
    private func doesAll(_ app: RoutingApp, _ fit: RoutingFit) -> Bool {
        if fit.mayNotServe || fit.isRough { return false }
        return wantsPlace || app.opening == .route && fit.link.missing.allSatisfy { $0 == .time }
    }

    /// Returns how likely an app is chosen among those that do the same, 0…1: by its use, then by how specific it is.
    private func appeal(of app: RoutingApp, _ fit: RoutingFit) -> Double {
        var specific = 0.0
        // An app with more modes is the likelier answer to a request without one.
        if request.modes.isEmpty, app.opening == .route {
            specific += 0.01 * Double(TransportMode.families(fit.modes).count)
        }
        if app.usesOpenData { specific += 0.02 }
        // A service for the region of the place is better than one for the world, and the smaller its area, the better.
        // No area exceeds 10^8 km².
        if fit.isRegional { specific += 0.03 }
        if let area = fit.statedArea { specific += 0.1 * max(0, 1 - log10(max(area, 1)) / 8) }
        return 0.75 * min(shares[app.id] ?? 0, 1) + 0.25 * min(specific / 0.2, 1)
    }
}

internal import DirectionServices
internal import Agent
internal import Directions
internal import FoundationEssentials
internal import Geocoding
internal import History
internal import HunchModel
internal import Learning
internal import Localization

/// The routes to appointments.
extension AppointmentsService {
    /// The maximum number of earlier directions that determine the usual modes.
    private static let modeMemory = 200
    /// The maximum number of places to which routes are looked up at once. The time to leave for others is not known.
    private static let maximumPlaces = 200
    /// The distance in metres from which a town counts as a destination.
    private static let townDistance = 15_000.0
    /// The distance in metres within which the user is at a place that they named.
    private static let placeRadius = 300.0

    /// Where the user is, and how they travel from there.
    struct Outset {
        /// The position of the user; `nil` if it is not known.
        let position: Coordinate?
        /// The place for people, such as “from home”; `nil` if it has no name.
        let words: String?
        let habits: TravelHabits
    }

    /// The key of a route that is looked up: its place, and the mode that was announced before.
    struct Aim: Hashable {
        let place: MapItem
        let told: AppointmentPlan.Choice?
    }

    /// A route to a place.
    struct Journey {
        let route: PlannedRoute
        let precision: DirectionsService.Precision
        /// The distance of the great circle in metres, the mode, and the position for which the mode was chosen; `nil` if the
        /// position of the user or of the place is not known.
        let distance: (metres: Double, mode: TransportMode, outset: Coordinate)?
        /// The modes of the route, of which the mode that fits is one.
        var modes: Set<TransportMode> = []

        /// The mode in words. A user who takes any public transport does not state the means.
        func words(of mode: TransportMode) -> String? {
            let isAny = TransportMode.transit.contains(mode) && modes.intersection(TransportMode.transit).count > 1
            return isAny ? localized("by public transport") : mode.phrase
        }
    }

    /// Returns where the user is, and how they travel.
    func outset() async throws -> Outset {
        let (directions, places, own) = try await history.use { store, _ in
            (
                try store.donations(of: .getDirections, limit: Self.modeMemory),
                try store.whereabouts().places,
                try store.ownPlaces()
            )
        }
        let position = await present.position()?.coordinate
        let coordinates = Dictionary(places.map { ($0.word, $0.coordinate) }) { first, _ in first }
            .merging(own.compactMapValues(\.coordinate)) { $1 }
        // Users mostly open directions at home.
        let usualStart = coordinates["home"] ?? position
        let trips = directions.compactMap { donation -> TravelHabits.Trip? in
            let start = donation.context.further["place"].flatMap { coordinates[$0] } ?? usualStart
            guard let start, let end = donation.destination, !donation.modes.isEmpty else { return nil }
            return TravelHabits.Trip(distance: start.distance(to: end), by: donation.modes)
        }
        let stay = await present.now().further["place"]
        let named = position.flatMap { position in
            own.filter {
                $0.value.coordinate.map { $0.distance(to: position) <= Self.placeRadius } ?? false
            }
            .keys.min()
        }
        return Outset(
            position: position, words: (named ?? stay).flatMap { Self.words(leaving: $0) },
            habits: TravelHabits(trips))
    }

    /// Returns the words for leaving a place; `nil` for one without a name.
    private static func words(leaving label: String) -> String? {
        switch NamedPlace(label) {
        case .home: localized("from home")
        case .work: localized("from work")
        case .usual: nil
        case .other(let name): localizedIn("start", "from %1", name)
        }
    }

    /// Returns the key of the route to an event; `nil` if there is none.
    func aim(of event: CalendarEvent) -> Aim? {
        guard !event.isAllDay, let place = event.place, place.coordinate != nil || !Placeless.isMeant(by: place) else {
            return nil
        }
        return Aim(place: place, told: policy.choice(for: event))
    }

    /// Returns an event with the estimated route to it.
    ///
    /// - Parameter journeys: the routes from there that were looked up already, to which the event's is added.
    func plan(
        for event: CalendarEvent, from outset: Outset, _ journeys: inout [Aim: Journey?]
    ) async throws -> AppointmentPlan {
        // Some apps would search even for words that do not name a place, such as “Room 5”.
        guard let aim = aim(of: event) else { return AppointmentPlan(event: event, route: .none) }
        if journeys[aim] == nil {
            guard journeys.count < Self.maximumPlaces else {
                return AppointmentPlan(event: event, route: .unknown, lacking: .notFound)
            }
            journeys[aim] = .some(try await journey(to: aim, from: outset))
        }
        let journey = journeys[aim] ?? nil
        guard let journey, let end = journey.route.position else {
            // The place of an event with a call is mostly a room.
            let route = journey == nil || event.meetingURL != nil ? AppointmentPlan.Route.none : .unknown
            let obstacle: AppointmentPlan.Obstacle? =
                switch journey?.precision {
                case nil: .noApp
                case .ambiguous: .ambiguous
                default: .notFound
                }
            return AppointmentPlan(event: event, route: route, lacking: obstacle)
        }
        switch journey.precision {
        case .exact: break
        // The town of an address whose street is not known.
        case .address: return AppointmentPlan(event: event, route: .unknown, lacking: .townOnly)
        case .ambiguous: return AppointmentPlan(event: event, route: .unknown, lacking: .ambiguous)
        // The name of a town is precise enough only from far away.
        case .town:
            guard journey.distance.map({ $0.metres >= Self.townDistance }) ?? true else {
                return AppointmentPlan(event: event, route: .none, lacking: .townOnly)
            }
        }
        guard let (metres, mode, former) = journey.distance else {
            return AppointmentPlan(event: event, route: .unknown, to: end, lacking: .noPosition)
        }
        let seconds = TravelEstimate.seconds(for: metres, by: mode)
        return AppointmentPlan(
            event: event, route: .known(distance: metres, seconds: seconds, by: mode), from: former, to: end)
    }

    /// Returns the route to a place by the modes that the user uses for the distance, or by the one that fits it. If no app
    /// has those modes, any modes count.
    func journey(to aim: Aim, from outset: Outset) async throws -> Journey? {
        let (located, precision) = try await directions.located(aim.place, from: outset.position)
        guard let route = try await directions.route(to: located) else { return nil }
        guard let end = route.position, let position = outset.position else {
            return Journey(route: route, precision: precision, distance: nil)
        }
        let start = TravelEstimate.outset(from: position, to: end, after: aim.told?.outset)
        let distance = start.distance(to: end)
        let told = aim.told.flatMap { $0.outset == start ? $0.mode : nil }
        var usual = outset.habits.modes(for: distance)
        // The app that was used last may be one for bikes only.
        let fitting = TravelEstimate.usual(route.modes, for: distance)
        var mode = TravelEstimate.mode(for: distance, among: usual.isEmpty ? fitting : usual)
        if let told, told != mode { (usual, mode) = ([told], told) }
        let other = try await directions.route(to: located, by: usual.isEmpty ? [mode] : usual)
        // A mode that was not requested does not choose the app, unless it has none that fits.
        let isOther = !usual.isEmpty || fitting.isEmpty || other?.application == route.application
        let chosen = isOther ? other ?? route : route
        if !chosen.modes.isEmpty, !chosen.modes.contains(mode) {
            mode = TravelEstimate.mode(for: distance, among: chosen.modes)
        }
        return Journey(
            route: chosen, precision: precision, distance: (position.distance(to: end), mode, start),
            modes: !usual.isEmpty ? usual : chosen.application == route.application ? route.modes : chosen.modes)
    }
}

extension Donation {
    /// The travel modes of donated directions; empty for any.
    fileprivate var modes: Set<TransportMode> {
        Set(
            (parameters["mode"] ?? "").split(separator: ",").compactMap {
                TransportMode(rawValue: String($0))
            })
    }

    /// The coordinate of the destination of donated directions, if it has one.
    fileprivate var destination: Coordinate? {
        guard let latitude = parameters["latitude"].flatMap(Double.init),
            let longitude = parameters["longitude"].flatMap(Double.init)
        else { return nil }
        return try? Coordinate(latitude: latitude, longitude: longitude)
    }
}

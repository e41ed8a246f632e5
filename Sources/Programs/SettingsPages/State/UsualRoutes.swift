public import CommandReports
public import HunchModel

/// An area of half a degree in which destinations are.
public struct RouteArea: Hashable, Sendable {
    /// The latitude of its middle in degrees.
    public let latitude: Double
    /// The longitude of its middle in degrees.
    public let longitude: Double

    /// Returns the area of a position; `nil` if it is not a position.
    public init?(latitude: Double, longitude: Double) {
        guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return nil }
        self.latitude = (latitude * 2).rounded() / 2
        self.longitude = (longitude * 2).rounded() / 2
    }
}

/// Which app the user usually chooses, by mode and area.
public struct UsualRoutes: Hashable, Sendable {
    /// The app that the user chose most often for a mode in an area.
    public struct Habit: Hashable, Sendable, Identifiable {
        /// The mode; `nil` for routes without one.
        public let mode: String?
        /// The area; `nil` for destinations without a position.
        public let area: RouteArea?
        /// The destination of the latest of these routes, after which the area is named.
        public let destination: Coordinate?
        /// The app.
        public let application: AppID
        /// The name of the app for people.
        public let applicationName: String
        /// The number of routes for which the user chose it.
        public let count: Int
        /// The number of all routes for this mode and area.
        public let total: Int

        /// The identifier.
        public var id: String { "\(mode ?? "")/\(area?.latitude ?? 0)/\(area?.longitude ?? 0)" }
    }

    private struct Key: Hashable {
        let mode: String?
        let area: RouteArea?
    }

    /// The habits, the most frequent modes and areas first.
    public let habits: [Habit]

    /// Counts routes.
    public init(_ routes: [RecordedRoute]) {
        let groups = Dictionary(grouping: routes) { route in
            let area = route.destination.flatMap { RouteArea(latitude: $0.latitude, longitude: $0.longitude) }
            return Key(mode: route.parameters["mode"], area: area)
        }
        habits = groups.compactMap { key, routes in
            let apps = Dictionary(grouping: routes, by: \.app)
            let best = apps.max { ($0.value.count, $1.key) < ($1.value.count, $0.key) }
            guard let best, let first = best.value.first else { return nil }
            return Habit(
                mode: key.mode, area: key.area, destination: routes.first?.destination, application: best.key,
                applicationName: first.name,
                count: best.value.count, total: routes.count)
        }.sorted { ($1.total, $0.id) < ($0.total, $1.id) }
    }
}

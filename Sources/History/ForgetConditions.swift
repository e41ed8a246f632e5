internal import FoundationEssentials
internal import GRDB
internal import Glibc
internal import HunchModel

/// The rows of each table in a scope.
struct ForgetConditions {
    struct Condition {
        var sql: String
        var arguments: StatementArguments = []
    }

    var donation, engagement, resumePoint, mutedPair, announcement, seenPlace: Condition
    /// Settings stay, except those of a forgotten device.
    var devicePolicy = Condition(sql: "FALSE")
    var stay = Condition(sql: "FALSE")

    /// - Parameter db: the connection on which to define the SQL functions that match a place.
    init(_ scope: ForgetScope, _ db: Database) throws {
        switch scope {
        case .everything:
            let all = Condition(sql: "TRUE")
            (donation, engagement, resumePoint, mutedPair, announcement, seenPlace) = (all, all, all, all, all, all)
            stay = all
        case .application(let application):
            let word = "application = (SELECT id FROM word WHERE text = ?)"
            // Suggestions made from its activities belong to other apps.
            let trigger = Trigger.activity(application).description
            let isTrigger = "trigger = (SELECT id FROM word WHERE text = ?)"
            donation = Condition(
                sql: "action IN (SELECT id FROM action WHERE \(word)) OR \(isTrigger)",
                arguments: [application, trigger])
            engagement = Condition(sql: "\(word) OR \(isTrigger)", arguments: [application, trigger])
            resumePoint = Condition(sql: "application = ?", arguments: [application])
            mutedPair = Condition(sql: "application = ? OR trigger = ?", arguments: [application, trigger])
            announcement = resumePoint
            seenPlace = resumePoint
        case .kind(let kind):
            let kinds = [kind.rawValue, Suggestion.Kind(kind).rawValue]
            donation = Condition(
                sql: "action IN (SELECT id FROM action WHERE kind = ?)", arguments: [kind.rawValue])
            engagement = Condition(sql: "kind IN (?, ?)", arguments: StatementArguments(kinds))
            resumePoint = Condition(sql: kind == .playMedia ? "TRUE" : "FALSE")
            mutedPair = Condition(sql: "FALSE")
            announcement = resumePoint
            seenPlace = mutedPair
        case .device(let device):
            let trigger = Trigger.device(device).description
            let words = """
                device = (SELECT id FROM word WHERE text = ?) OR trigger = (SELECT id FROM word WHERE text = ?)
                """
            donation = Condition(sql: words, arguments: [device, trigger])
            engagement = donation
            resumePoint = Condition(sql: "device = ?", arguments: [device])
            mutedPair = Condition(sql: "trigger = ?", arguments: [trigger])
            devicePolicy = resumePoint
            // Announcements name kinds of device only.
            announcement = Condition(sql: "FALSE")
            seenPlace = announcement
        case .place(let text):
            try HistoryLimits.check(text, "place", limit: HistoryLimits.place)
            let place = ForgottenPlace(text)
            db.add(function: Self.function { String.fromDatabaseValue($0).map(place.isMeant) ?? false })
            db.add(function: Self.stayFunction { KnownPlace(values: $0).map(place.isMeant) ?? false })
            let words = "IN (SELECT id FROM word WHERE concernsPlace(text))"
            // The actions at the place, and on arriving and leaving.
            let meant = "SELECT word FROM place WHERE meansPlace(word, latitude, longitude)"
            let known = """
                trigger IN (SELECT id FROM word WHERE text IN (
                    SELECT '\(Trigger.arrival(""))' || word FROM (\(meant)) UNION SELECT '\(Trigger.departure(""))' || word FROM (\(meant))))
                OR further IN (SELECT id FROM word WHERE json_valid(text) AND json_extract(text, '$.place') IN (\(meant)))
                """
            donation = Condition(
                sql: """
                    \(known) OR trigger \(words) OR action IN (SELECT id FROM action WHERE kind <> ?)
                    AND ("group" \(words) OR concernsPlace(identifier)
                        OR action IN (SELECT id FROM action WHERE concernsPlace(parameters)))
                    """, arguments: [Donation.Kind.playMedia.rawValue])
            engagement = Condition(sql: "\(known) OR trigger \(words)")
            resumePoint = Condition(sql: "FALSE")
            mutedPair = Condition(sql: "concernsPlace(trigger)")
            announcement = Condition(sql: "concernsPlace(json_extract(item, '$.place'))")
            seenPlace = Condition(
                sql: """
                    concernsPlace(place) OR concernsPlace(content) OR concernsPlace(related) OR concernsPlace("group")
                    OR concernsPlace(title)
                    """)
            stay = Condition(
                sql: "place IN (SELECT number FROM place WHERE meansPlace(word, latitude, longitude))")
        case .since(let date):
            let since = Condition(sql: "date >= ?", arguments: [date.milliseconds])
            (donation, engagement, resumePoint, mutedPair, announcement, seenPlace) = (
                since, since, since, since, since, since
            )
            stay = since
        }
    }

    /// Removes the functions from the connection.
    static func remove(from db: Database) {
        db.remove(function: function { _ in false })
        db.remove(function: stayFunction { _ in false })
    }

    private static func function(_ body: @escaping @Sendable (DatabaseValue) -> Bool) -> DatabaseFunction {
        DatabaseFunction("concernsPlace", argumentCount: 1) { body($0[0]) }
    }

    private static func stayFunction(_ body: @escaping @Sendable ([DatabaseValue]) -> Bool) -> DatabaseFunction {
        DatabaseFunction("meansPlace", argumentCount: 3, function: body)
    }
}

/// A place that is to be forgotten, as a person names it.
struct ForgottenPlace: Sendable {
    private static let radius = 250.0

    private let text: String
    private let position: (latitude: Double, longitude: Double)?

    init(_ text: String) {
        self.text = text.lowercased()
        position = Self.position(text)
    }

    /// Whether a text, or one of the values of a JSON object, means the place.
    func isMeant(_ text: String) -> Bool {
        guard let values = Stored.value([String: String].self, json: text) else {
            if let coordinate = Stored.value(Coordinate.self, json: text) { return isNear(coordinate) }
            guard let item = Stored.value(MapItem.self, json: text), item != MapItem() else { return isMentioned(text) }
            return item.coordinate.map(isNear) ?? false
                || [item.name, item.query, item.address?.singleLine].contains { $0.map(isMentioned) ?? false }
        }
        if values.values.contains(where: isMentioned) { return true }
        guard let latitude = values["latitude"].flatMap(Double.init),
            let longitude = values["longitude"].flatMap(Double.init)
        else { return false }
        return isNear((latitude, longitude))
    }

    /// Whether a known place of the person is this place, by its whole word or by its coordinate.
    func isMeant(_ place: KnownPlace) -> Bool {
        position == nil
            ? place.word.lowercased() == text : isNear((place.coordinate.latitude, place.coordinate.longitude))
    }

    private func isMentioned(_ text: String) -> Bool {
        guard position != nil else { return text.lowercased().contains(self.text) }
        return Self.position(text).map(isNear) ?? false
    }

    private func isNear(_ coordinate: Coordinate) -> Bool { isNear((coordinate.latitude, coordinate.longitude)) }

    private func isNear(_ other: (latitude: Double, longitude: Double)) -> Bool {
        guard let position else { return false }
        // Over such a short distance the Earth counts as flat.
        let north = (other.latitude - position.latitude) * Coordinate.metresPerDegree
        var turn = abs(other.longitude - position.longitude)
        if turn > 180 { turn = 360 - turn }
        let east = turn * Coordinate.metresPerDegree * cos(position.latitude * .pi / 180)
        return north * north + east * east <= Self.radius * Self.radius
    }

    /// `latitude,longitude`, with `geo:` before it and anything after it.
    private static func position(_ text: String) -> (latitude: Double, longitude: Double)? {
        let text = text.lowercased().hasPrefix("geo:") ? text.dropFirst(4) : text[...]
        let numbers = text.split(omittingEmptySubsequences: false) { ",;?".contains($0) }.prefix(2)
            .map { $0.filter { $0 != " " } }
        guard numbers.count == 2, let latitude = Double(numbers[0]), let longitude = Double(numbers[1]),
            (-90...90).contains(latitude), (-180...180).contains(longitude)
        else { return nil }
        return (latitude, longitude)
    }
}

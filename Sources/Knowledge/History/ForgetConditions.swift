internal import FoundationEssentials
internal import GRDB
internal import HunchModel
internal import Places

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
    var ownPlace = Condition(sql: "FALSE")
    /// Besides those whose suggestion is forgotten.
    var suggestedItem = Condition(sql: "FALSE")

    /// - Parameter db: the connection on which to define the SQL functions that match a place.
    init(_ scope: ForgetScope, _ db: Database) throws {
        switch scope {
        case .everything:
            let all = Condition(sql: "TRUE")
            (donation, engagement, resumePoint, mutedPair, announcement, seenPlace) = (all, all, all, all, all, all)
            stay = all
            ownPlace = all
            suggestedItem = all
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
            suggestedItem = resumePoint
        case .kind(let kind):
            let kinds = [kind.rawValue, Suggestion.Kind(kind).rawValue]
            donation = Condition(
                sql: "action IN (SELECT id FROM action WHERE kind = ?)", arguments: [kind.rawValue])
            engagement = Condition(sql: "kind IN (?, ?)", arguments: StatementArguments(kinds))
            resumePoint = Condition(sql: kind == .playMedia ? "TRUE" : "FALSE")
            // Mutes of apps are decisions. Mutes of places name what was suggested.
            mutedPair = Condition(
                sql: "kind IN (?, ?) AND subject <> ''", arguments: StatementArguments(kinds))
            announcement = resumePoint
            seenPlace = Condition(sql: "FALSE")
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
            db.add(function: Self.function { String.fromDatabaseValue($0).map(place.isMeant(stored:)) ?? false })
            db.add(function: Self.stayFunction { KnownPlace(values: $0).map(place.isMeant) ?? false })
            let words = "IN (SELECT id FROM word WHERE concernsPlace(text))"
            let seen = """
                concernsPlace(place) OR concernsPlace(content) OR concernsPlace(related) OR concernsPlace("group")
                OR concernsPlace(title) OR concernsPlace(url) OR concernsPlace(booking)
                """
            // Content that an app showed about the place need not name it.
            let shown = """
                SELECT application, value FROM seenPlace, json_each(json_array(content, related, url)) WHERE \(seen)
                """
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
                        OR action IN (SELECT id FROM action WHERE concernsPlace(parameters))
                        OR id IN (
                            SELECT donation.id FROM donation
                            JOIN action ON action.id = donation.action JOIN word ON word.id = action.application
                            WHERE (text, identifier) IN (\(shown)) OR (text, json_extract(parameters, '$.uri')) IN (\(shown))))
                    """, arguments: [Donation.Kind.playMedia.rawValue])
            engagement = Condition(sql: "\(known) OR trigger \(words) OR concernsPlace(subject)")
            resumePoint = Condition(sql: "FALSE")
            mutedPair = Condition(sql: "concernsPlace(trigger) OR concernsPlace(subject)")
            // Titles of media contain names of places, too.
            announcement = Condition(
                sql: """
                    concernsPlace(json_extract(item, '$.place')) OR json_extract(item, '$.kind') IS NOT NULL
                    AND (concernsPlace(json_extract(item, '$.title')) OR concernsPlace(json_extract(item, '$.item'))
                        OR concernsPlace(json_extract(item, '$.parameters')))
                    """)
            seenPlace = Condition(sql: seen)
            suggestedItem = Condition(
                sql: """
                    suggestion NOT IN (SELECT suggestion FROM engagement WHERE kind = '\(Suggestion.Kind.media.rawValue)')
                    AND (concernsPlace(json_extract(item, '$.title')) OR concernsPlace(json_extract(item, '$.parameters'))
                        OR (application, json_extract(item, '$.parameters.item')) IN (\(shown))
                        OR (application, json_extract(item, '$.parameters.uri')) IN (\(shown)))
                    """)
            ownPlace = Condition(sql: "concernsPlace(name) OR concernsPlace(place)")
            stay = Condition(
                sql: "place IN (SELECT number FROM place WHERE meansPlace(word, latitude, longitude))")
        case .action(let row):
            donation = Condition(sql: "id = ? AND date = ?", arguments: [row.number, row.milliseconds])
            let action = "SELECT action FROM donation WHERE \(donation.sql)"
            engagement = Condition(sql: "FALSE")
            (mutedPair, announcement, seenPlace) = (engagement, engagement, engagement)
            resumePoint = Condition(
                sql: """
                    (application, item) IN (
                        SELECT text, json_extract(parameters, '$.item')
                        FROM action JOIN word ON word.id = action.application WHERE action.id IN (\(action)))
                    """, arguments: donation.arguments)
            // What a suggestion named is the content of the action if it has the same item, or all of its values.
            suggestedItem = Condition(
                sql: """
                    EXISTS (SELECT 1 FROM action WHERE id IN (\(action)) AND (
                        json_extract(action.parameters, '$.item') = json_extract(item, '$.parameters.item')
                        OR action.parameters <> '{}' AND NOT EXISTS (
                            SELECT 1 FROM json_each(action.parameters) AS value
                            WHERE NOT EXISTS (
                                SELECT 1 FROM json_each(item, '$.parameters') AS own
                                WHERE own.key = value.key AND own.value IS value.value))))
                    """, arguments: donation.arguments)
        case .since(let date):
            let since = Condition(sql: "date >= ?", arguments: [date.milliseconds])
            (donation, engagement, resumePoint, mutedPair, announcement, seenPlace) = (
                since, since, since, since, since, since
            )
            stay = since
            suggestedItem = since
        }
        if case .application = scope { includeSubjects() }
        if case .action = scope { includeSubjects() }
    }

    /// Adds the engagements and mutes whose place or event the forgotten names of suggestions identify.
    private mutating func includeSubjects() {
        let named = """
            subject IS NOT NULL AND suggestion IN (SELECT suggestion FROM suggestedItem WHERE \(suggestedItem.sql))
            """
        mutedPair = Condition(
            sql: "\(mutedPair.sql) OR subject IN (SELECT subject FROM engagement WHERE \(named))",
            arguments: mutedPair.arguments + suggestedItem.arguments)
        engagement = Condition(
            sql: "\(engagement.sql) OR \(named)", arguments: engagement.arguments + suggestedItem.arguments)
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

extension ForgottenPlace {
    /// Whether a stored text means the place: a JSON object with parameters, a map item or a coordinate, or mere text.
    func isMeant(stored text: String) -> Bool {
        guard let values = Stored.value([String: String].self, json: text) else {
            if let coordinate = Stored.value(Coordinate.self, json: text) { return isNear(coordinate) }
            guard let item = Stored.value(MapItem.self, json: text), item != MapItem() else {
                return isMentioned(in: text)
            }
            return isMeant(item)
        }
        if values.values.contains(where: { isMentioned(in: $0) }) { return true }
        guard let latitude = values["latitude"].flatMap(Double.init),
            let longitude = values["longitude"].flatMap(Double.init),
            let coordinate = try? Coordinate(latitude: latitude, longitude: longitude)
        else { return false }
        return isNear(coordinate)
    }

    /// Whether a known place of the user is this place, by its whole word or by its coordinate.
    func isMeant(_ place: KnownPlace) -> Bool { isNamed(place.word) || isNear(place.coordinate) }
}

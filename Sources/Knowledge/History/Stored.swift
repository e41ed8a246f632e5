package import FoundationEssentials
package import GRDB
package import HunchModel
internal import Localization

/// The representation of values in the tables.
package enum Stored {
    static func date(_ milliseconds: Int64) -> Date { Date(timeIntervalSince1970: Double(milliseconds) / 1_000) }

    /// Returns JSON with sorted keys, so that equal values give equal text.
    package static func json(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    package static func value<T: Decodable>(_ type: T.Type, json: String) -> T? {
        try? JSONDecoder().decode(type, from: Data(json.utf8))
    }
}

/// Optional accessors for columns. GRDB's typed subscripts would end the process on a damaged value.
extension Row {
    package func text(_ column: String) -> String? { String.fromDatabaseValue(self[column] as DatabaseValue) }
    package func identifier<ID: TextIdentifier>(_ column: String) -> ID? { text(column).map { ID($0) } }
    func integer(_ column: String) -> Int64? { Int64.fromDatabaseValue(self[column] as DatabaseValue) }
    package func date(_ column: String) -> Date? { integer(column).map(Stored.date) }
}

extension Context {
    init(row: Row) {
        self.init(
            trigger: row.text("trigger").map(Trigger.init), device: row.identifier("device"),
            hour: row.integer("hour").flatMap(Int.init),
            weekday: row.integer("weekday").flatMap(Int.init),
            further: row.text("further").flatMap { Stored.value([String: String].self, json: $0) } ?? [:])
    }

    /// The further context as stored in the table of words, or `nil` if it is empty.
    var storedFurther: String? {
        get throws { further.isEmpty ? nil : try Stored.json(further) }
    }

    func check() throws(HistoryError) {
        try HistoryLimits.check(trigger?.description, "trigger", limit: HistoryLimits.circumstance)
        try HistoryLimits.check(device?.rawValue, "device", limit: HistoryLimits.circumstance)
        if let hour, !(0...23).contains(hour) {
            throw .invalidInput(localized("the hour %1 is outside 0…23", hour))
        }
        if let weekday, !(1...7).contains(weekday) {
            throw .invalidInput(localized("the weekday %1 is outside 1…7", weekday))
        }
        guard further.count <= HistoryLimits.furtherCount else {
            throw .invalidInput(
                localized("%1 further circumstances; the limit is %2", further.count, HistoryLimits.furtherCount))
        }
        for (name, value) in further {
            try HistoryLimits.check(name, localized("name of a circumstance"), limit: HistoryLimits.furtherName)
            try HistoryLimits.check(value, localized("value of a circumstance"), limit: HistoryLimits.furtherValue)
        }
    }
}

extension Date {
    /// Throws if the date is before 1970 or further ahead of `now` than the clock may be wrong.
    package func check(now: Date) throws(HistoryError) {
        guard timeIntervalSince1970.isFinite, timeIntervalSince1970 >= 0 else {
            throw .invalidInput(localized("the date is before 1970"))
        }
        guard timeIntervalSince(now) <= HistoryLimits.clockSkew else {
            throw .invalidInput(localized("the date is more than a day ahead"))
        }
    }
}

extension Database {
    /// Returns the number of a word in the table of distinct words. Adds the word if it is new.
    func word(_ text: String?) throws -> Int64? {
        guard let text else { return nil }
        let query = try cachedStatement(sql: "SELECT id FROM word WHERE text = ?")
        if let known = try Int64.fetchOne(query, arguments: [text]) { return known }
        try cachedStatement(sql: "INSERT INTO word (text) VALUES (?)").execute(arguments: [text])
        return lastInsertedRowID
    }

    /// Returns the number of a word that belongs to no app: a trigger, a device, or further context.
    func circumstance(_ text: String?) throws -> Int64? {
        guard let text else { return nil }
        let query = try cachedStatement(sql: "SELECT id FROM word WHERE text = ? AND isCircumstance")
        if let known = try Int64.fetchOne(query, arguments: [text]) { return known }
        let id = try word(text)
        try cachedStatement(sql: "UPDATE word SET isCircumstance = 1 WHERE id = ?").execute(arguments: [id])
        return id
    }
}

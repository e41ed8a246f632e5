package import FoundationEssentials
package import HunchDBus
package import HunchModel

/// A bounded table of the activities of all apps, one of which may be current. Has no side effects.
package struct ActivityTable: Sendable {
    /// The maximum number of activities of one app.
    package static let perApplication = 32
    /// The maximum size of all activities together, in bytes.
    package static let bytes = 16 << 20

    package private(set) var lives: [LiveActivity.ID: LiveActivity] = [:]
    /// The identifier of the current activity.
    package private(set) var currentID: LiveActivity.ID?
    private var turns = 0

    package init() {}

    package var current: LiveActivity? { currentID.flatMap { lives[$0] } }

    /// Adds an activity. It replaces one of the same app with the same content.
    ///
    /// - Returns: the replaced activity.
    /// - Throws: ``DBusError`` `…LimitsExceeded`. Then nothing has changed.
    package mutating func add(_ life: LiveActivity) throws(DBusError) -> LiveActivity? {
        let own = lives.values.filter { $0.application == life.application }
        let former = own.first {
            $0.activity?.contentIdentifier != nil && $0.activity?.contentIdentifier == life.activity?.contentIdentifier
        }
        guard own.count < Self.perApplication || former != nil else {
            throw DBusError(
                .limitsExceeded, "\(own.count) activities of \(life.application); the limit is \(Self.perApplication)")
        }
        try checkSize(with: life)
        if let former { lives[former.id] = nil }
        lives[life.id] = life
        return former
    }

    /// Replaces an activity with its changed version.
    ///
    /// - Throws: ``DBusError`` `…LimitsExceeded`. Then nothing has changed.
    package mutating func replace(_ life: LiveActivity) throws(DBusError) {
        guard lives[life.id] != nil else { return }
        try checkSize(with: life)
        lives[life.id] = life
    }

    private func checkSize(with life: LiveActivity) throws(DBusError) {
        let others = lives.values.reduce(0) { $1.id == life.id ? $0 : $0 + $1.size }
        guard others + life.size <= Self.bytes else {
            throw DBusError(
                .limitsExceeded, "all activities together have \(Self.bytes) bytes at most; try again later")
        }
    }

    /// The activities that play something, by app, the most recently current of each first.
    package var media: [AppID: [Activity]] {
        let playing = lives.values.filter { $0.activity?.media != nil }.sorted { $0.turn > $1.turn }
        return Dictionary(grouping: playing, by: \.application).mapValues { $0.compactMap(\.activity) }
    }

    /// Makes an activity current. Returns the previous one.
    package mutating func makeCurrent(_ id: LiveActivity.ID, at date: Date) -> LiveActivity? {
        let former = currentID == id ? nil : current
        turns += 1
        lives[id]?.date = date
        lives[id]?.turn = turns
        currentID = lives[id] == nil ? nil : id
        return former
    }

    /// Resigns an activity. Returns whether it was current.
    package mutating func resign(_ id: LiveActivity.ID) -> Bool {
        guard currentID == id else { return false }
        currentID = nil
        return true
    }

    /// Removes activities. Returns them, and the one among them that was current.
    package mutating func remove(
        where condition: (LiveActivity) -> Bool
    ) -> (removed: [LiveActivity], wasCurrent: LiveActivity?) {
        let removed = lives.values.filter(condition)
        let current = removed.first { $0.id == currentID }
        for life in removed { lives[life.id] = nil }
        if current != nil { currentID = nil }
        return (removed, current)
    }

    /// Drops the contents of activities. Their objects stay, empty.
    package mutating func drop(where condition: (LiveActivity) -> Bool) {
        for life in lives.values where condition(life) {
            lives[life.id]?.activity = nil
            if currentID == life.id { currentID = nil }
        }
    }

    /// Returns the activities with known content, the most recently current first.
    ///
    /// - Parameter isVisible: whether the caller may see the activities of an app, by its desktop identifier.
    package func newest(where isVisible: (AppID) -> Bool) -> [LiveActivity] {
        lives.values.filter { $0.activity != nil && isVisible($0.application) }.sorted { $0.turn > $1.turn }
    }
}

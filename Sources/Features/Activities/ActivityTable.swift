package import FoundationEssentials
package import HunchDBus
package import HunchModel

/// A bounded table of the activities of all apps, one of which may be current. Has no side effects.
package struct ActivityTable: Sendable {
    /// The maximum number of activities of one app.
    package static let perApplication = 32
    /// The maximum size of all activities together, in bytes.
    package static let bytes = 16 << 20

    /// The maximum number of activities of apps that ended, and their size in bytes.
    package static let endedLimit = (count: 32, bytes: 1 << 20)
    /// The time in seconds for which they are kept.
    package static let endedTime = 86_400.0

    package private(set) var lives: [LiveActivity.ID: LiveActivity] = [:]
    /// The activities of apps that ended, which can still be continued, the latest last.
    package private(set) var ended: [LiveActivity] = []
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
        // Its app has started again.
        ended.removeAll { $0.application == life.application && $0.isAboutSame(as: life) }
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

    /// Keeps activities whose app ended, unless they never became current or their app forbids their use.
    package mutating func keep(ended more: [LiveActivity]) {
        let usable = more.filter { life in
            life.turn > 0 && life.activity.map { $0.isEligibleForSearch || $0.isEligibleForSuggestion } ?? false
        }
        ended = (ended + usable.sorted { $0.turn < $1.turn }).suffix(Self.endedLimit.count)
        while ended.reduce(0, { $0 + $1.size }) > Self.endedLimit.bytes { ended.removeFirst() }
    }

    /// Removes activities of apps that ended.
    package mutating func dropEnded(where condition: (LiveActivity) -> Bool) { ended.removeAll(where: condition) }

    /// Returns an activity, also of an app that ended.
    package func activity(_ id: LiveActivity.ID) -> LiveActivity? { lives[id] ?? ended.first { $0.id == id } }

    /// All activities, those of apps that ended included.
    package var all: [LiveActivity] { lives.values + ended }

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
        dropEnded(where: condition)
        for life in lives.values where condition(life) {
            lives[life.id]?.activity = nil
            if currentID == life.id { currentID = nil }
        }
    }

    /// Returns the activities with known content, those of apps that ended included, the most recently current first.
    ///
    /// - Parameter isVisible: whether the caller may see the activities of an app, by its desktop identifier.
    package func newest(where isVisible: (AppID) -> Bool) -> [LiveActivity] {
        all.filter { $0.activity != nil && isVisible($0.application) }.sorted { $0.turn > $1.turn }
    }
}

package import FoundationEssentials
package import History
package import HunchDBus
package import HunchModel

/// Decides what follows from the activities of apps: which places and opened items are recorded, and when a place or an
/// event is suggested.
///
/// A value without I/O. Each method handles an event and returns the effects to carry out, in order.
package struct ActivityPolicy: Sendable {
    /// Something that the agent carries out.
    package enum Effect: Sendable {
        /// Ask the app to save the activity that the user left, then report ``saved(_:after:at:)``.
        case save(LiveActivity, Departure)
        /// Record that the content was opened, if it was on the screen long enough.
        case recordOpening(LiveActivity, Departure)
        /// Put the content into the search index.
        case index(LiveActivity)
        /// Record that a place was on the screen.
        case remember(SeenPlace)
        /// Wait a moment, then report ``waited(for:after:at:)``.
        case wait(application: AppID, Departure)
        /// Suggest the place or the event, unless the history, the limits or the apps forbid it.
        case suggest(LiveActivity)
        /// Withdraw suggestions, because their activity has ended.
        case withdraw(Set<Suggestion.ID>)
        /// Remove the object of an activity from the bus.
        case unexport(LiveActivity.ID)

        /// Whether the effect is void once the user has paused Hunch, excluded an app, or forgotten something.
        package var needsConsent: Bool {
            switch self {
            case .save, .recordOpening, .index, .remember, .wait, .suggest: true
            case .withdraw, .unexport: false
            }
        }
    }

    /// The moment at which the user left an activity.
    package struct Departure: Hashable, Sendable {
        /// Increases with each departure.
        package let number: Int
        package let date: Date
    }

    /// A place or an event that the user just left, or an activity whose app may still turn out to show one.
    private struct Left {
        let life: LiveActivity
        let departure: Departure
    }

    package private(set) var table = ActivityTable()
    /// Increases each time the user pauses Hunch, excludes an app, or forgets something; see
    /// ``Effect/needsConsent``.
    package private(set) var epoch = 0
    private var departures = 0
    /// The places and events that the user just left, by app.
    private var leaving: [AppID: Left] = [:]
    /// The suggestions made from activities, without what only their apps need, the latest last.
    private var suggested: [(id: Suggestion.ID, life: LiveActivity)] = []
    /// The most suggestions of ``suggested``. The agent makes three of an activity, and they end within a day.
    static let suggestedLimit = 96

    package init() {}

    // MARK: Reports of apps

    /// Adds an activity. It replaces one of the same app with the same content.
    ///
    /// - Throws: ``DBusError`` `…LimitsExceeded`. Then nothing has changed.
    package mutating func add(_ life: LiveActivity) throws(DBusError) -> [Effect] {
        try table.add(life).map { [.unexport($0.id)] } ?? []
    }

    /// Makes an activity current. The user leaves the previous one.
    package mutating func makeCurrent(_ id: LiveActivity.ID, at now: Date) -> [Effect] {
        let former = table.makeCurrent(id, at: now)
        return (former.map { leave($0, at: now) } ?? []) + rememberPlace(of: table.lives[id], at: now)
    }

    /// Replaces an activity with its changed version.
    ///
    /// - Throws: ``DBusError`` `…LimitsExceeded`. Then nothing has changed.
    package mutating func replace(_ life: LiveActivity, at now: Date) throws(DBusError) -> [Effect] {
        try table.replace(life)
        return table.currentID == life.id ? rememberPlace(of: life, at: now) : []
    }

    /// Handles that the app says that the user left an activity.
    package mutating func resign(_ id: LiveActivity.ID, at now: Date) -> [Effect] {
        guard let life = table.lives[id], table.resign(id) else { return [] }
        return leave(life, at: now)
    }

    /// Handles the end of a connection. A crash looks the same as a normal exit, and the user saw the content
    /// either way. The activities can still be continued.
    package mutating func close(_ owner: BusName, at now: Date) -> [Effect] {
        let (removed, current) = table.remove { $0.owner == owner }
        table.keep(ended: removed)
        return (current.map { leave($0, at: now) } ?? []) + removed.map { .unexport($0.id) }
    }

    private func rememberPlace(of life: LiveActivity?, at now: Date) -> [Effect] {
        life?.seenPlace(at: now).map { [.remember($0)] } ?? []
    }

    // MARK: Leaving

    private mutating func leave(_ life: LiveActivity, at now: Date) -> [Effect] {
        departures += 1
        let departure = Departure(number: departures, date: now)
        // Noted at once, so that the last of several counts, however long their apps take to answer.
        if life.activity?.needsSave == true || life.hasNextStep(at: now) {
            leaving[life.application] = Left(life: life, departure: departure)
        }
        return [.save(life, departure)]
    }

    /// Handles that a left activity is in its final form.
    package mutating func saved(_ life: LiveActivity, after departure: Departure, at now: Date) -> [Effect] {
        let index: [Effect] = life.activity?.isEligibleForSearch == true ? [.index(life)] : []
        guard life.activity?.isEligibleForSuggestion == true else { return index }
        let memory = index + [.recordOpening(life, departure)] + rememberPlace(of: life, at: now)
        guard leaving[life.application]?.departure == departure else { return memory }
        guard life.hasNextStep(at: now) else {
            leaving[life.application] = nil
            return memory
        }
        leaving[life.application] = Left(life: life, departure: departure)
        return memory + [.wait(application: life.application, departure)]
    }

    /// Handles that the user has not come back for a moment. The place or event is suggested, unless the app shows
    /// another one now: then the user is still choosing.
    package mutating func waited(for application: AppID, after departure: Departure, at now: Date) -> [Effect] {
        guard let left = leaving[application], left.departure == departure else { return [] }
        leaving[application] = nil
        if let current = table.current, current.application == application, current.hasNextStep(at: now) {
            return []
        }
        return [.suggest(left.life)]
    }

    /// Notes the suggestions that were made from an activity.
    package mutating func made(_ suggestions: [Suggestion.ID], from life: LiveActivity) {
        var life = life
        life.activity?.payload = []
        life.activity?.keywords = []
        life.activity?.media = nil
        suggested = (suggested + suggestions.map { ($0, life) }).suffix(Self.suggestedLimit)
    }

    // MARK: Ending

    /// Drops the contents of activities. Their objects stay on the bus, empty.
    package mutating func drop(where condition: (LiveActivity) -> Bool) {
        table.drop(where: condition)
        for (application, left) in leaving where condition(left.life) { leaving[application] = nil }
    }

    /// Drops the activities of apps that ended too long ago.
    package mutating func dropEnded(before now: Date) {
        table.dropEnded { now.timeIntervalSince($0.date) > ActivityTable.endedTime }
    }

    /// Drops the contents of activities and withdraws their suggestions, because the user paused Hunch, excluded the
    /// app, or forgot them.
    package mutating func forget(where condition: (LiveActivity) -> Bool) -> [Effect] {
        epoch += 1
        drop(where: condition)
        return withdraw(where: condition)
    }

    /// Ends activities.
    package mutating func end(where condition: (LiveActivity) -> Bool) -> [Effect] {
        let removed = table.remove(where: condition).removed
        drop(where: condition)
        return withdraw(where: condition) + removed.map { .unexport($0.id) }
    }

    /// Withdraws the suggestions based on some activities.
    package mutating func withdraw(where condition: (LiveActivity) -> Bool) -> [Effect] {
        let gone = Set(suggested.filter { condition($0.life) }.map(\.id))
        suggested.removeAll { gone.contains($0.id) }
        return gone.isEmpty ? [] : [.withdraw(gone)]
    }
}

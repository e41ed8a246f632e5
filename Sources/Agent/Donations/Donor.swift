internal import AgentInterface
internal import FoundationEssentials
internal import HunchDBus
internal import HunchModel
internal import Learning

/// The reason why the caller may not donate an item.
struct DonorRefusal: Error {
    let code: String
    let message: String
}

extension CallerPermission {
    private static let scriptPrefix = "script:"

    /// The desktop identifier of the calling app; `nil` if unknown.
    var application: String? {
        switch self {
        case .app(let application): application
        case .confined(let application): application
        case .person, .unknown: nil
        }
    }

    /// Returns the key under which an item counts for rate limits: the calling app, or the script. All unknown
    /// callers share one, since a new connection is not a new caller.
    func measured(_ item: VariantMap, scripts: Set<String>) -> String {
        if let application { return application }
        guard case .string(let claimed) = item["application"], let donor = try? donor(claimed, scripts: scripts) else {
            return ""
        }
        return donor
    }

    /// Returns the app or script for which the caller donates.
    ///
    /// - Parameter claimed: the app that the item names; `nil` for the caller itself.
    /// - Throws: ``DonorRefusal`` if it may not.
    func donor(_ claimed: String?, scripts: Set<String>) throws(DonorRefusal) -> String {
        if let own = application, claimed == nil || claimed == own { return own }
        if claimed?.isEmpty == true { throw DonorRefusal(code: "invalidInput", message: "“application” is empty") }
        if self == .person, let claimed { return claimed }
        if let claimed, claimed.hasPrefix(Self.scriptPrefix) {
            let name = String(claimed.dropFirst(Self.scriptPrefix.count))
            if case .confined = self {
                throw DonorRefusal(code: "notAllowed", message: "an app in a sandbox donates as itself alone")
            }
            guard scripts.contains(name) else {
                throw DonorRefusal(
                    code: "notAllowed",
                    message: "the script “\(name.cut(to: 64))” may not donate; use “hunch allow NAME” first")
            }
            return claimed
        }
        guard let claimed else {
            throw DonorRefusal(
                code: "notAllowed",
                message:
                    "\(CallerPermission.unknownApplication); a script donates as “script:NAME” after “hunch allow NAME”"
            )
        }
        throw DonorRefusal(
            code: "notAllowed",
            message: "this program may not donate for \(claimed.cut(to: 255)); apps donate for themselves")
    }
}

extension Donation {
    /// Reads an item of `org.hunch.Donations1.Donate`.
    ///
    /// - Throws: ``DBusError`` for a value of another type; ``DonorRefusal`` for an action that no person did.
    init(transfer map: VariantMap, application: String, now: Date) throws {
        guard let kind = try map.text("kind"), !kind.isEmpty else {
            throw DBusError(.invalidInput, "“kind” is missing")
        }
        let initiator = try map.text("initiator") ?? "person"
        guard initiator == "person" else {
            throw DonorRefusal(
                code: "initiator",
                message: initiator == "system"
                    ? "only what a person did counts" : "“initiator” is “person” or “system”")
        }
        let date = try map.date(microseconds: "date")
        let context = try map.value("context", as: VariantMap.self) ?? [:]
        let combination = try map.value("combination", as: [String].self)
        // Local time comes from this machine. Imported donations keep theirs.
        let local = combination == nil ? Context(at: date ?? now) : Context()
        self.init(
            application: application, kind: Kind(rawValue: kind),
            parameters: try map.value("parameters", as: [String: String].self) ?? [:], date: date ?? now,
            context: Context(
                trigger: try context.text("trigger").map(Trigger.init), device: try context.text("device"),
                hour: try context.value("hour", as: UInt32.self).map { Int($0) } ?? local.hour,
                weekday: try context.value("weekday", as: UInt32.self).map { Int($0) } ?? local.weekday,
                further: try context.value("further", as: [String: String].self) ?? [:]),
            identifier: try map.text("identifier"), group: try map.text("group"),
            combination: combination)
    }
}

extension Donation {
    /// Throws ``DonorRefusal`` for keys that only an imported donation may have.
    func checkIsOwn() throws(DonorRefusal) {
        if combination != nil {
            throw DonorRefusal(
                code: "notAllowed", message: "the kind says the combination; leave “combination” out")
        }
        if !context.further.isEmpty {
            throw DonorRefusal(
                code: "notAllowed", message: "Hunch knows the circumstances itself; leave “further” out")
        }
    }
}

extension Announcement {
    /// Reads an item of `org.hunch.Donations1.SetUpcoming` or `SetRelevant`.
    ///
    /// - Throws: ``DBusError``.
    init(transfer map: VariantMap) throws {
        guard let item = try map.text("item"), let title = try map.text("title") else {
            throw DBusError(.invalidInput, "“item” or “title” is missing")
        }
        let mode = try map.text("mode") ?? "also"
        guard ["also", "only"].contains(mode) else { throw DBusError(.invalidInput, "“mode” is “also” or “only”") }
        let trigger = try map.text("trigger").map { word throws(DBusError) -> Announcement.Trigger in
            guard let trigger = Announcement.Trigger(rawValue: word) else {
                throw DBusError(
                    .invalidInput,
                    "“\(word.cut(to: 40))” is neither a kind of device nor login, unlock, resume or launch")
            }
            return trigger
        }
        let place: Coordinate? =
            switch (try map.value("latitude", as: Double.self), try map.value("longitude", as: Double.self)) {
            case (let latitude?, let longitude?): try Coordinate(latitude: latitude, longitude: longitude)
            case (nil, nil): nil
            default: throw DBusError(.invalidInput, "“latitude” and “longitude” go together")
            }
        let radius = try map.value("radius", as: Double.self)
        if let radius, !(radius > 0 && radius <= 100_000) {
            throw DBusError(.invalidInput, "“radius” is outside 0…100000 m")
        }
        guard radius == nil || place != nil else {
            throw DBusError(.invalidInput, "“radius” is one around a place: give “latitude” and “longitude” too")
        }
        let (from, until) = (try map.date(microseconds: "from"), try map.date(microseconds: "until"))
        if let from, let until, until <= from {
            throw DBusError(.invalidInput, "“until” is not after “from”, so that the item would never be relevant")
        }
        self.init(
            item: item, title: title, isExclusive: mode == "only", from: from, until: until,
            trigger: trigger, place: place, radius: radius)
    }
}

internal import FoundationEssentials
public import HunchDBus
public import HunchModel

extension Announcement: MapValue {
    /// Reads an item of `org.hunch.Donations1.SetUpcoming` or `SetRelevant`.
    ///
    /// - Throws: ``DBusError`` for a missing key, or a value of another type or out of range.
    public init(transfer map: VariantMap) throws(DBusError) {
        guard let item = try map.text("item"), let title = try map.text("title") else {
            throw DBusError(.invalidInput, "“item” or “title” is missing")
        }
        let mode = try map.text("mode") ?? "also"
        guard ["also", "only"].contains(mode) else { throw DBusError(.invalidInput, "“mode” must be “also” or “only”") }
        let trigger = try map.text("trigger").map { word throws(DBusError) -> Announcement.Trigger in
            guard let trigger = Announcement.Trigger(rawValue: word) else {
                throw DBusError(
                    .invalidInput,
                    "“\(word.cut(to: 40))” is neither a kind of device nor login, unlock, resume or launch")
            }
            return trigger
        }
        let place = try map.coordinate(orThrow: .invalidInput)
        let radius = try map.value("radius", as: Double.self)
        if let radius, !(radius > 0 && radius <= 100_000) {
            throw DBusError(.invalidInput, "“radius” must be more than 0 and at most 100000 m")
        }
        guard radius == nil || place != nil else {
            throw DBusError(.invalidInput, "“radius” needs a place; give “latitude” and “longitude” too")
        }
        let (from, until) = (try map.date(microseconds: "from"), try map.date(microseconds: "until"))
        if let from, let until, until <= from {
            throw DBusError(.invalidInput, "“until” must be after “from”")
        }
        self.init(
            item: item, title: title, kind: try map.text("kind").map { Donation.Kind(rawValue: $0) },
            parameters: try map.value("parameters", as: [String: String].self), widgetKind: try map.text("widget-kind"),
            isExclusive: mode == "only", from: from, until: until,
            trigger: trigger, place: place, radius: radius)
    }

    /// The announcement with the keys of `org.hunch.Donations1.SetUpcoming` and `SetRelevant`.
    public var transfer: VariantMap {
        func microseconds(_ date: Date) -> Value { .uint64(date.microseconds) }
        var map: VariantMap = [
            "item": .string(item), "title": .string(title),
        ]
        if isExclusive { map["mode"] = .string("only") }
        map["kind"] = kind.map { .string($0.rawValue) }
        map["parameters"] = parameters?.dbusValue
        map["widget-kind"] = widgetKind.map(Value.string)
        map["from"] = from.map(microseconds)
        map["until"] = until.map(microseconds)
        map["trigger"] = trigger.map { .string($0.rawValue) }
        map["latitude"] = (place?.latitude).map(Value.double)
        map["longitude"] = (place?.longitude).map(Value.double)
        map["radius"] = radius.map(Value.double)
        return map
    }
}

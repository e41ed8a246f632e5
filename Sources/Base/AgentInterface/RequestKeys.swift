public import HunchDBus
public import HunchModel

// The keys of what apps send. Replies of the agent may have further ones, which older clients ignore.

extension Activity {
    /// Checks the keys of `org.hunch.Activities1.BecomeCurrent` and of later changes.
    ///
    /// - Throws: ``DBusError`` `InvalidInput`, which names an unknown key and the nearest known one.
    public static func checkKeys(of map: VariantMap) throws(DBusError) {
        try map.checkKeys(
            "type", "title", "keywords", "payload", "url", "place", "content", "group", "related", "start", "end",
            "reservation", "booking", "media", "search", "suggestion", "expiry", "needs-save", "delegate")
        try map.value("place", as: VariantMap.self).map(MapItem.checkKeys)
        try map.value("media", as: VariantMap.self)?.checkKeys(
            "xesam:title", "xesam:artist", "xesam:album", "mpris:artUrl")
    }
}

extension MapItem {
    /// Checks the keys of a place in a request.
    ///
    /// - Throws: ``DBusError`` `InvalidInput`, which names an unknown key and the nearest known one.
    public static func checkKeys(of map: VariantMap) throws(DBusError) {
        try map.checkKeys(
            "name", "query", "phone", "latitude", "longitude", "street", "city", "state", "postal-code", "country",
            "country-code")
    }

    /// Reads a place in a request, as ``init(transfer:)`` does, and refuses unknown keys.
    public init(checked map: VariantMap) throws(DBusError) {
        try Self.checkKeys(of: map)
        try self.init(transfer: map)
    }
}

extension DirectionsQuery {
    /// Reads a request, as ``init(request:)`` does, and refuses unknown keys of its places.
    public init(checked map: VariantMap) throws(DBusError) {
        for place in ["source", "destination"] { try map.value(place, as: VariantMap.self).map(MapItem.checkKeys) }
        if try map.value("destination", as: VariantMap.self)?.isEmpty == true {
            throw DBusError(.invalidInput, "“destination” is empty; give a name, words to look up, or a coordinate")
        }
        // One of them would be ignored.
        for (one, other) in [("uri", "destination"), ("departure", "arrival")]
        where map[one] != nil && map[other] != nil {
            throw DBusError(.invalidInput, "give “\(one)” or “\(other)”, not both")
        }
        let isHere = try map.value("here", as: Bool.self) ?? false
        if isHere, map["source"] != nil {
            throw DBusError(.invalidInput, "give “here” or “source”, not both")
        }
        try self.init(request: map)
    }
}

extension Donation {
    /// Checks the keys of an item of `org.hunch.Donations1.Donate`.
    ///
    /// - Throws: ``DBusError`` `InvalidInput`, which names an unknown key and the nearest known one.
    public static func checkKeys(of map: VariantMap) throws(DBusError) {
        try map.checkKeys(
            "kind", "parameters", "app", "date", "initiator", "id", "group", "combination", "context")
        try map.value("context", as: VariantMap.self)?.checkKeys("trigger", "device", "hour", "weekday", "further")
    }
}

extension Announcement {
    /// Checks the keys of an item of `org.hunch.Donations1.SetUpcoming` or `SetRelevant`.
    ///
    /// - Throws: ``DBusError`` `InvalidInput`, which names an unknown key and the nearest known one.
    public static func checkKeys(of map: VariantMap, in list: List) throws(DBusError) {
        switch list {
        case .upcoming: try map.checkKeys("item", "title", "mode")
        case .relevant:
            if map["parameters"] != nil, map["kind"] == nil {
                throw DBusError(.invalidInput, "“parameters” need a “kind”; for media, give “item”")
            }
            try map.checkKeys(
                "item", "title", "kind", "parameters", "widget-kind", "from", "until", "trigger", "latitude",
                "longitude", "radius")
        }
    }
}

extension SimulatedTrigger {
    /// Checks the number of keys of `org.hunch.Media1.Simulate`.
    ///
    /// - Throws: ``DBusError`` `InvalidInput` for several keys.
    public static func checkKeys(of map: VariantMap) throws(DBusError) {
        guard map.keys.count(where: { $0 != "offer" && !$0.hasPrefix("x-") }) <= 1 else {
            throw DBusError(.invalidInput, "give one of “trigger”, “device” and “kind”, not several")
        }
    }
}

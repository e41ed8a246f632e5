public import HunchDBus
public import HunchModel

extension SuggestionPair: MapValue {
    /// Reads a pair of `org.hunch.Privacy1.Muted`. Without a kind, it is one of media.
    ///
    /// - Throws: ``DBusError``: `…InvalidArgs` for a value of the wrong type, `InvalidInput` for a coordinate out of range.
    public init(transfer map: VariantMap) throws(DBusError) {
        let trigger = try map.text("trigger") ?? ""
        let coordinate = try map.coordinate()
        self.init(
            trigger: trigger.isEmpty ? nil : Trigger(trigger), application: AppID(try map.text("app") ?? ""),
            kind: try map.text("kind").map(Suggestion.Kind.init) ?? .media,
            subject: try map.text("subject").map { SuggestionSubject(name: $0, coordinate: coordinate) })
    }

    /// The pair with its keys.
    public var transfer: VariantMap {
        var map: VariantMap = [
            "app": application.dbusValue, "trigger": .string(trigger?.description ?? ""),
            "kind": .string(kind.rawValue),
        ]
        map["subject"] = (subject?.name).map(Value.string)
        map["latitude"] = (subject?.coordinate?.latitude).map(Value.double)
        map["longitude"] = (subject?.coordinate?.longitude).map(Value.double)
        return map
    }

    /// Checks that a map of a caller has no unknown keys.
    ///
    /// - Throws: ``DBusError`` `InvalidInput`.
    public static func checkKeys(of map: VariantMap) throws(DBusError) {
        try map.checkKeys("app", "trigger", "kind", "subject", "latitude", "longitude")
    }
}

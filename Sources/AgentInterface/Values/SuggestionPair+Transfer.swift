public import HunchDBus
public import HunchModel

extension SuggestionPair: MapValue {
    /// Reads a pair of `org.hunch.Privacy1.Muted`.
    ///
    /// - Throws: ``DBusError`` `…InvalidArgs` for a value of the wrong type.
    public init(transfer map: VariantMap) throws(DBusError) {
        let trigger = try map.value("trigger", as: String.self) ?? ""
        self.init(
            trigger: trigger.isEmpty ? nil : Trigger(trigger), application: try map.value("application") ?? "")
    }

    /// The pair with its keys.
    public var transfer: VariantMap {
        ["application": application.dbusValue, "trigger": .string(trigger?.description ?? "")]
    }
}

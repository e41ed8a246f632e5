public import FoundationEssentials
public import HunchDBus
public import HunchModel

extension Donation {
    /// Reads an item of `org.hunch.Donations1.Donate`.
    ///
    /// - Parameters:
    ///   - application: the donating app. The key `application` is only a claim of the caller.
    ///   - now: the date of a donation without one.
    /// - Throws: ``DBusError`` for a missing kind, or a value of another type or out of range.
    public init(transfer map: VariantMap, application: AppID, now: Date) throws(DBusError) {
        guard let kind = try map.text("kind"), !kind.isEmpty else {
            throw DBusError(.invalidInput, "“kind” is missing")
        }
        let date = try map.date(microseconds: "date")
        let context = try map.value("context", as: VariantMap.self) ?? [:]
        self.init(
            application: application, kind: Kind(rawValue: kind),
            parameters: try Self.parameters(map), date: date ?? now,
            context: Context(
                trigger: try context.text("trigger").map(Trigger.init),
                device: try context.text("device").map(AudioDevice.ID.init(rawValue:)),
                hour: try context.value("hour", as: UInt32.self).map { Int($0) },
                weekday: try context.value("weekday", as: UInt32.self).map { Int($0) },
                further: try context.value("further", as: [String: String].self) ?? [:]),
            identifier: try map.text("id"), group: try map.text("group"),
            combination: try map.value("combination", as: [String].self))
    }

    /// Reads the parameters. A number or a boolean counts as its text.
    static func parameters(_ map: VariantMap) throws(DBusError) -> [String: String] {
        if let texts = try? map.value("parameters", as: [String: String].self) { return texts }
        var texts: [String: String] = [:]
        for (name, value) in try map.value("parameters", as: VariantMap.self) ?? [:] {
            guard let text = value.scalarText else {
                throw DBusError(.invalidInput, "the parameter “\(name.cut(to: 80))” must be a text or a number")
            }
            texts[name] = text
        }
        return texts
    }

    /// The donation with the keys of `org.hunch.Donations1.Donate`.
    public var transfer: VariantMap {
        var map: VariantMap = [
            "kind": .string(kind.rawValue), "parameters": parameters.dbusValue,
            "date": .uint64(date.microseconds),
        ]
        if !application.isEmpty { map["app"] = application.dbusValue }
        map["id"] = identifier.map(Value.string)
        map["group"] = group.map(Value.string)
        map["combination"] = combination?.dbusValue
        var circumstances: VariantMap = [:]
        circumstances["trigger"] = context.trigger.map { .string($0.description) }
        circumstances["device"] = context.device?.dbusValue
        circumstances["hour"] = context.hour.flatMap { UInt32(exactly: $0) }.map(Value.uint32)
        circumstances["weekday"] = context.weekday.flatMap { UInt32(exactly: $0) }.map(Value.uint32)
        if !context.further.isEmpty { circumstances["further"] = context.further.dbusValue }
        if !circumstances.isEmpty { map["context"] = circumstances.dbusValue }
        return map
    }
}

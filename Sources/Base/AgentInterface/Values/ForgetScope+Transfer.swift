internal import FoundationEssentials
public import HunchDBus
public import HunchModel

extension ForgetScope: MapValue {
    /// Reads the argument of `org.hunch.Privacy1.Forget`.
    ///
    /// - Throws: ``DBusError``: `…InvalidArgs` for a value of the wrong type, `InvalidInput` unless there is exactly
    ///   one known key.
    public init(transfer map: VariantMap) throws(DBusError) {
        let known = ["all", "since", "app", "kind", "device", "place", "action"]
        try map.checkKeys(known)
        let given = map.keys.filter(known.contains)
        guard given.count == 1, let key = given.first else {
            throw DBusError(.invalidInput, "say one thing to forget: \(known.joined(separator: ", "))")
        }
        switch key {
        case "all":
            guard try map.value(key, as: Bool.self) == true else {
                throw DBusError(.invalidInput, "“all” can only be true")
            }
            self = .everything
        case "since":
            self = .since(try map.date(microseconds: key) ?? Date.accepted.lowerBound)
        case "app": self = .application(AppID(entryName: try Self.text(key, map)))
        case "kind": self = .kind(Donation.Kind(rawValue: try Self.text(key, map)))
        case "device": self = .device(AudioDevice.ID(try Self.text(key, map)))
        case "place": self = .place(try Self.text(key, map))
        default:
            guard let row = ActionRow(try Self.text(key, map)) else {
                throw DBusError(.invalidInput, "“action” is not an identifier of “hunch history --json”")
            }
            self = .action(row)
        }
    }

    private static func text(_ key: String, _ map: VariantMap) throws(DBusError) -> String {
        guard let text = try map.text(key), !text.allSatisfy(\.isWhitespace) else {
            throw DBusError(.invalidInput, "“\(key)” is empty")
        }
        return text
    }

    /// The argument of `org.hunch.Privacy1.Forget`.
    public var transfer: VariantMap {
        switch self {
        case .everything: ["all": .boolean(true)]
        case .since(let date): ["since": .uint64(date.microseconds)]
        case .application(let application): ["app": application.dbusValue]
        case .kind(let kind): ["kind": .string(kind.rawValue)]
        case .device(let device): ["device": device.dbusValue]
        case .place(let text): ["place": .string(text)]
        case .action(let row): ["action": .string(row.description)]
        }
    }
}

internal import FoundationEssentials
public import HunchDBus
public import HunchModel

// A hold as `a{sv}`: `code` s, and the details that the code needs: `subject` s (the name of a player, a device or an
// output, or the identifier of an app), `because` s, `until` t, `away` t in microseconds, `chance` d, and the keys of a muted pair, as documented in `org.hunch.Media1`.

extension Hold: DBusRepresentable {
    /// `a{sv}`
    public static var dbusType: ValueType { VariantMap.dbusType }

    /// Reads a hold. An unknown code becomes ``other(code:)``.
    ///
    /// - Throws: ``DBusError`` `…InvalidArgs` for a value of the wrong type.
    public init(dbusValue: Value) throws(DBusError) {
        let map = try VariantMap(dbusValue: dbusValue)
        let subject = try map.value("subject", as: String.self) ?? ""
        let code = try map.value("code", as: String.self) ?? ""
        self =
            switch code {
            case "playing": .playing(subject)
            case "suggestionsOff": .suggestionsOff(device: subject)
            case "nothingPlayed": .nothingPlayed(device: subject)
            case "excluded": .excluded(AppID(subject))
            case "reconnected":
                .reconnected(after: .microseconds(Int64(clamping: try map.value("away", as: UInt64.self) ?? 0)))
            case "outputChanged": .outputChanged
            case "notPrepared": .notPrepared(try map.value("because") ?? "")
            case "muted": .muted(try SuggestionPair(transfer: map))
            case "paused": .paused(until: try map.date(microseconds: "until") ?? .distantFuture)
            case "tooMany": .tooMany(until: try map.date(microseconds: "until") ?? .distantFuture)
            case "unlikely": .unlikely(chance: try map.value("chance") ?? 0)
            case "likelierSuggested": .likelierSuggested
            case "appointmentFirst": .appointmentFirst
            case "continued": .continued
            case "beingCarriedOut": .beingCarriedOut
            case "doNotDisturb": .doNotDisturb
            case "notDisplayed": .notDisplayed
            case "noApp": .noApp
            case "expired": .expired
            case "identifierTaken": .identifierTaken
            default:
                if let hold = try DeviceHold(map) { .notReady(device: subject, hold) } else { .other(code: code) }
            }
    }

    /// The hold with its keys.
    public var dbusValue: Value {
        var map: VariantMap = [:]
        let code: String
        switch self {
        case .playing(let player): (code, map["subject"]) = ("playing", .string(player))
        case .notReady(let device, let hold): return hold.transfer(["subject": .string(device)]).dbusValue
        case .suggestionsOff(let device): (code, map["subject"]) = ("suggestionsOff", .string(device))
        case .nothingPlayed(let device): (code, map["subject"]) = ("nothingPlayed", .string(device))
        case .excluded(let application): (code, map["subject"]) = ("excluded", .string(application.rawValue))
        case .reconnected(let absence):
            (code, map["away"]) = ("reconnected", .uint64(UInt64(clamping: absence / .microseconds(1))))
        case .outputChanged: code = "outputChanged"
        case .notPrepared(let clause): (code, map["because"]) = ("notPrepared", .string(clause))
        case .muted(let pair): (code, map) = ("muted", pair.transfer)
        case .paused(let date): (code, map["until"]) = ("paused", .uint64(date.microseconds))
        case .tooMany(let date): (code, map["until"]) = ("tooMany", .uint64(date.microseconds))
        case .unlikely(let chance): (code, map["chance"]) = ("unlikely", .double(chance))
        case .likelierSuggested: code = "likelierSuggested"
        case .appointmentFirst: code = "appointmentFirst"
        case .continued: code = "continued"
        case .beingCarriedOut: code = "beingCarriedOut"
        case .doNotDisturb: code = "doNotDisturb"
        case .notDisplayed: code = "notDisplayed"
        case .noApp: code = "noApp"
        case .expired: code = "expired"
        case .identifierTaken: code = "identifierTaken"
        case .other(let unknown): code = unknown
        }
        map["code"] = .string(code)
        return map.dbusValue
    }
}

extension DeviceHold: DBusRepresentable {
    /// `a{sv}`
    public static var dbusType: ValueType { VariantMap.dbusType }

    /// Reads a hold.
    ///
    /// - Throws: ``DBusError`` `…InvalidArgs` for a value of the wrong type, or an unknown code.
    public init(dbusValue: Value) throws(DBusError) {
        guard let hold = try DeviceHold(try VariantMap(dbusValue: dbusValue)) else {
            throw DBusError(.invalidArgs, "the code of a hold is unknown")
        }
        self = hold
    }

    fileprivate init?(_ map: VariantMap) throws(DBusError) {
        let current = try map.value("current", as: String.self)
        let all: [DeviceHold] = [
            .notConnected, .audioServerUnreachable, .noOutput, .nothingPluggedIn, .notDefault(current: current),
            .settling, .unstable, .alreadyThere,
        ]
        let code = try map.value("code", as: String.self)
        guard let hold = all.first(where: { $0.code == code }) else { return nil }
        self = hold
    }

    /// The hold with its keys.
    public var dbusValue: Value { transfer([:]).dbusValue }

    fileprivate func transfer(_ further: VariantMap) -> VariantMap {
        var map = further
        map["code"] = .string(code)
        if case .notDefault(let current) = self { map["current"] = current.map(Value.string) }
        return map
    }
}

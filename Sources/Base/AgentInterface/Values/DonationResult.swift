public import HunchDBus

/// The result of a donation.
public struct DonationResult: Hashable, Sendable {
    /// Whether the donation was accepted. It is then on disk.
    public let isAccepted: Bool
    /// The reason for a rejection as a code of `org.hunch.Donations1.Donate`; empty if accepted.
    public let code: String
    /// The reason for a rejection, for people; empty if accepted.
    public let message: String

    /// The result of an accepted donation.
    public static let accepted = DonationResult(isAccepted: true, code: "", message: "")

    /// Returns the result of a rejected donation.
    public static func rejected(_ code: String, _ message: String) -> DonationResult {
        DonationResult(isAccepted: false, code: code, message: message)
    }
}

extension DonationResult: MapValue {
    /// Reads a result of `org.hunch.Donations1.Donate`.
    ///
    /// - Throws: ``DBusError`` `…InvalidArgs` for a value of the wrong type.
    public init(transfer map: VariantMap) throws(DBusError) {
        isAccepted = try map.value("accepted") ?? false
        code = try map.value("code") ?? ""
        message = try map.value("message") ?? ""
    }

    /// The result with its keys.
    public var transfer: VariantMap {
        if isAccepted { return ["accepted": .boolean(true)] }
        return ["accepted": .boolean(false), "code": .string(code), "message": .string(message)]
    }
}

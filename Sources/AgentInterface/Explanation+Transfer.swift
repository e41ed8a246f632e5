public import HunchDBus
public import HunchModel

// An explanation as keys of an `a{sv}`: `reasons` as, `evidence` aa{sv}, `remainder` d and `margin` d, as
// `org.hunch.Suggestion1.Explain` documents them.

extension Explanation {
    /// Reads an explanation. Unknown keys are ignored, and so is the margin, which follows from the others.
    ///
    /// - Throws: ``DBusError`` `…InvalidArgs` for a value of the wrong type.
    public init(transfer: VariantMap) throws(DBusError) {
        var reasons: [Reason] = []
        for map in try transfer.value("evidence", as: [VariantMap].self) ?? [] {
            var reason = Reason(try map.value("text") ?? "", weight: try map.value("weight"))
            if let count = try map.value("count", as: UInt32.self), let total = try map.value("total", as: UInt32.self)
            {
                reason.share = Share(count: Int(count), total: Int(total))
            }
            reasons.append(reason)
        }
        self.init(reasons, remainder: try transfer.value("remainder"))
    }

    /// The explanation with the keys above; what was not learned has no weights.
    ///
    /// - Parameter shown: makes a text harmless to whoever shows it.
    public func transfer(_ shown: (String) -> String) -> VariantMap {
        let evidence = reasons.map { reason in
            var map: VariantMap = ["text": .string(shown(reason.text))]
            map["weight"] = reason.weight.map(Value.double)
            map["count"] = reason.share.map { .uint32(UInt32(clamping: $0.count)) }
            map["total"] = reason.share.map { .uint32(UInt32(clamping: $0.total)) }
            return map
        }
        var map: VariantMap = ["reasons": texts.map(shown).dbusValue, "evidence": evidence.dbusValue]
        map["remainder"] = remainder.map(Value.double)
        map["margin"] = margin.map(Value.double)
        return map
    }
}

public import HunchDBus
public import HunchModel

// An explanation as `a{sv}`: `reasons` as, `evidence` aa{sv}, `remainder` d and `margin` d, as documented in
// `org.hunch.Suggestion1.Explain`.

extension Explanation {
    /// Reads an explanation. Ignores unknown keys and the margin, which is computed from the other keys.
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

    /// Returns the explanation with the keys above. Reasons that were not learned have no weights.
    ///
    /// - Parameter shown: the function that makes a text safe to display.
    public func transfer(_ shown: (String) -> String) -> VariantMap {
        let shown = withTexts(shown)
        var map: VariantMap = ["reasons": shown.texts.dbusValue, "evidence": shown.evidence.dbusValue]
        map["remainder"] = remainder.map(Value.double)
        map["margin"] = margin.map(Value.double)
        return map
    }

    /// Returns the explanation with changed texts.
    public func withTexts(_ change: (String) -> String) -> Explanation {
        var changed = self
        for index in changed.reasons.indices { changed.reasons[index].text = change(changed.reasons[index].text) }
        return changed
    }

    var evidence: [VariantMap] {
        reasons.map { reason in
            var map: VariantMap = ["text": .string(reason.text)]
            map["weight"] = reason.weight.map(Value.double)
            map["count"] = reason.share.map { .uint32(UInt32(clamping: $0.count)) }
            map["total"] = reason.share.map { .uint32(UInt32(clamping: $0.total)) }
            return map
        }
    }
}

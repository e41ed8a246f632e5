internal import AgentInterface
internal import HunchDBus
internal import HunchModel

extension Activity {
    /// The values that clear the optional keys.
    private static let cleared: VariantMap = [
        "keywords": [String]().dbusValue, "payload": [UInt8]().dbusValue, "place": VariantMap().dbusValue,
        "url": .string(""), "content": .string(""), "group": .string(""), "related": .string(""),
        "reservation": .string(""), "booking": .string(""), "media": VariantMap().dbusValue, "start": .uint64(0),
        "end": .uint64(0), "expiry": .uint64(0),
    ]

    /// Returns the changes since a former state, with the keys of `org.hunch.Activity1.Update`.
    func changes(from former: Activity) -> VariantMap {
        let (new, old) = (transfer, former.transfer)
        let gone = Self.cleared.filter { new[$0.key] == nil && old[$0.key] != nil }
        return new.filter { old[$0.key] != $0.value }.merging(gone) { changed, _ in changed }
    }
}

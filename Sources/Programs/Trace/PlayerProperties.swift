internal import Players
internal import FoundationEssentials
internal import HunchDBus
internal import HunchModel
internal import Media
internal import Triggers

/// The properties of an MPRIS player as JSON, those of both its interfaces in one object.
enum PlayerProperties {
    static func read(_ fields: TraceFields) throws(TraceError) -> VariantMap {
        var properties: VariantMap = [:]
        for key in ["Identity", "DesktopEntry"] { properties[key] = try fields.text(key).map(Value.string) }
        if fields.values["PlaybackStatus"] != nil {
            let word = try fields.word("PlaybackStatus", of: ["Playing", "Paused", "Stopped"])
            properties["PlaybackStatus"] = .string(word)
        }
        for key in ["CanPlay", "CanSeek", "CanControl", "HasTrackList"] {
            properties[key] = try fields.boolean(key).map(Value.boolean)
        }
        properties["Position"] = try fields.integer("Position").map(Value.int64)
        properties["Rate"] = try fields.number("Rate").map(Value.double)
        if let metadata = try fields.object("Metadata") {
            properties["Metadata"] = metadata.values.compactMapValues(value).dbusValue
        }
        return properties
    }

    /// Returns a D-Bus value. Metadata may have unexpected types, which the reader of metadata tolerates.
    private static func value(_ value: TraceValue) -> Value? {
        switch value {
        case .text(let text): .string(text)
        case .integer(let number): .int64(number)
        case .number(let number): .double(number)
        case .boolean(let value): .boolean(value)
        case .list(let values):
            values.compactMap { if case .text(let text) = $0 { text } else { nil } }.dbusValue
        case .null, .object: nil
        }
    }

    /// - Parameter position: whether to include the position, which changes all the time.
    static func fields(of player: MPRISPlayer, position: Bool) -> [String: TraceValue] {
        var fields: [String: TraceValue] = [
            "CanPlay": .boolean(player.canPlay), "CanSeek": .boolean(player.canSeek),
            "CanControl": .boolean(player.canControl), "HasTrackList": .boolean(player.hasTrackList),
        ]
        if !player.identity.isEmpty { fields["Identity"] = .text(player.identity) }
        fields["DesktopEntry"] = player.desktopEntry.map(TraceValue.text)
        fields["PlaybackStatus"] = player.status.map { .text($0.rawValue.capitalized) }
        fields["Metadata"] = player.info.map { .object(metadata($0)) }
        if position { fields["Position"] = player.info?.position.map(TraceValue.integer) }
        return fields
    }

    private static func metadata(_ info: NowPlayingInfo) -> [String: TraceValue] {
        var metadata: [String: TraceValue] = ["xesam:title": .text(info.title)]
        if !info.artists.isEmpty { metadata["xesam:artist"] = .list(info.artists.map(TraceValue.text)) }
        metadata["xesam:album"] = info.album.map(TraceValue.text)
        metadata["xesam:url"] = info.contentURL.map(TraceValue.text)
        metadata["mpris:artUrl"] = info.artworkURL.map(TraceValue.text)
        metadata["mpris:trackid"] = info.trackIdentifier.map(TraceValue.text)
        metadata["mpris:length"] = info.length.map(TraceValue.integer)
        return metadata
    }
}

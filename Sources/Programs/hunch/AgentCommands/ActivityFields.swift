import PlaceCommands
import AgentInterface
import FoundationEssentials
import HunchKit
import HunchModel

/// An activity in the output of commands. Every key is always present.
struct ActivityFields: Encodable {
    let shown: ShownActivity

    init(_ shown: ShownActivity) { self.shown = shown }

    private enum Key: CodingKey {
        case id, app, date, type, title, keywords, url, place, phone, content, group, related, start, end,
            expiry, ended, payload
    }

    func encode(to encoder: any Encoder) throws {
        let activity = shown.activity
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(shown.id, forKey: .id)
        try container.encode(shown.application, forKey: .app)
        try container.encode(shown.date.timeIntervalSince1970, forKey: .date)
        try container.encode(activity.type, forKey: .type)
        try container.encode(activity.title, forKey: .title)
        try container.encode(activity.keywords, forKey: .keywords)
        try container.encode(activity.webPageURL, forKey: .url)
        try container.encode(activity.place.map(MapItemFields.init), forKey: .place)
        try container.encode(activity.place?.phoneNumber, forKey: .phone)
        try container.encode(activity.contentIdentifier, forKey: .content)
        try container.encode(activity.group, forKey: .group)
        try container.encode(activity.relatedIdentifier, forKey: .related)
        try container.encode(activity.start?.timeIntervalSince1970, forKey: .start)
        try container.encode(activity.end?.timeIntervalSince1970, forKey: .end)
        try container.encode(activity.expiry?.timeIntervalSince1970, forKey: .expiry)
        try container.encode(shown.isEnded, forKey: .ended)
        let payload = activity.payload.isEmpty ? nil : Data(activity.payload).base64EncodedString()
        try container.encode(payload, forKey: .payload)
    }
}

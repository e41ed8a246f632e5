internal import HunchModel
internal import Triggers

/// Announcements of apps as objects in a trace.
extension Announcement {
    init(_ fields: TraceFields) throws(TraceError) {
        var trigger: Trigger?
        if let word = try fields.text("trigger") {
            trigger = Trigger(rawValue: word)
            guard trigger != nil else {
                throw TraceError(
                    "“trigger” is “\(word.cut(to: 40))”, and must be a kind of device, login, unlock, resume or launch"
                )
            }
        }
        var place: Coordinate?
        if let latitude = try fields.number("latitude"), let longitude = try fields.number("longitude") {
            place = try? Coordinate(latitude: latitude, longitude: longitude)
            guard place != nil else { throw TraceError("“latitude” and “longitude” must be degrees") }
        }
        self.init(
            item: try fields.requiredText("item"), title: try fields.requiredText("title"),
            isExclusive: try fields.boolean("exclusive") ?? false, trigger: trigger, place: place,
            radius: try fields.number("radius"))
    }
}

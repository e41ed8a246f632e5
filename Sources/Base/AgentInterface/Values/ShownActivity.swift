public import FoundationEssentials
public import HunchDBus
public import HunchModel

/// An activity as other programs see it.
public struct ShownActivity: Sendable {
    /// The identifier for `org.hunch.Activities1.Continue`.
    public let id: String
    /// The desktop identifier of the app.
    public let application: AppID
    /// The instant at which the activity became current.
    public let date: Date
    /// Whether its app has ended. Continuing it starts the app.
    public let isEnded: Bool
    /// The content as the app reported it. Lists of activities leave out the payload.
    public let activity: Activity

    /// Creates an activity.
    public init(id: String, application: AppID, date: Date, isEnded: Bool = false, activity: Activity) {
        (self.id, self.application, self.date, self.isEnded, self.activity) = (id, application, date, isEnded, activity)
    }
}

extension ShownActivity: MapValue {
    /// Reads an activity of `org.hunch.Activities1`.
    ///
    /// - Throws: ``DBusError`` as for ``HunchModel/Activity``.
    public init(transfer map: VariantMap) throws(DBusError) {
        id = try map.value("id") ?? ""
        application = try map.value("app") ?? ""
        date = try map.date(microseconds: "date") ?? Date.accepted.lowerBound
        isEnded = try map.value("ended") ?? false
        activity = try Activity(transfer: map)
    }

    /// The activity with its keys.
    public var transfer: VariantMap {
        var own: VariantMap = ["id": .string(id), "app": application.dbusValue, "date": .uint64(date.microseconds)]
        if isEnded { own["ended"] = .boolean(true) }
        return activity.transfer.merging(own) { $1 }
    }
}

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
    /// The content as the app reported it. Lists of activities leave out the payload.
    public let activity: Activity

    /// Creates an activity.
    public init(id: String, application: AppID, date: Date, activity: Activity) {
        (self.id, self.application, self.date, self.activity) = (id, application, date, activity)
    }
}

extension ShownActivity: MapValue {
    /// Reads an activity of `org.hunch.Activities1`.
    ///
    /// - Throws: ``DBusError`` as for ``HunchModel/Activity``.
    public init(transfer map: VariantMap) throws(DBusError) {
        id = try map.value("id") ?? ""
        application = try map.value("application") ?? ""
        date = try map.date(microseconds: "date") ?? Date.accepted.lowerBound
        activity = try Activity(transfer: map)
    }

    /// The activity with its keys.
    public var transfer: VariantMap {
        activity.transfer.merging([
            "id": .string(id), "application": application.dbusValue, "date": .uint64(date.microseconds),
        ]) { $1 }
    }
}

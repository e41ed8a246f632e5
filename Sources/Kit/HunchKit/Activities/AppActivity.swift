internal import AgentInterface
internal import HunchDBus
public import HunchModel
internal import Synchronization

/// An object that updates an activity only when Hunch needs it, instead of at every change.
public protocol ActivityDelegate: AnyObject, Sendable {
    /// Updates the activity with all changes since it was last reported. Hunch calls this after
    /// ``AppActivity/setNeedsSave()``, before it uses the activity.
    ///
    /// Hunch waits at most 2 seconds, and then uses the activity as it was.
    func save(_ activity: inout Activity) async
}

/// Content that the app shows on the screen: a page, a place, a document. See ``AppActivities`` for an example.
///
/// ``AppActivities`` keeps the current activity alive even if the app releases it. An activity ends when the app
/// invalidates it or disconnects from the bus. Hunch keeps activities that resigned or were replaced as long as the app
/// holds them. Of those that the app released, it keeps the last ``AppActivities/droppedLimit``.
public final class AppActivity: Sendable {
    private struct Content {
        var activity: Activity
        weak var delegate: (any ActivityDelegate)?
    }

    private let activities: AppActivities
    private let content: Mutex<Content>

    /// Creates an activity. Hunch learns of it when it becomes current.
    ///
    /// - Parameters:
    ///   - activity: the content, within ``HunchModel/Activity/Limit``.
    ///   - activities: the activities of the app.
    ///   - delegate: the object that provides changes after ``setNeedsSave()``. Held weakly.
    public init(_ activity: Activity, in activities: AppActivities, delegate: (any ActivityDelegate)? = nil) {
        self.activities = activities
        content = Mutex(Content(activity: activity, delegate: delegate))
    }

    /// The content as last reported.
    public var activity: Activity { content.withLock(\.activity) }

    /// Makes this the current activity, in place of the previous one. Call it when the user turns to the content.
    ///
    /// - Parameter startsAgent: whether to start the agent if it does not run. Otherwise Hunch learns of the activity as
    ///   soon as an agent runs.
    /// - Throws: `DBusError`. With `…InvalidInput`, `…LimitsExceeded` or `…AccessDenied` the activity did not become
    ///   current, and the message gives the reason. With any other name the agent is unreachable: the activity is
    ///   current anyway, and Hunch learns of it as soon as an agent runs.
    public func becomeCurrent(startsAgent: Bool = true) async throws {
        try await activities.turn(to: self, startsAgent: startsAgent)
    }

    /// Changes the content.
    ///
    /// - Throws: `DBusError` if the change is not allowed, like ``becomeCurrent()``. The content is then unchanged.
    public func update(_ change: @Sendable (inout Activity) -> Void) async throws {
        let (former, changed) = content.withLock { content in
            let former = content.activity
            change(&content.activity)
            return (former, content.activity)
        }
        do {
            try await activities.tell(self, changed.changes(from: former))
        } catch {
            content.withLock { if $0.activity == changed { $0.activity = former } }
            throw error
        }
    }

    /// Marks the activity as changed. Hunch asks the delegate for the changes when it needs them, which may be never.
    ///
    /// - Throws: like ``update(_:)``.
    public func setNeedsSave() async throws { try await update { $0.needsSave = true } }

    /// Resigns as the current activity, when the user turns away from the content. Hunch may now make suggestions
    /// because of it.
    ///
    /// - Throws: `DBusError` if the connection is closed.
    public func resign() async throws { try await activities.resign(self) }

    /// Ends the activity and withdraws its suggestions.
    ///
    /// - Throws: `DBusError` if the connection is closed.
    public func invalidate() async throws { try await activities.invalidate(self) }

    /// The complete activity, with the keys of `org.hunch.Activities1.BecomeCurrent`.
    var transfer: VariantMap {
        let (activity, hasDelegate) = content.withLock { ($0.activity, $0.delegate != nil) }
        var map = activity.transfer
        if hasDelegate { map["delegate"] = AppActivities.delegatePath.dbusValue }
        return map
    }

    /// Asks the delegate for changes and returns them, with the keys of `org.hunch.Activity1.Update`.
    func save() async -> VariantMap {
        let (former, delegate) = content.withLock { ($0.activity, $0.delegate) }
        var saved = former
        await delegate?.save(&saved)
        saved.needsSave = false
        content.withLock { [saved] in $0.activity = saved }
        return saved.changes(from: former)
    }
}

internal import AgentInterface
internal import HunchDBus
public import HunchModel
internal import Synchronization

/// Updates an activity when it is needed, instead of at every change.
public protocol ActivityDelegate: AnyObject, Sendable {
    /// Called when the activity is needed after ``AppActivity/setNeedsSave()``. Apply the changes since then.
    ///
    /// Hunch waits for at most 2 seconds, and then uses the activity as it was.
    func save(_ activity: inout Activity) async
}

/// An activity: a page, a place or a document that the app shows. See ``AppActivities`` for an example.
///
/// While it is current it lives on although the app has dropped it; ``AppActivities`` holds it. It ends when it is
/// invalidated, and with the app's connection to the bus. One that was replaced by another or resigned is kept by Hunch as
/// long as the app holds it, and for a while after that.
public final class AppActivity: Sendable {
    private struct Content {
        var activity: Activity
        weak var delegate: (any ActivityDelegate)?
    }

    private let activities: AppActivities
    private let content: Mutex<Content>

    /// Creates an activity. It is reported when it becomes current.
    ///
    /// - Parameters:
    ///   - activity: the values, within ``HunchModel/Activity/Limit``.
    ///   - activities: the app's.
    ///   - delegate: the delegate that is asked for changes after ``setNeedsSave()``; not retained.
    public init(_ activity: Activity, in activities: AppActivities, delegate: (any ActivityDelegate)? = nil) {
        self.activities = activities
        content = Mutex(Content(activity: activity, delegate: delegate))
    }

    /// The values, as the app reported them last.
    public var activity: Activity { content.withLock(\.activity) }

    /// Makes the activity the current one, because the person turned to it.
    ///
    /// - Throws: `DBusError`. With the names `…InvalidInput`, `…LimitsExceeded` or `…AccessDenied` it did not become
    ///   current, and the message says why. With any other the agent cannot be reached now: it is current all the same,
    ///   and Hunch hears of it as soon as an agent runs.
    public func becomeCurrent() async throws { try await activities.turn(to: self) }

    /// Changes the values.
    ///
    /// - Throws: `DBusError` as ``becomeCurrent()``; then nothing has changed.
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

    /// Marks the activity as changed. The delegate is asked for the changes when they are needed, which may be never.
    ///
    /// - Throws: as ``update(_:)``.
    public func setNeedsSave() async throws { try await update { $0.needsSave = true } }

    /// Resigns the activity, because the person turned away from it. Hunch may now make suggestions from it.
    ///
    /// - Throws: `DBusError` if the bus is gone.
    public func resign() async throws { try await activities.resign(self) }

    /// Ends the activity and withdraws its suggestions.
    ///
    /// - Throws: `DBusError` if the bus is gone.
    public func invalidate() async throws { try await activities.invalidate(self) }

    /// The values for `BecomeCurrent`.
    var transfer: VariantMap {
        let (activity, hasDelegate) = content.withLock { ($0.activity, $0.delegate != nil) }
        var map = activity.transfer
        if hasDelegate { map["delegate"] = AppActivities.delegatePath.dbusValue }
        return map
    }

    /// Asks the delegate to save, and returns the changes.
    func save() async -> VariantMap {
        let (former, delegate) = content.withLock { ($0.activity, $0.delegate) }
        var saved = former
        await delegate?.save(&saved)
        saved.needsSave = false
        content.withLock { [saved] in $0.activity = saved }
        return saved.changes(from: former)
    }
}

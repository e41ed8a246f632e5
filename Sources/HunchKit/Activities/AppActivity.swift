internal import AgentInterface
internal import HunchDBus
public import HunchModel
internal import Synchronization

/// Brings an activity up to date when that is needed, instead of at every change.
public protocol ActivityDelegate: AnyObject, Sendable {
    /// The activity is needed now, after ``AppActivity/setNeedsSave()``: put in what has changed since.
    ///
    /// Hunch waits for it, at most 2 seconds; after that it takes the activity as it was.
    func save(_ activity: inout Activity) async
}

/// Something that the app has on the screen: a page, a place, a document. See ``AppActivities`` for an example.
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

    /// Makes an activity. Hunch is told of it when it becomes current.
    ///
    /// - Parameters:
    ///   - activity: what is on the screen, within ``HunchModel/Activity/Limit``.
    ///   - activities: the app's.
    ///   - delegate: is asked for changes after ``setNeedsSave()``; not held.
    public init(_ activity: Activity, in activities: AppActivities, delegate: (any ActivityDelegate)? = nil) {
        self.activities = activities
        content = Mutex(Content(activity: activity, delegate: delegate))
    }

    /// What is on the screen, as the app told it last.
    public var activity: Activity { content.withLock(\.activity) }

    /// The person turned to it: it takes the place of what was current before.
    ///
    /// - Throws: `DBusError`. With the names `…InvalidInput`, `…LimitsExceeded` or `…AccessDenied` it did not become
    ///   current, and the message says why. With any other the agent cannot be reached now: it is current all the same,
    ///   and Hunch hears of it as soon as an agent runs.
    public func becomeCurrent() async throws { try await activities.turn(to: self) }

    /// Changes what is on the screen.
    ///
    /// - Throws: `DBusError` when that is not allowed, as ``becomeCurrent()``; then nothing has changed.
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

    /// Something has changed that the delegate is to be asked for when it is needed: as long as nothing else is on the
    /// screen and nobody asks, that is never.
    ///
    /// - Throws: as ``update(_:)``.
    public func setNeedsSave() async throws { try await update { $0.needsSave = true } }

    /// The person turned away from it. Hunch may now suggest something because of it.
    ///
    /// - Throws: `DBusError` when the bus is gone.
    public func resign() async throws { try await activities.resign(self) }

    /// It is over, and what was suggested because of it goes.
    ///
    /// - Throws: `DBusError` when the bus is gone.
    public func invalidate() async throws { try await activities.invalidate(self) }

    /// All of it, as it becomes current.
    var transfer: VariantMap {
        let (activity, hasDelegate) = content.withLock { ($0.activity, $0.delegate != nil) }
        var map = activity.transfer
        if hasDelegate { map["delegate"] = AppActivities.delegatePath.dbusValue }
        return map
    }

    /// Asks the delegate. Returns what has changed.
    func save() async -> VariantMap {
        let (former, delegate) = content.withLock { ($0.activity, $0.delegate) }
        var saved = former
        await delegate?.save(&saved)
        saved.needsSave = false
        content.withLock { [saved] in $0.activity = saved }
        return saved.changes(from: former)
    }
}

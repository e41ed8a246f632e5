internal import Glibc

/// The events that a descriptor is watched for, or that occurred on it.
public struct DescriptorEvents: OptionSet, Sendable {
    /// The bits.
    public let rawValue: Int16
    /// Creates a set from its bits.
    public init(rawValue: Int16) { self.rawValue = rawValue }

    /// Data can be read.
    public static let readable = DescriptorEvents(rawValue: 1)
    /// Data can be written.
    public static let writable = DescriptorEvents(rawValue: 2)
    /// An error is pending. Always reported.
    public static let error = DescriptorEvents(rawValue: 4)
    /// The peer hung up. Always reported.
    public static let hangup = DescriptorEvents(rawValue: 8)

    init(poll: Int16) {
        var events: DescriptorEvents = []
        if poll & Int16(POLLIN) != 0 { events.insert(.readable) }
        if poll & Int16(POLLOUT) != 0 { events.insert(.writable) }
        if poll & Int16(POLLERR | POLLNVAL) != 0 { events.insert(.error) }
        if poll & Int16(POLLHUP) != 0 { events.insert(.hangup) }
        self = events
    }

    var poll: Int16 {
        (contains(.readable) ? Int16(POLLIN) : 0) | (contains(.writable) ? Int16(POLLOUT) : 0)
    }
}

/// An identifier of a watched descriptor, valid on the loop that returned it.
public struct DescriptorWatch: Sendable {
    let token: Int
}

struct DescriptorSource {
    let descriptor: Int32
    var events: DescriptorEvents
    var isEnabled: Bool
    let handler: (DescriptorEvents) -> Void
}

extension EventLoop {
    /// Watches a descriptor until ``remove(_:)``. Confined.
    ///
    /// The caller keeps ownership of the descriptor. The handler runs on the loop's thread for every event.
    public func watch(
        _ descriptor: Int32, for events: DescriptorEvents, enabled: Bool = true,
        _ handler: @escaping (DescriptorEvents) -> Void
    ) -> DescriptorWatch {
        confined()
        local.nextSource += 1
        local.sources[local.nextSource] = DescriptorSource(
            descriptor: descriptor, events: events, isEnabled: enabled, handler: handler)
        local.descriptorsChanged = true
        return DescriptorWatch(token: local.nextSource)
    }

    /// Changes the events that a descriptor is watched for. Confined.
    public func update(_ watch: DescriptorWatch, events: DescriptorEvents, enabled: Bool) {
        confined()
        local.sources[watch.token]?.events = events
        local.sources[watch.token]?.isEnabled = enabled
        local.descriptorsChanged = true
    }

    /// Stops watching a descriptor. Confined.
    public func remove(_ watch: DescriptorWatch) {
        confined()
        local.sources[watch.token] = nil
        local.descriptorsChanged = true
    }
}

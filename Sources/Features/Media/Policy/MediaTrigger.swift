package import EventLoops
package import FoundationEssentials
package import HunchModel
package import Learning
internal import Localization

/// A trigger with the device that would be played on.
package enum MediaTrigger: Hashable, Sendable {
    /// A device became ready.
    case device(AudioDevice, readyAt: MonotonicInstant)
    /// Another trigger, with the device in use, if any.
    case person(PersonEvent, AudioDevice?)

    /// The device that would be played on; `nil` for the machine's own speakers.
    package var device: AudioDevice? {
        switch self {
        case .device(let device, _): device
        case .person(_, let device): device
        }
    }

    package var deviceName: String { device?.name ?? localizedIn("device", "this computer") }

    package var isDevice: Bool {
        if case .device = self { true } else { false }
    }

    /// The trigger that suggestions are recorded and muted with.
    package var trigger: Trigger {
        switch self {
        case .device(let device, _): .device(device.id)
        case .person(let personEvent, _): personEvent.trigger
        }
    }

    /// The trigger to which announcements refer; `nil` for a plain one.
    package var announced: Announcement.Trigger? {
        switch self {
        case .device(let device, _): .device(device.kind)
        case .person(.session(let event, _), _): .session(event)
        case .person(.launched, _): .launch
        case .person(.moved, _), .person(.plain, _): nil
        }
    }

    /// Whether announcements apply. An arrival at a place has already been reported as a move.
    package var mayBeAnnounced: Bool {
        if case .person(.plain, _) = self { false } else { true }
    }

    /// Whether habits apply. They do not while moving, which can be anywhere, nor after launching an app, which is a
    /// choice already.
    package var mayBeLearned: Bool {
        switch self {
        case .device, .person(.session, _), .person(.plain, _): true
        case .person(.moved, _), .person(.launched, _): false
        }
    }

    /// Returns the first announced item of each app that counts at this trigger, in the order of the apps' identifiers.
    ///
    /// - Parameters:
    ///   - announced: the items that apps announced as relevant.
    ///   - condition: whether an item can be suggested.
    package func relevant(
        of announced: [AppID: [Announcement]], at date: Date, near position: Position?,
        where condition: (Announcement) -> Bool
    ) -> [(application: AppID, item: Announcement)] {
        announced.sorted { $0.key < $1.key }.compactMap { application, items in
            // An app must not learn which other apps are launched.
            if case .person(.launched(let launched), _) = self, launched != application { return nil }
            let item = items.first {
                condition($0) && $0.isRelevant(at: date, when: self.announced, near: position) && isNews($0)
            }
            return item.map { (application, $0) }
        }
    }

    /// Whether the user's move made an announcement relevant.
    private func isNews(_ item: Announcement) -> Bool {
        guard case .person(.moved(let former?, _), _) = self, let place = item.place else { return true }
        return !former.isWithin(item.radius ?? Announcement.defaultRadius, of: place)
    }
}

internal import Localization

extension Trigger {
    /// Returns the trigger as a circumstance in the language of the user, such as “after logging in”.
    public func words(deviceName: String) -> String {
        switch self {
        case .device: localized("after connecting %1", deviceName)
        case .session(.sessionStarted): localized("after logging in")
        case .session(.unlocked): localized("after unlocking")
        case .session(.resumed): localized("after the computer woke up")
        case .arrival(let place):
            switch NamedPlace(place) {
            case .home: localized("after arriving at home")
            case .work: localized("after arriving at work")
            case .usual: localized("after arriving at a place where you often are")
            case .other(let name): localized("after arriving at %1", name)
            }
        case .departure(let place):
            switch NamedPlace(place) {
            case .home: localized("after leaving home")
            case .work: localized("after leaving work")
            case .usual: localized("after leaving a place where you often are")
            case .other(let name): localized("after leaving %1", name)
            }
        case .move: localized("after the place changed")
        case .launch: localized("after starting the app")
        case .appointment: localized("before an appointment")
        case .activity(let application): localized("after using %1", application)
        case .other(let text): localized("after %1", text)
        }
    }
}

/// A place of the context by its label.
package enum NamedPlace {
    /// The place where the user lives.
    case home
    /// The place where the user works.
    case work
    /// A place without a name where the user often is.
    case usual
    /// A place with a name.
    case other(String)

    /// Returns whether Hunch learns places of this label from where the user stays.
    package static func isLearned(_ label: String) -> Bool {
        switch NamedPlace(label) {
        case .home, .work: true
        case .usual: Int(label.dropFirst("place-".count)).map { $0 > 0 } ?? false
        case .other: false
        }
    }

    /// Reads a label: `home`, `work`, `place-` and a number, or a name.
    package init(_ label: String) {
        switch label {
        case "home": self = .home
        case "work": self = .work
        default: self = label.hasPrefix("place-") ? .usual : .other(label)
        }
    }
}

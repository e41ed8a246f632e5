public import FoundationEssentials

/// The part of the recorded data to forget.
public enum ForgetScope: Hashable, Sendable {
    /// Everything that was recorded or muted. Settings of the user, such as exclusions, stay.
    case everything
    /// Everything of an app, by its desktop identifier.
    case application(AppID)
    /// The actions of a kind and the engagements with its suggestions; for `playMedia` also the resume points.
    case kind(Donation.Kind)
    /// Everything that happened on or because of a device.
    case device(AudioDevice.ID)
    /// Everything of a place. The value is the name or a part of it, ignoring case, or `latitude,longitude` in degrees
    /// for everything within 250 m. Titles of media are not searched, because they contain names of places, too. For a
    /// known place, such as `home`, actions there are forgotten, including media.
    case place(String)
    /// One recorded action, by its identifier in the list of the history; see ``ActionRow``.
    case action(ActionRow)
    /// Everything from this date on.
    case since(Date)

    /// Whether copies of recorded content do not show themselves what the scope concerns, so that only the history
    /// knows.
    public var isToldByHistory: Bool {
        switch self {
        case .kind, .device, .place, .action: true
        case .everything, .application, .since: false
        }
    }
}

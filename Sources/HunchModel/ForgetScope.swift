public import FoundationEssentials

/// The scope of forgetting.
public enum ForgetScope: Hashable, Sendable {
    /// Everything that was recorded or muted. What the person set, as being enabled or an exclusion, stays.
    case everything
    /// Everything of an app, by its desktop identifier.
    case application(String)
    /// The actions of a kind and the engagements with its suggestions; for `playMedia` also the resume points.
    case kind(Donation.Kind)
    /// Everything that happened on or because of a device.
    case device(AudioDevice.ID)
    /// Everything of a place: its name or a part of it, ignoring case, or `latitude,longitude` in degrees for
    /// everything within 250 m. Media is not searched, because titles name places too. But actions at a place where
    /// the person stays, such as `home`, include media.
    case place(String)
    /// Everything from this date on.
    case since(Date)
}

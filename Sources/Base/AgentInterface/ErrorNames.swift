public import HunchDBus

/// The D-Bus errors of Hunch itself, besides the standard ones. This is the only place that names them.
extension DBusError.Name {
    /// The input is malformed or out of range. The message says what to do.
    public static let invalidInput = HunchNames.error("InvalidInput")
    /// Nothing was found for the request.
    public static let notFound = HunchNames.error("NotFound")
    /// There is no gazetteer yet; `hunch gazetteer import` makes one.
    public static let noGazetteer = HunchNames.error("NoGazetteer")
    /// The suggestion is no longer offered: it was accepted, dismissed or withdrawn, or it expired.
    public static let notOffered = HunchNames.error("NotOffered")
    /// The app could not be opened, or did not start playback.
    public static let actionFailed = HunchNames.error("ActionFailed")
    /// The user did not enable the requested feature.
    public static let disabled = HunchNames.error("Disabled")
    /// There are too many requests now. Try again later.
    public static let busy = HunchNames.error("Busy")
    /// The history cannot be read or written.
    public static let storeFailed = HunchNames.error("StoreFailed")
}

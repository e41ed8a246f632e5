public import HunchDBus

/// The errors that Hunch itself replies with, beside the standard ones. This is the only place that names them.
extension DBusError.Name {
    /// The input is not understood or out of range; the message says what to do.
    public static let invalidInput = HunchNames.error("InvalidInput")
    /// Nothing was found for the request.
    public static let notFound = HunchNames.error("NotFound")
    /// There is no gazetteer yet; `hunch gazetteer import` makes one.
    public static let noGazetteer = HunchNames.error("NoGazetteer")
    /// The suggestion is over: taken, turned down or expired.
    public static let notOffered = HunchNames.error("NotOffered")
    /// The app could not be opened, or did not play.
    public static let actionFailed = HunchNames.error("ActionFailed")
    /// The person did not switch on what was asked for.
    public static let disabled = HunchNames.error("Disabled")
    /// Too much is asked for at once; later it is answered.
    public static let busy = HunchNames.error("Busy")
    /// The history cannot be read or written.
    public static let storeFailed = HunchNames.error("StoreFailed")
}

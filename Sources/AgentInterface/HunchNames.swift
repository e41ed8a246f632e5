public import HunchDBus

/// Every name of Hunch on the bus, made from one prefix.
public enum HunchNames {
    /// The reverse-DNS prefix. Nothing else in Hunch spells it, but for the files under `Systemd` and `Interfaces`.
    public static let prefix = "org.hunch"

    /// The agent's well-known name.
    public static let agent: BusName = checked { () throws(DBusError) in try BusName(prefix + ".Agent1") }
    /// The agent's root object, an object manager.
    public static let root: ObjectPath = checked { () throws(DBusError) in
        try ObjectPath("/" + prefix.replacing(".", with: "/") + "/Agent1")
    }

    /// The agent as a whole: `Enable`, `Disable`, `Status`.
    public static let agentInterface = interface("Agent1")
    /// Directions and geocoding.
    public static let directions = interface("Directions1")
    /// Players, devices, and what would be offered.
    public static let media = interface("Media1")
    /// The recorded data and its removal.
    public static let privacy = interface("Privacy1")
    /// Donations of apps.
    public static let donations = interface("Donations1")
    /// Activities of apps.
    public static let activities = interface("Activities1")
    /// One activity, for the app that made it.
    public static let activity = interface("Activity1")
    /// Served by an app that updates its activities when they are needed.
    public static let activityDelegate = interface("ActivityDelegate1")
    /// Served by an app that can continue an activity.
    public static let continueActivity = interface("ContinueActivity1")
    /// One suggestion.
    public static let suggestion = interface("Suggestion1")
    /// Served by an app with playable content.
    public static let playableContent = interface("PlayableContent1")

    /// The well-known name of the program that asks the network for places.
    public static let onlineGeocoder: BusName = checked { () throws(DBusError) in
        try BusName(prefix + ".OnlineGeocoder1")
    }
    /// Its one object.
    public static let onlineGeocoderPath: ObjectPath = checked { () throws(DBusError) in
        try ObjectPath("/" + prefix.replacing(".", with: "/") + "/OnlineGeocoder1")
    }
    /// The interface of the online geocoder.
    public static let onlineGeocoderInterface = interface("OnlineGeocoder1")

    /// Desktop identifier of Hunch's own entry, by which desktops group its notifications.
    public static let desktopEntry = prefix + ".Hunch"

    /// Version of every interface, as their property `Version` tells.
    public static let version: UInt32 = 1

    /// The object of a suggestion.
    ///
    /// - Throws: ``DBusError`` with the name `…InvalidArgs` when the identifier has other characters than letters,
    ///   digits and underscores.
    public static func suggestionPath(_ identifier: String) throws(DBusError) -> ObjectPath {
        try suggestions.appending(identifier)
    }

    /// The parent of all objects of suggestions.
    private static let suggestions = checked { () throws(DBusError) in try root.appending("suggestion") }

    /// The object of an activity. It is not below ``root``: what apps do is not announced.
    ///
    /// - Throws: ``DBusError`` with the name `…InvalidArgs` when the identifier has other characters than letters,
    ///   digits and underscores.
    public static func activityPath(_ identifier: String) throws(DBusError) -> ObjectPath {
        try checked { () throws(DBusError) in
            try ObjectPath("/" + prefix.replacing(".", with: "/") + "/Activity1")
        }.appending(identifier)
    }

    /// The object on which apps that link `HunchKit` serve ``activityDelegate``.
    public static let activityDelegatePath: ObjectPath = checked { () throws(DBusError) in
        try ObjectPath("/" + prefix.replacing(".", with: "/") + "/ActivityDelegate1")
    }

    /// The full name of an error of Hunch's own: `org.hunch.Error.…`.
    public static func error(_ name: String) -> DBusError.Name {
        DBusError.Name(rawValue: prefix + ".Error." + name)
    }

    private static func interface(_ name: String) -> InterfaceName {
        checked { () throws(DBusError) in try InterfaceName(prefix + "." + name) }
    }

    private static func checked<Name>(_ make: () throws(DBusError) -> Name) -> Name {
        do { return try make() } catch { preconditionFailure("\(error)") }
    }
}

public import HunchDBus
public import HunchModel

/// The names of Hunch on the bus, all made from one prefix.
public enum HunchNames {
    /// The reverse-DNS prefix. The files under `Systemd` and `Interfaces` repeat it.
    public static let prefix = "org.hunch"

    /// The agent's well-known name.
    public static let agent: BusName = checked { () throws(DBusError) in try BusName(prefix + ".Agent1") }
    /// The name of the suggestion as a paused player.
    public static let card: BusName = "org.mpris.MediaPlayer2.hunch"
    /// The agent's root object, an object manager.
    public static let root: ObjectPath = checked { () throws(DBusError) in
        try ObjectPath("/" + prefix.replacing(".", with: "/") + "/Agent1")
    }

    /// The agent as a whole: `Enable`, `Disable`, `Status`.
    public static let agentInterface = interface("Agent1")
    /// Directions and geocoding.
    public static let directions = interface("Directions1")
    /// Players, devices, and simulated suggestions.
    public static let media = interface("Media1")
    /// The user's stored data, and how to delete it.
    public static let privacy = interface("Privacy1")
    /// Donations from apps.
    public static let donations = interface("Donations1")
    /// Activities of apps.
    public static let activities = interface("Activities1")
    /// One activity, for the app that created it.
    public static let activity = interface("Activity1")
    /// The delegate with which an app saves its activities when Hunch needs them. Served by apps.
    public static let activityDelegate = interface("ActivityDelegate1")
    /// The interface with which an app continues an activity. Served by apps.
    public static let continueActivity = interface("ContinueActivity1")
    /// The events of the user's calendars, and the reservations of pages and files.
    public static let calendar = interface("Calendar1")
    /// The content of apps that people can find.
    public static let index = interface("Index1")
    /// The interface with which an app indexes its content again. Served by apps.
    public static let indexDelegate = interface("IndexDelegate1")
    /// One search for content of apps.
    public static let search = interface("Search1")
    /// One suggestion.
    public static let suggestion = interface("Suggestion1")
    /// The playable content of an app. Served by apps.
    public static let playableContent = interface("PlayableContent1")

    /// The well-known name of the online geocoder.
    public static let onlineGeocoder: BusName = checked { () throws(DBusError) in
        try BusName(prefix + ".OnlineGeocoder1")
    }
    /// The online geocoder's only object.
    public static let onlineGeocoderPath: ObjectPath = checked { () throws(DBusError) in
        try ObjectPath("/" + prefix.replacing(".", with: "/") + "/OnlineGeocoder1")
    }
    /// The online geocoder's interface.
    public static let onlineGeocoderInterface = interface("OnlineGeocoder1")

    /// The well-known name of the calendar reader.
    public static let calendarReader: BusName = checked { () throws(DBusError) in
        try BusName(prefix + ".CalendarReader1")
    }
    /// The calendar reader's only object.
    public static let calendarReaderPath: ObjectPath = checked { () throws(DBusError) in
        try ObjectPath("/" + prefix.replacing(".", with: "/") + "/CalendarReader1")
    }
    /// The calendar reader's interface.
    public static let calendarReaderInterface = interface("CalendarReader1")

    /// The desktop identifier of Hunch's own entry, by which desktops group its notifications.
    public static let desktopEntry = prefix + ".Hunch"

    /// The desktop identifier of the window.
    public static let settingsEntry: AppID = AppID(prefix + ".Settings")

    /// The key of desktop entries with which an app declares that it continues searches.
    public static let continuesSearchKey = "X-Hunch-ContinuesSearch"

    /// The version of every interface, as in the property `Version`.
    public static let version: UInt32 = 1

    /// Returns the object path of a suggestion.
    ///
    /// - Throws: ``DBusError`` `…InvalidArgs` if the identifier has characters other than letters, digits and
    ///   underscores.
    public static func suggestionPath(_ identifier: String) throws(DBusError) -> ObjectPath {
        try suggestions.appending(identifier)
    }

    /// The parent path of all suggestions.
    private static let suggestions = checked { () throws(DBusError) in try root.appending("suggestion") }

    /// Returns the object path of an activity. It is not below ``root``, so the object manager hides it.
    ///
    /// - Throws: ``DBusError`` `…InvalidArgs` if the identifier has characters other than letters, digits and
    ///   underscores.
    public static func activityPath(_ identifier: String) throws(DBusError) -> ObjectPath {
        try checked { () throws(DBusError) in
            try ObjectPath("/" + prefix.replacing(".", with: "/") + "/Activity1")
        }.appending(identifier)
    }

    /// Returns the object path of a search. It is outside ``root``, like activities: only its caller may know of it.
    ///
    /// - Throws: ``DBusError`` if the identifier cannot be part of a path.
    public static func searchPath(_ identifier: String) throws(DBusError) -> ObjectPath {
        try checked { () throws(DBusError) in
            try ObjectPath("/" + prefix.replacing(".", with: "/") + "/Search1")
        }.appending(identifier)
    }

    /// The object path at which apps that link `HunchKit` serve ``activityDelegate``.
    public static let activityDelegatePath: ObjectPath = checked { () throws(DBusError) in
        try ObjectPath("/" + prefix.replacing(".", with: "/") + "/ActivityDelegate1")
    }

    /// Returns the full name of one of Hunch's own errors: `org.hunch.Error.…`.
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

extension UserSetting {
    /// The name of its property in `org.hunch.Privacy1`: its own with a capital letter.
    public var property: MemberName { MemberName(unchecked: rawValue.withCapital) }
}

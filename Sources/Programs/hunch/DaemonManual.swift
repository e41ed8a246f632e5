import CommandSupport
import AgentInterface

/// The manual page hunchd(8) in the macros of man(7).
enum DaemonManual {
    /// The complete page.
    static var text: String {
        """
        .TH HUNCHD 8 "" "Hunch \(ManualPage.escaped(HunchVersion.text))" "System Manager's Manual"
        .SH NAME
        hunchd \\- the agent of Hunch
        .SH SYNOPSIS
        .B hunchd
        .RB [ \\-\\-help | \\-\\-version ]
        .SH DESCRIPTION
        The agent of Hunch runs once in each session. It watches devices, media players and the activities of apps, and
        suggests what the person most likely wants next. Before
        .BR "hunch enable" ,
        it watches and records nothing and only answers calls.
        .PP
        It is started by the first call to
        .B \(HunchNames.agent)
        on the session bus and, after
        .BR "hunch enable" ,
        by the user's service manager at every login. Without a service manager, an entry in
        .I ~/.config/autostart
        starts it at login. A second agent on the same bus exits at once with status 3.
        .SH OPTIONS
        .TP
        .B \\-\\-help
        Print the usage.
        .TP
        .B \\-\\-version
        Print the version.
        .SH UNIT
        .I hunchd.service
        is a user unit of the type notify. systemd restarts it if it fails.
        .PP
        .RS
        .nf
        systemctl \\-\\-user status hunchd.service
        journalctl \\-\\-user \\-u hunchd.service
        .fi
        .RE
        .PP
        The unit runs the agent in a sandbox without network access. Without a user manager, the bus starts the agent itself,
        without this sandbox.
        .SH D-BUS
        On the session bus it owns
        .B \(HunchNames.agent)
        and serves
        .BR \(HunchNames.agentInterface) ,
        .BR \(HunchNames.media) ,
        .BR \(HunchNames.directions) ,
        .BR \(HunchNames.donations) ,
        .BR \(HunchNames.activities) ,
        .B \(HunchNames.calendar)
        and
        .B \(HunchNames.privacy)
        at
        .IR \(HunchNames.root) ,
        and each suggestion
        .RB ( \(HunchNames.suggestion) )
        below it. Each activity has an object of its own for the app that reported it. While a suggestion can be played and no
        other player is active, the agent also owns
        .BR org.mpris.MediaPlayer2.hunch .
        The files in
        .I share/dbus\\-1/interfaces
        document every member of the interfaces.
        .PP
        If the person allowed it to read calendars, it starts
        .BR hunch\\-calendar ,
        which reads them for it.
        .PP
        On the system bus it follows BlueZ, logind, UPower and, if the person allowed it, GeoClue.
        .SH SIGNALS
        .TP
        .BR SIGTERM ", " SIGINT ", " SIGHUP
        End the agent in order: suggestions are withdrawn, and everything recorded is on disk.
        .SH EXIT STATUS
        .TP
        .B 0
        The agent ended in order.
        .TP
        .B 2
        The arguments or a setting in the environment were invalid.
        .TP
        .B 3
        The agent could not run. Standard error has the reason: there is no session bus, another agent owns the name, or the
        history cannot be used.
        .SH ENVIRONMENT
        .TP
        .B HUNCH_LOG
        The lowest level that is logged to standard error: trace, debug, info, notice (the default), warning, error or
        critical. Only problems are logged, as warnings, without titles, places and addresses.
        .TP
        .B HUNCH_PREPARE_SECONDS
        The time limit for apps to prepare media: 0.1 to 10 seconds, 2 by default.
        .TP
        .BR XDG_STATE_HOME ", " XDG_CACHE_HOME ", " XDG_CONFIG_HOME ", " XDG_DATA_HOME ", " XDG_DATA_DIRS ", " XDG_RUNTIME_DIR
        The folders of files and sockets.
        .TP
        .BR DBUS_SESSION_BUS_ADDRESS ", " DBUS_SYSTEM_BUS_ADDRESS
        The addresses of the buses.
        .TP
        .B PULSE_SERVER
        The address of the audio server, as libpulse expects it.
        .TP
        .BR LC_ALL ", " LC_MESSAGES ", " LANG
        The language of the names of apps.
        .SH FILES
        .TP
        .I ~/.local/state/hunch/history.sqlite
        The history and the settings, readable only by the user.
        .TP
        .I ~/.cache/hunch
        Pictures of suggestions, and other files that can be recreated.
        .TP
        .I ~/.local/share/hunch
        The gazetteer, and the user's own coverage files in the folder
        .IR regions .
        .TP
        .I share/hunch/regions
        Coverage files that were installed with Hunch.
        .SH SEE ALSO
        .BR hunch (1),
        .BR systemctl (1),
        .BR journalctl (1),
        .BR dbus\\-daemon (1)

        """
    }
}

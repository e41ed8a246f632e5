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
        The agent of Hunch runs once in a person's session. It watches what is connected, what plays and what apps tell,
        and offers what the person most likely wants next. Before
        .B hunch enable
        it watches and records nothing, and answers calls only.
        .PP
        Nobody starts it by hand: the first call of
        .B \(HunchNames.agent)
        on the session bus does, and after
        .B hunch enable
        the person's service manager at every login. A second agent on a bus ends at once, with the exit status 3.
        .SH OPTIONS
        .TP
        .B \\-\\-help
        Tells of the usage.
        .TP
        .B \\-\\-version
        Tells the version.
        .SH UNIT
        .I hunchd.service
        is a unit of the user manager, of the type notify, and is started again when it fails.
        .PP
        .RS
        .nf
        systemctl \\-\\-user status hunchd.service
        journalctl \\-\\-user \\-u hunchd.service
        .fi
        .RE
        .PP
        The unit takes the network and much else away from the agent. Without a user manager, the bus starts the agent by
        itself, and there is no such sandbox.
        .SH D-BUS
        On the session bus it owns
        .B \(HunchNames.agent)
        and serves
        .BR \(HunchNames.agentInterface) ,
        .BR \(HunchNames.media) ,
        .BR \(HunchNames.directions) ,
        .BR \(HunchNames.donations) ,
        .B \(HunchNames.activities)
        and
        .B \(HunchNames.privacy)
        at
        .IR \(HunchNames.root) ,
        and each suggestion
        .RB ( \(HunchNames.suggestion) )
        below it; each activity is on an object of its own, for the app that made it. While something to play is offered and no other player is active, it also owns
        .BR org.mpris.MediaPlayer2.hunch .
        The interfaces are described, member by member, in
        .I share/dbus\\-1/interfaces
        where Hunch is installed.
        .PP
        On the system bus it follows BlueZ, logind, UPower and, where the person allowed that, GeoClue.
        .SH SIGNALS
        .TP
        .BR SIGTERM ", " SIGINT ", " SIGHUP
        End it in order: suggestions are taken back, and what was told is on disk.
        .SH EXIT STATUS
        .TP
        .B 0
        It ended in order.
        .TP
        .B 2
        The usage or a setting in the environment was wrong.
        .TP
        .B 3
        It could not run, for the reason that it gave on standard error: there is no session bus, another agent has the name,
        or the history cannot be used.
        .SH ENVIRONMENT
        .TP
        .B HUNCH_LOG
        The least level that is logged on standard error: trace, debug, info, notice (the default), warning, error or
        critical. What goes wrong is logged as a warning, and nothing else; titles, places and addresses are not.
        .TP
        .B HUNCH_PREPARE_SECONDS
        How long apps may take to prepare what they would play: 0.1 to 10 seconds, 2 by default.
        .TP
        .BR XDG_STATE_HOME ", " XDG_CACHE_HOME ", " XDG_CONFIG_HOME ", " XDG_DATA_HOME ", " XDG_DATA_DIRS ", " XDG_RUNTIME_DIR
        Where files and sockets are looked for and kept.
        .TP
        .BR DBUS_SESSION_BUS_ADDRESS ", " DBUS_SYSTEM_BUS_ADDRESS
        Where the buses are.
        .TP
        .B PULSE_SERVER
        Where the audio server is, in the notation of libpulse.
        .TP
        .BR LC_ALL ", " LC_MESSAGES ", " LANG
        The language of the names of apps.
        .SH FILES
        .TP
        .I ~/.local/state/hunch/history.sqlite
        What is recorded, and what was set by command; for the person alone.
        .TP
        .I ~/.cache/hunch
        Pictures of what was offered, and what else can be made again.
        .TP
        .I ~/.local/share/hunch
        The gazetteer, and the person's own coverage files in the folder
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

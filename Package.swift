// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    // HunchModel hides conversions that trap, and cuts of text that take for ever, behind deprecated declarations.
    .treatWarning("DeprecatedDeclaration", as: .error),
]

/// For modules in which tests compute for minutes: their debug builds are optimised, too. Assertions stay.
let hot = settings + [.unsafeFlags(["-O", "-assert-config", "Debug"], .when(configuration: .debug))]

/// For modules whose speed nobody notices: code for size makes the installation 1 MB smaller.
let small = settings + [.unsafeFlags(["-Osize"], .when(configuration: .release))]

/// A product of another package, which only the programs need: a package that depends on HunchKit leaves out the trait,
/// and fetches nothing but Hunch.
func product(_ name: String, package: String) -> Target.Dependency {
    .product(name: name, package: package, condition: .when(traits: ["Programs"]))
}

let grdb = product("GRDB", package: "GRDB.swift")
let sqlite = product("GRDBSQLite", package: "GRDB.swift")
let argumentParser = product("ArgumentParser", package: "swift-argument-parser")
let subprocess = product("Subprocess", package: "swift-subprocess")
let systemPackage = product("SystemPackage", package: "swift-system")
let logging = product("Logging", package: "swift-log")

/// The storeys of `Sources`, the highest first. A module uses modules of its own storey and of those below it.
let storeys: KeyValuePairs = [
    "Programs": [
        "hunchd", "hunch", "hunch-dev", "hunch-settings", "hunch-browser", "hunch-calendar", "hunch-geocoder-online",
        "hunch-aggregator", "PlaceCommands", "CommandSupport", "CommandReports", "SettingsPages", "Browsers",
        "Calendars",
        "OnlineGeocoder",
        "PlaceFiles", "GazetteerImport", "TransitFeed", "Trace",
    ],
    "Kit": ["HunchKit"],
    "Features": ["Services", "DirectionServices", "SearchServices", "Media", "Activities", "Appointments"],
    "Agent": ["Agent"],
    "Desktop": ["Triggers", "Players", "Apps", "Directions", "Surfaces", "Learning"],
    "Knowledge": [
        "Coordinates", "JourneyWords", "MapLinks", "Places", "Geocoding", "Gazetteers", "Regions", "HTML", "Markup",
        "PersonalStores", "History", "HistoryExport",
        "Prediction",
        "FullText", "SearchIndexes", "Queries",
        "Popularity", "Suggestions",
    ],
    "Base": [
        "HunchModel", "TextEncodings", "DesktopFiles", "DataFiles", "AgentInterface", "DBusValues", "HunchDBus",
        "EventLoops", "Localization",
        "JSON", "XML", "BulkFiles",
        "Files", "Databases",
    ],
    "System": [
        "CAdwaita", "CBuild", "CCurl", "CDBus", "CExpat", "CGEOS", "CICal", "CLandlock", "CLinux", "CMalloc",
        "CPulse", "CStemmer", "CZlib",
    ],
]

/// Returns the folder of a module below `Sources`, or of its tests below `Tests`: its storey and its own.
func folder(of module: String) -> String {
    let storey = storeys.first { $0.value.contains(module) }?.key
    return "\(storey ?? "Whole")/\(module)"
}

func system(_ name: String, pkgConfig: String? = nil, package: String? = nil) -> Target {
    .systemLibrary(
        name: name, path: "Sources/\(folder(of: name))", pkgConfig: pkgConfig, providers: package.map { [.apt([$0])] })
}

func module(
    _ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = [], data: [String] = [],
    settings: [SwiftSetting] = settings
) -> Target {
    .target(
        name: name, dependencies: dependencies, path: "Sources/\(folder(of: name))", exclude: exclude,
        resources: data.map { .embedInCode($0) },
        swiftSettings: settings)
}

func program(
    _ name: String, _ dependencies: [Target.Dependency], path: String? = nil, exclude: [String] = [],
    settings: [SwiftSetting] = settings
) -> Target {
    // Programs next to the tests are written as those of other packages are, and see nothing that is for this one
    // alone.
    .executableTarget(
        name: name, dependencies: dependencies, path: path ?? "Sources/\(folder(of: name))", exclude: exclude,
        packageAccess: path == nil,
        swiftSettings: settings)
}

/// The tests of a module, or of the whole.
func tests(
    _ name: String, _ dependencies: [Target.Dependency], path: String? = nil, exclude: [String] = [],
    packageAccess: Bool = false
) -> Target {
    let tested = folder(of: String(name.dropLast("Tests".count)))
    return .testTarget(
        name: name, dependencies: dependencies + ["SeededRandom", "TestSupport"],
        path: path ?? "Tests/\(tested)Tests", exclude: exclude, packageAccess: packageAccess, swiftSettings: settings)
}

let package = Package(
    name: "hunch",
    products: [
        .library(name: "HunchDBus", targets: ["HunchDBus", "EventLoops"]),
        .library(name: "HunchModel", targets: ["HunchModel"]),
        .library(name: "HunchKit", targets: ["HunchKit", "EventLoops"]),
        .executable(name: "hunch", targets: ["hunch"]),
        .executable(name: "hunch-dev", targets: ["hunch-dev"]),
        .executable(name: "hunchd", targets: ["hunchd"]),
        .executable(name: "hunch-settings", targets: ["hunch-settings"]),
        .executable(name: "hunch-browser", targets: ["hunch-browser"]),
        .executable(name: "hunch-geocoder-online", targets: ["hunch-geocoder-online"]),
        .executable(name: "hunch-calendar", targets: ["hunch-calendar"]),
        .executable(name: "hunch-aggregator", targets: ["hunch-aggregator"]),
    ],
    traits: [
        .trait(name: "Programs", description: "The agent and the programs; without it, the libraries alone."),
        .default(enabledTraits: ["Programs"]),
    ],
    dependencies: [
        // The store and the gazetteer: SQLite with migrations and WAL behind a tested interface.
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        // The command line: parsing, help and shell completion.
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        // The logging interface that the Swift server community shares; the agent installs the backend.
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        // Starts real components in tests and commands from the window, with signal mask and descriptors reset (Foundation's
        // Process resets neither).
        .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2"),
        // File paths and descriptors in swift-subprocess's interface.
        .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
    ],
    targets: [
        system("CDBus", pkgConfig: "dbus-1", package: "libdbus-1-dev"),
        system("CGEOS", package: "libgeos-dev"),
        // The commit for `--version`. `make release` names it; other builds have none, so that they are not linked again.
        .target(
            name: "CBuild", path: "Sources/System/CBuild",
            cSettings: [.define("HUNCH_COMMIT", to: "\"\(Context.environment["HUNCH_COMMIT"] ?? "")\"")]),
        // Of glibc itself; Swift's module of it leaves these headers out.
        system("CMalloc"),
        system("CLinux"),
        // The kernel's, for which glibc has no functions.
        system("CLandlock"),
        // Asks web servers: the online geocoder's alone.
        system("CCurl", pkgConfig: "libcurl", package: "libcurl4-openssl-dev"),
        // Unpacks what is published packed.
        system("CZlib", pkgConfig: "zlib", package: "zlib1g-dev"),
        // Reduces words to their stems, for the search index: Snowball's algorithms for 28 languages.
        system("CStemmer", package: "libstemmer-dev"),
        // Reads XML in pieces and with a fault's line.
        system("CExpat", pkgConfig: "expat", package: "libexpat1-dev"),
        // Reads calendars and expands their series: for the calendar reader alone, since the library maps 30 MB of ICU's data.
        system("CICal", pkgConfig: "libical", package: "libical-dev"),
        // Reports audio outputs, for headphones and speakers.
        system("CPulse", package: "libpulse-dev"),
        // The window's toolkit. There is no Swift library for the versions in Debian 12 (GTK 4.8, libadwaita 1.2): those that
        // exist need libadwaita 1.4 or later.
        system("CAdwaita", pkgConfig: "libadwaita-1", package: "libadwaita-1-dev"),
        // For the sample player alone.
        .systemLibrary(
            name: "CGStreamer", path: "Tests/Support/CGStreamer", providers: [.apt(["libgstreamer1.0-dev"])]),

        module("Localization", ["CLinux"], exclude: ["Catalogue"]),
        module("HunchModel", ["Localization"]),
        // Texts in any encoding.
        module("TextEncodings", ["HunchModel"]),
        // Desktop entries, and the settings of GNOME and KDE.
        module("DesktopFiles", ["HunchModel"]),
        // Facts about other programs and services, in files that the user may extend.
        module(
            "DataFiles", ["DesktopFiles", "HunchModel", "Localization"],
            data: [
                "Data/notification-servers.conf", "Data/players.conf", "Data/streaming-services.conf",
                "Data/video-calls.conf",
            ]),
        module("Files"),
        module("JSON", ["HunchModel", "Localization"], settings: hot),
        module("EventLoops", ["CLinux", "CMalloc"]),
        // The values, names and errors of D-Bus, without libdbus.
        module("DBusValues"),
        module("HunchDBus", ["DBusValues", "EventLoops", "CDBus"]),
        module("Regions", ["CGEOS", "JSON", "HunchModel", "Localization"], settings: hot),
        // Numbers, notations, grids and codes that mean a position, for links and for texts alike.
        module("Coordinates", ["HunchModel", "Localization"], settings: hot),
        // The words of requests: times, travel modes, ends of routes and kinds of places.
        module(
            "JourneyWords", ["HunchModel", "Localization"],
            data: ["Data/categories.txt", "Data/names.txt", "Data/requests.txt"], settings: hot),
        // The links of map apps and web maps: their syntax, and a rule or a form for each publisher.
        module(
            "MapLinks", ["Coordinates", "JourneyWords", "HunchModel", "Localization"],
            data: ["Data/links.txt", "Data/zones.txt"], settings: hot),
        // Parses any input to a place: by the rules for links, and by its own for notations, texts and cards.
        module(
            "Places",
            ["DataFiles", "Coordinates", "JourneyWords", "MapLinks", "TextEncodings", "HunchModel", "Localization"],
            settings: hot),
        // Finds the place of a text: the interface of geocoders, and the chain that asks them one after the other.
        module(
            "Geocoding",
            ["DataFiles", "Coordinates", "JourneyWords", "MapLinks", "Places", "HunchModel", "Localization"],
            settings: hot),
        // What the two modules with databases share.
        module("Databases", [grdb]),
        module(
            "Gazetteers",
            [
                grdb, sqlite, "Databases", "Coordinates", "JourneyWords", "Geocoding", "Files", "HunchModel",
                "Localization",
            ], settings: hot),
        module("Queries", ["HunchModel", "Localization"], settings: small),
        module("Popularity", ["Files", "HunchModel"], settings: small),
        // The tokenizer and the functions that the search index adds to SQLite.
        module("FullText", [grdb, sqlite, "CStemmer", "Queries", "HunchModel"], settings: hot),
        module(
            "SearchIndexes",
            [
                grdb, sqlite, "FullText", "Databases", "Places", "Popularity", "Queries", "JSON", "HunchModel",
                "Localization",
            ], settings: hot),
        module("XML", ["CExpat", "TextEncodings", "HunchModel"], settings: hot),
        module("BulkFiles", ["CZlib", "HunchModel", "Localization"]),
        module(
            "GazetteerImport",
            [
                grdb, sqlite, "BulkFiles", "XML", "Gazetteers", "JourneyWords", "Geocoding", "JSON", "HunchModel",
                "Localization",
            ],
            exclude: ["Data"], settings: hot),
        module("TransitFeed", ["BulkFiles", "HunchModel"], settings: hot),
        // Any page as a tree of elements, in linear time.
        module("HTML", ["TextEncodings", "HunchModel"], settings: small),
        module(
            "Markup", ["DataFiles", "HTML", "JSON", "TextEncodings", "HunchModel", "Localization"], settings: small),
        module("Browsers", ["Markup", "MapLinks", "Places", "Files", "HunchModel", "Localization"], settings: small),
        module(
            "PlaceFiles",
            [
                "BulkFiles", "XML", "HTML", "Markup", "Coordinates", "MapLinks", "Places", "Files", "TextEncodings",
                "HunchModel",
                "Localization",
            ],
            settings: small),
        module(
            "Apps",
            ["DataFiles", "HunchDBus", "EventLoops", "DesktopFiles", "HunchModel", "Localization", "CLinux"]),
        module("Activities", ["AgentInterface", "History", "HunchDBus", "HunchModel"]),
        module(
            "Directions",
            [
                "Apps", "Coordinates", "JourneyWords", "MapLinks", "Places", "Geocoding", "Prediction", "Regions",
                "JSON", "Files",
                "DesktopFiles", "HunchModel",
                "Localization",
            ],
            data: ["Data/countries.geojson", "Data/use.txt"]),
        // What all stores of personal data have in common.
        module("PersonalStores", ["HunchModel", "Localization"]),
        module("History", [grdb, "PersonalStores", "Databases", "Places", "Files", "HunchModel", "Localization"]),
        // The history as lines of JSON, out and in again.
        module("HistoryExport", [grdb, "History", "HunchModel", "Localization"]),
        module("Prediction", ["HunchModel", "Localization"], settings: hot),
        module("Suggestions", ["HunchModel"]),
        module("Triggers", ["XML", "HunchDBus", "EventLoops", "CPulse", "HunchModel"]),
        module(
            "Learning",
            [
                "Triggers", "PersonalStores", "History", "Prediction", "AgentInterface", "HunchDBus", "EventLoops",
                "HunchModel", "Localization", "CLinux",
            ]),
        module(
            "Players",
            [
                "DataFiles",
                "Triggers", "Suggestions", "AgentInterface", "HunchDBus", "EventLoops", "Files", "HunchModel",
                "Localization",
            ]),
        module(
            "Media",
            [
                "Players", "Learning", "Triggers", "Suggestions", "History", "Prediction", "AgentInterface",
                "HunchDBus",
                "EventLoops", "Files",
                "HunchModel", "Localization",
            ]),
        module(
            "Trace",
            [
                "Media", "Players", "Learning", "Triggers", "Suggestions", "Surfaces", "History", "Prediction",
                "AgentInterface", "HunchDBus", "EventLoops", "HunchModel",
            ], settings: small),
        module("Surfaces", ["DataFiles", "HunchDBus", "EventLoops", "HunchModel", "Localization"]),
        module(
            "AgentInterface", ["CBuild", "HunchDBus", "DesktopFiles", "HunchModel", "Localization"],
            exclude: ["Interfaces"]),
        module(
            "Agent",
            [
                "Learning", "Triggers", "Directions", "Apps", "Suggestions", "Surfaces", "PersonalStores", "History",
                "HistoryExport",
                "Coordinates",
                "Places", "Geocoding",
                "Regions",
                "AgentInterface", "HunchDBus", "EventLoops", "DesktopFiles", "HunchModel", "Localization", "CLandlock",
                logging,
            ]),
        // The features of the agent, a folder for each.
        module(
            "DirectionServices",
            [
                "Agent", "Media", "Learning", "Directions", "Apps", "Gazetteers", "Places", "Geocoding", "Regions",
                "Suggestions", "Surfaces", "History", "Prediction", "AgentInterface", "HunchDBus", "EventLoops",
                "DesktopFiles", "HunchModel", "Localization",
            ]),
        module(
            "Appointments",
            [
                "DirectionServices", "Agent", "Learning", "Directions", "Geocoding", "Suggestions", "Surfaces",
                "History",
                "AgentInterface", "HunchDBus", "EventLoops", "HunchModel", "Localization",
            ]),
        module(
            "SearchServices",
            [
                "DirectionServices", "Agent", "Activities", "Learning", "Triggers", "Apps", "Suggestions", "Surfaces",
                "PersonalStores", "History", "SearchIndexes", "Popularity", "Queries", "Prediction", "AgentInterface",
                "HunchDBus",
                "EventLoops", "Files", "DesktopFiles", "HunchModel", "Localization",
            ]),
        module(
            "Services",
            [
                "DirectionServices", "SearchServices", "Agent", "Players", "Media", "Activities", "Appointments",
                "Learning",
                "Triggers", "Directions", "Apps", "Places", "Suggestions", "Surfaces", "History", "Prediction",
                "AgentInterface", "HunchDBus", "EventLoops", "DataFiles", "DesktopFiles", "HunchModel", "Localization",
            ]),
        module("HunchKit", ["AgentInterface", "HunchDBus", "EventLoops", "HunchModel"]),
        module(
            "OnlineGeocoder",
            [
                "Apps", "AgentInterface", "HunchDBus", "EventLoops", "Files", "DesktopFiles", "HunchModel",
                "Localization", "CCurl",
            ]),
        module(
            "Calendars",
            [
                "DataFiles",
                "AgentInterface", "HunchDBus", "EventLoops", "JourneyWords", "MapLinks", "Places", "DesktopFiles",
                "TextEncodings", "HunchModel",
                "Localization",
                "CICal", "CMalloc",
            ],
            settings: small),
        // What commands share: output, errors, input, help, the connection to the agent, names of apps and devices.
        module(
            "CommandSupport",
            [
                "HunchKit", "AgentInterface", "HunchDBus", "EventLoops", "Directions", "Apps", "SearchIndexes",
                "Coordinates", "JourneyWords", "Geocoding", "BulkFiles", "Regions", "History", "HistoryExport", "Files",
                "DesktopFiles", "HunchModel",
                "Localization", argumentParser,
            ],
            settings: small),
        // The commands about places, routes, coverage and the network.
        module(
            "PlaceCommands",
            [
                "CommandSupport", "CommandReports", "HunchKit", "AgentInterface", "HunchDBus", "EventLoops",
                "Directions", "Apps", "Gazetteers", "Coordinates", "JourneyWords", "MapLinks", "Places", "Geocoding",
                "PlaceFiles",
                "GazetteerImport",
                "BulkFiles",
                "Regions",
                "Prediction", "History", "Popularity", "SearchIndexes",
                "JSON", "Files", "DesktopFiles", "HunchModel", "Localization", argumentParser,
            ],
            settings: small),
        // The JSON that commands write and the window reads.
        module("CommandReports", ["HunchModel"], settings: small),
        module(
            "SettingsPages", ["CommandReports", "Localization", "AgentInterface", "HunchModel"], settings: small),
        program(
            "hunch-settings",
            [
                "SettingsPages", "CommandReports", "HunchKit", "Localization", "AgentInterface", "HunchDBus",
                "EventLoops", "HunchModel", "CAdwaita", subprocess, systemPackage,
            ], settings: small),
        program("hunchd", ["Agent", "Services", "AgentInterface", "EventLoops", "HunchDBus", "Localization"]),
        program(
            "hunch-browser",
            ["Browsers", "HunchKit", "Localization", "AgentInterface", "HunchDBus", "EventLoops", "HunchModel"],
            settings: small),
        program(
            "hunch-dev",
            [
                "CommandSupport", "Trace", "AgentInterface", "HunchDBus", "EventLoops", "Directions", "Apps", "JSON",
                "TransitFeed", "Regions", "Prediction", "History", "HistoryExport", "Files", "DesktopFiles",
                "HunchModel",
                argumentParser,
            ], settings: small),
        program("hunch-geocoder-online", ["OnlineGeocoder"]),
        program("hunch-calendar", ["Calendars"], settings: small),
        // Runs on a server, so it needs nothing of a desktop.
        program("hunch-aggregator", ["Popularity", "HunchModel", grdb], settings: small),
        program(
            "hunch",
            [
                "DataFiles",
                "PlaceCommands", "CommandSupport", "CommandReports", "HunchKit", "AgentInterface", "HunchDBus",
                "EventLoops", "Directions",
                "Apps", "Gazetteers", "PlaceFiles", "GazetteerImport", "BulkFiles", "Browsers", "Markup",
                "Regions", "SearchIndexes", "Popularity", "Queries",
                "Prediction", "PersonalStores", "History", "HistoryExport", "JSON", "Files", "DesktopFiles",
                "HunchModel", "Localization",
                argumentParser,
            ], settings: small),

        .target(
            name: "TestSupport", dependencies: [subprocess, systemPackage, "HunchDBus", "EventLoops", "HunchModel"],
            path: "Tests/Support/TestSupport", swiftSettings: settings),
        // Beside the test bench, so that benchmarks can use it: those link no Testing.
        .target(name: "SeededRandom", path: "Tests/Support/SeededRandom", swiftSettings: settings),
        tests("PopularityTests", ["Popularity", "HunchModel", "hunch-aggregator", grdb], packageAccess: true),
        tests("QueriesTests", ["Queries"]),
        tests(
            "SearchIndexesTests", ["FullText", "SearchIndexes", "Popularity", "Queries", "JSON", "HunchModel", grdb]),
        tests("TestSupportTests", [], path: "Tests/Support/TestSupportTests"),
        // Random input for every parser: a short run in `make test`, long ones by `make fuzz`.
        .target(
            name: "Fuzzing",
            dependencies: [
                "DataFiles",
                "Agent", "Services", "AgentInterface", "Browsers", "BulkFiles", "Calendars", "CMalloc", "Directions",
                "GazetteerImport",
                "History", "HistoryExport",
                "HunchDBus", "EventLoops", "DesktopFiles", "HunchModel", "JSON", "Markup", "Media", "OnlineGeocoder",
                "PlaceFiles",
                "Players", "Coordinates", "JourneyWords", "MapLinks", "Places", "Popularity", "Queries", "Regions",
                "SearchIndexes",
                "SeededRandom",
                "Surfaces",
                "Trace", "TransitFeed",
            ], path: "Tests/Fuzz/Fuzzers", swiftSettings: settings),
        program("fuzz", ["Fuzzing"], path: "Tests/Fuzz/Driver"),
        tests("FuzzTests", ["Fuzzing", "CommandSupport", "hunch", "hunch-dev"], path: "Tests/Fuzz/FuzzTests"),
        program(
            "place-lookup", ["Directions", "GazetteerImport", "Gazetteers", "Geocoding", "HunchModel", "SeededRandom"],
            path: "Tests/Benchmarks/PlaceLookup"),
        program("dbus-echo", ["HunchDBus", "EventLoops"], path: "Tests/Benchmarks/DBusEcho"),
        program("history-fill", ["History", "HunchModel"], path: "Tests/Benchmarks/HistoryFill"),
        program(
            "prediction-logs", ["Prediction", "HunchModel", "SeededRandom"], path: "Tests/Benchmarks/PredictionLogs"),
        program("popularity-error", ["Popularity", "SeededRandom"], path: "Tests/Benchmarks/PopularityError"),
        program("media-agent", ["Agent", "Services", "HunchDBus", "EventLoops"], path: "Tests/Benchmarks/MediaAgent"),
        program(
            "activity-agent", ["Agent", "Services", "HunchDBus", "EventLoops"], path: "Tests/Benchmarks/ActivityAgent"),
        program("region-check", ["Regions", "HunchModel"], path: "Tests/Benchmarks/RegionCheck"),
        tests("PackageTests", []),
        tests("HunchModelTests", ["DesktopFiles", "TextEncodings", "HunchModel", "Localization"], packageAccess: true),
        tests("DataFilesTests", ["DataFiles", "HunchModel"]),
        tests("EventLoopsTests", ["EventLoops"]),
        tests("HunchDBusTests", ["HunchDBus", "EventLoops", "CDBus", "dbus-storm"]),
        // Storms of messages in a process of their own, whose descriptors and memory can be counted.
        program("dbus-storm", ["HunchDBus", "EventLoops", "CMalloc"], path: "Tests/Support/DBusStorm"),
        tests("JSONTests", ["JSON"]),
        tests("RegionsTests", ["Regions", "JSON", "HunchModel", "CGEOS"]),
        tests(
            "PlacesTests", ["Coordinates", "JourneyWords", "MapLinks", "Places", "Geocoding", "HunchModel"],
            exclude: ["Links"]),
        tests(
            "GazetteersTests",
            [
                "Directions", "Gazetteers", "JourneyWords", "MapLinks", "Places", "Geocoding", "GazetteerImport",
                "HunchModel", grdb,
            ]),
        tests(
            "PlaceFilesTests", ["PlaceFiles", "Coordinates", "MapLinks", "HunchModel"], exclude: ["Files"]),
        tests(
            "GazetteerImportTests",
            [
                "BulkFiles", "Directions", "GazetteerImport", "Gazetteers", "JourneyWords", "Geocoding", "HunchModel",
                grdb,
            ],
            exclude: ["Addresses"]),
        tests("BulkFilesTests", ["BulkFiles", "HunchModel"]),
        tests("TransitFeedTests", ["BulkFiles", "TransitFeed", "HunchModel"]),
        tests("OnlineGeocoderTests", ["OnlineGeocoder", "AgentInterface", "HunchModel"]),
        tests(
            "HunchCommandTests",
            [
                "PlaceCommands", "CommandSupport", "History", "HunchModel", "hunch", "hunch-browser", "hunch-dev",
                "hunch-geocoder-online",
            ], path: "Tests/Programs/HunchCommandTests"),
        tests(
            "DirectionsTests",
            [
                "Directions", "Apps", "Coordinates", "JourneyWords", "MapLinks", "Places", "Geocoding", "Prediction",
                "Regions",
                "JSON",
                "DesktopFiles", "HunchModel",
            ],
            exclude: ["Requests"]),
        program("HistoryProbe", ["History", "HunchModel"], path: "Tests/Support/HistoryProbe"),
        tests("ActivitiesTests", ["Activities", "HunchDBus", "HunchModel"], packageAccess: true),
        tests("AppsTests", ["DataFiles", "Apps", "DesktopFiles", "HunchDBus", "EventLoops", "HunchModel"]),
        tests("AppointmentsTests", ["Appointments", "Suggestions", "HunchModel"], packageAccess: true),
        tests("CalendarsTests", ["Calendars", "EventLoops", "HunchModel"], packageAccess: true),
        tests("HistoryTests", ["PersonalStores", "History", "HistoryExport", "HistoryProbe", "HunchModel", grdb]),
        tests("PredictionTests", ["Prediction", "HunchModel"]),
        tests("SuggestionsTests", ["Suggestions", "HunchModel"]),
        tests("TriggersTests", ["Triggers", "HunchDBus", "EventLoops", "HunchModel", "trigger-probe"]),
        // The trigger monitor in a process of its own, whose wake-ups can be counted.
        program(
            "trigger-probe", ["Triggers", "HunchDBus", "EventLoops", "HunchModel"], path: "Tests/Support/TriggerProbe"),
        tests(
            "MediaTests",
            [
                "History", "Learning", "Prediction", "Suggestions", "Triggers", "Players", "Media", "AgentInterface",
                "HunchKit", "HunchDBus", "EventLoops", "HunchModel", "playable-app",
            ]),
        tests("LocalizationTests", ["Localization"]),
        tests("MarkupTests", ["HTML", "Markup", "JSON"]),
        tests("BrowsersTests", ["Browsers", "HunchModel"], packageAccess: true),
        tests(
            "SettingsPagesTests",
            ["CommandReports", "SettingsPages", "AgentInterface", "HunchDBus", "HunchModel", "Localization"]),
        tests("SurfacesTests", ["Surfaces", "HunchDBus", "EventLoops", "HunchModel"]),
        tests(
            "EndToEndTests",
            [
                "hunch", "hunchd", "hunch-browser", "hunch-calendar", "hunch-dev", "hunch-settings", "activity-app",
                "notes-app",
                "HunchDBus",
                "EventLoops",
                "Localization",
            ], exclude: ["Files"]),
        tests(
            "AgentTests",
            [
                "Agent", "Services", "SearchServices", "AgentInterface", "Apps", "Directions", "PersonalStores",
                "History",
                "HunchKit", "HunchDBus", "EventLoops", "DesktopFiles", "HunchModel", "Media", "Players",
                "Learning", "Popularity", "SearchIndexes", "Suggestions", "Triggers",
                "hunchd", "hunch", "hunch-aggregator", "hunch-calendar", "hunch-dev", "hunch-geocoder-online",
                "playable-app", "screen-app",
                "guide-app",
                "activity-guide-app", "content-guide-app", "index-guide-app",
                "sample-player", grdb,
            ]),
        tests(
            "TraceTests", ["Trace", "Triggers", "HunchDBus", "EventLoops", "HunchModel", "hunch-dev"],
            exclude: ["Traces"]),
        // A whole player of a folder of music: how an app takes part that has content to play.
        program(
            "sample-player", ["CGStreamer", "HunchKit", "HunchDBus", "HunchModel"], path: "Tests/Apps/SamplePlayer",
            exclude: ["org.example.Player.desktop"]),
        // The Swift code of the guides for app developers, whole.
        program("guide-app", ["HunchKit", "HunchDBus", "HunchModel"], path: "Tests/Apps/GuideApp"),
        program("content-guide-app", ["HunchKit", "HunchDBus", "HunchModel"], path: "Tests/Apps/ContentGuideApp"),
        program("index-guide-app", ["HunchKit", "HunchDBus", "HunchModel"], path: "Tests/Apps/IndexGuideApp"),
        program("activity-guide-app", ["HunchKit", "HunchDBus", "HunchModel"], path: "Tests/Apps/ActivityGuideApp"),
        // An app with notes that Hunch finds, in a process of its own.
        program("notes-app", ["HunchKit", "HunchDBus", "HunchModel"], path: "Tests/Apps/NotesApp"),
        // An app that has a place on the screen, in a process of its own.
        program("activity-app", ["HunchKit", "HunchDBus", "HunchModel"], path: "Tests/Apps/ActivityApp"),
        // An app that tells what is on its screen, in a process of its own.
        program("screen-app", ["AgentInterface", "HunchDBus", "EventLoops"], path: "Tests/Apps/ScreenApp"),
        // An app that offers playable content over D-Bus, in a process of its own.
        program("playable-app", ["HunchKit", "HunchDBus", "HunchModel"], path: "Tests/Apps/PlayableApp"),
    ]
)

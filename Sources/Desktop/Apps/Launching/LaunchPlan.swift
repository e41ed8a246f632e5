internal import DataFiles
package import DesktopFiles
internal import FoundationEssentials
internal import Glibc
package import HunchDBus
package import HunchModel
internal import Localization

/// A plan for launching an app from its desktop entry. Creating one reads files.
package struct LaunchPlan: Sendable {
    /// The longest URI, in bytes.
    package static let uriLimit = 64 << 10
    /// The longest activation token, in bytes.
    static let tokenLimit = 4_096

    /// The D-Bus service of an app.
    package struct Service: Hashable, Sendable {
        package let name: BusName
        package let path: ObjectPath
    }

    /// A program to start.
    package struct Program: Hashable, Sendable {
        /// Absolute path of the program.
        package let path: String
        /// The arguments, the program's own name first.
        package let arguments: [String]
        /// The working directory; `nil` for the home directory.
        package let directory: String?
    }

    /// The desktop identifier of the app, or a substitute.
    package let identifier: AppID
    /// The name of the app for people.
    package let name: String
    /// The desktop entry's file.
    let file: String?
    /// The URIs to open.
    let uris: [String]
    /// The service if the app can be activated over D-Bus.
    let service: Service?
    /// The program if the app can be started by its command.
    package let program: Program?

    /// Creates the plan for opening directions in their app. A web service opens in the default browser, or else with
    /// `xdg-open`.
    ///
    /// - Throws: ``LaunchError``.
    package init(
        _ launch: DirectionsLaunch, installed: InstalledApps, defaults: DefaultApps
    ) throws(LaunchError) {
        if let app = launch.desktopID ?? defaults.handler(for: "x-scheme-handler/https") {
            try self.init(app: app, uri: launch.uri, installed: installed)
            return
        }
        try self.init(
            withOpener: launch.uri, installed,
            orElse: localized("nothing opens web links; install a browser and choose it in the desktop's settings"))
    }

    /// Creates the plan for opening an address that no certain app offers: in the default app for its scheme; a file with
    /// `xdg-open`, which knows the app for its type.
    ///
    /// - Throws: ``LaunchError``, also for a file that does not exist.
    package init(address: String, installed: InstalledApps, defaults: DefaultApps) throws(LaunchError) {
        guard let url = URL(string: address), let scheme = url.scheme?.lowercased() else {
            throw LaunchError(
                .invalidRequest, localized("“%1” is not an address that can be opened", address.cut(to: 200)))
        }
        if scheme == "file" {
            guard ["", "localhost"].contains(url.host() ?? ""), access(url.path, F_OK) == 0 else {
                throw LaunchError(.invalidRequest, localized("there is no file “%1”", url.path.cut(to: 200)))
            }
            guard !url.path.hasSuffix(".desktop") else {
                throw LaunchError(
                    .invalidRequest, localized("“%1” starts a program; start it yourself", url.path.cut(to: 200)))
            }
            try self.init(
                withOpener: address, installed, orElse: localized("nothing opens files; install “xdg-utils”"))
            return
        }
        if ["http", "https"].contains(scheme) {
            try self.init(DirectionsLaunch(desktopID: nil, uri: address), installed: installed, defaults: defaults)
            return
        }
        guard let app = defaults.handler(for: "x-scheme-handler/\(scheme)") else {
            throw LaunchError(.notInstalled, localized("no app opens “%1:” addresses; install one", scheme.cut(to: 32)))
        }
        try self.init(app: app, uri: address, installed: installed)
    }

    private init(withOpener uri: String, _ installed: InstalledApps, orElse reason: String) throws(LaunchError) {
        guard let opener = installed.path(ofProgram: "xdg-open") else { throw LaunchError(.notInstalled, reason) }
        let checked = try Self.checked(uri)
        self.init(
            identifier: "xdg-open", name: localized("The default app"), file: nil, uris: [checked], service: nil,
            program: Program(path: opener, arguments: [opener, checked], directory: nil))
    }

    /// Creates the plan for an installed media app to open an item of its player. An app that does not open the item's
    /// web address gets the link in the scheme of its service, if it declares that.
    ///
    /// - Parameter uri: the item's URI; `nil` to launch the app without one.
    /// - Throws: ``LaunchError``, also if the app does not declare that it opens such items.
    package init(playing uri: String?, in identifier: AppID, installed: InstalledApps) throws(LaunchError) {
        let entry = installed.entry(identifier)
        var uri = uri
        if let address = uri, entry?.declares(address) == false,
            let link = StreamingService.appLinks(to: address).first(where: { entry?.declares($0) == true })
        {
            uri = link
        }
        try self.init(app: identifier, uri: uri, installed: installed)
        guard let uri, entry?.declares(uri) == false else { return }
        let scheme = uri.cut(toBytes: 32).prefix { $0 != ":" }
        throw LaunchError(
            .unusableEntry,
            scheme == "file"
                ? localized("%1 does not say that it plays such files", name)
                : localized("%1 does not say that it plays “%2:” addresses", name, scheme))
    }

    /// Creates the plan for an installed app.
    ///
    /// - Parameter uri: the URI to open; `nil` to launch the app without one.
    /// - Throws: ``LaunchError``.
    package init(app identifier: AppID, uri: String?, installed: InstalledApps) throws(LaunchError) {
        guard let entry = installed.entry(identifier) else {
            throw LaunchError(.notInstalled, localized("the app %1 is not installed", identifier))
        }
        let uri = try uri.map { (uri) throws(LaunchError) in try Self.checked(uri) }
        guard uri.map(entry.opens) ?? true else {
            throw LaunchError(.unusableEntry, localized("%1 cannot open files or links", entry.name()))
        }
        let file = installed.file(of: identifier)
        let service = entry.isDBusActivatable ? Self.service(of: identifier) : nil
        let program: Program?
        do {
            program = try Self.program(of: entry, uri: uri, file: file, installed: installed)
        } catch {
            // The command of an app with D-Bus activation is only a fallback.
            guard service != nil else { throw error }
            program = nil
        }
        self.init(
            identifier: identifier, name: entry.name(), file: file, uris: uri.map { [$0] } ?? [], service: service,
            program: program)
    }

    init(
        identifier: AppID, name: String, file: String?, uris: [String], service: Service?, program: Program?
    ) {
        self.identifier = identifier
        self.name = name
        self.file = file
        self.uris = uris
        self.service = service
        self.program = program
    }

    private static func program(
        of entry: DesktopEntry, uri: String?, file: String?, installed: InstalledApps
    ) throws(LaunchError) -> Program {
        guard !entry.boolean("Terminal") else {
            throw LaunchError(
                .unusableEntry, localized("%1 runs in a terminal, which is not supported", entry.name()))
        }
        let arguments: [String]
        do throws(DesktopEntryError) {
            arguments = try entry.command(opening: uri, file: file)
        } catch {
            throw LaunchError(
                .unusableEntry, localized("the desktop entry of %1 cannot be carried out: %2", entry.name(), "\(error)")
            )
        }
        guard let path = installed.path(ofProgram: arguments[0]), path.hasPrefix("/") else {
            throw LaunchError(
                .unusableEntry,
                localized(
                    "%1 cannot be started: its program %2 does not exist or may not be run; install the app again",
                    entry.name(), arguments[0]))
        }
        let directory = entry.string("Path").flatMap { $0.hasPrefix("/") ? $0 : nil }
        return Program(path: path, arguments: arguments, directory: directory)
    }

    package static func service(of identifier: AppID) -> Service? {
        guard let name = try? BusName(identifier.rawValue), let path = try? ObjectPath(application: name) else {
            return nil
        }
        return Service(name: name, path: path)
    }

    /// The key of the bus name, below the app's own, under which an app serves Hunch's interfaces: for apps whose own name
    /// another connection of the process has, as with GApplication.
    package static let busNameKey = "X-Hunch-BusName"

    /// Returns the service with the interfaces of Hunch that an app declares; `nil` if its identifier is not a bus name.
    package static func service(forHunchOf entry: DesktopEntry) -> Service? {
        let own = service(of: entry.id)
        guard let own, let text = entry.string(busNameKey), text.hasPrefix("\(own.name.text)."),
            let name = try? BusName(text)
        else { return own }
        return Service(name: name, path: own.path)
    }

    /// Returns the compositor's token if its length and characters are valid, else `nil`.
    package static func checkedToken(_ token: String?) -> String? {
        token.flatMap { token in
            !token.isEmpty && token.utf8.count <= tokenLimit && token.utf8.allSatisfy { (0x20...0x7E).contains($0) }
                ? token : nil
        }
    }

    /// Returns the platform data of `org.freedesktop.Application` with the activation token; empty without a valid one.
    package static func platformData(_ token: String?) -> VariantMap {
        guard let token = checkedToken(token) else { return [:] }
        return ["activation-token": .string(token), "desktop-startup-id": .string(token)]
    }

    /// Returns the variables with the activation token, for Wayland and for X11's startup notification protocol.
    package static func activation(_ token: String?) -> [String: String] {
        guard let token else { return [:] }
        return ["XDG_ACTIVATION_TOKEN": token, "DESKTOP_STARTUP_ID": token]
    }

    private static func checked(_ uri: String) throws(LaunchError) -> String {
        guard uri.utf8.count <= uriLimit, !uri.isEmpty, uri.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }),
            // An argument with a leading dash would be parsed as an option.
            uri.utf8.first != UInt8(ascii: "-")
        else {
            let shown = String(
                String.UnicodeScalarView(uri.unicodeScalars.prefix(80).map { $0.value < 0x20 ? " " : $0 }))
            throw LaunchError(.invalidRequest, localized("“%1” cannot be opened: it is not a URI", shown))
        }
        return uri
    }
}

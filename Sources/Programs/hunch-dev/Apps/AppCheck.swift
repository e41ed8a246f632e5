import AgentInterface
import Apps
import CommandSupport
import DesktopFiles
import Directions
import FoundationEssentials
import Glibc
import HunchDBus
import HunchModel
import Regions

/// Checks all that a desktop entry declares for Hunch.
struct AppCheck {
    private let app: AppID
    private let directories: BaseDirectories
    private let installed: InstalledApps
    private let file: String
    private let entry: DesktopEntry

    /// The interfaces that an app serves, and those for which the desktop starts it over the bus.
    private static let served: [InterfaceName: Bool] = [
        HunchNames.playableContent: false, HunchNames.continueActivity: true, HunchNames.indexDelegate: true,
    ]

    /// - Throws: ``CommandError`` if there is no entry, or it is not a desktop entry.
    init(_ app: AppID, environment: [String: String]) throws(CommandError) {
        self.app = app
        directories = BaseDirectories(environment: environment)
        installed = InstalledApps(environment: environment)
        guard let file = installed.file(of: app) else {
            let folders = directories.dataSearchPath.map { $0 + "/applications" }.joined(separator: ", ")
            throw CommandError(
                "there is no \(app).desktop in \(folders)", ExitStatus.nothingFound, code: "notInstalled")
        }
        self.file = file
        do throws(DesktopEntryError) {
            entry = try DesktopEntry(
                id: app, text: String(decoding: FileManager.default.contents(atPath: file) ?? Data(), as: UTF8.self))
        } catch {
            throw CommandError("\(file), \(error)", ExitStatus.badInput)
        }
    }

    /// Returns what was found, in the order of the checks.
    ///
    /// - Parameter bus: the session bus; `nil` if there is none.
    func findings(on bus: Connection?) async -> [ConformanceFinding] {
        var findings = [checkEntry(), checkProgram()] + checkNames()
        for case .failure(let fault) in KindDeclaration.declared(in: entry, interface: HunchNames.donations.text).map(
            \.1)
        {
            findings.append(Self.finding("kinds", "the kinds of actions are declared rightly", fault.message))
        }
        if entry.implements.contains(RoutingApp.declaration) { findings.append(checkRouting()) }
        let interfaces = Self.served.filter { entry.implements.contains($0.key.text) }.sorted {
            $0.key.text < $1.key.text
        }
        if interfaces.contains(where: \.value) { findings.append(checkActivation()) }
        return await findings + checkService(interfaces.map(\.key), on: bus)
    }

    private static func finding(_ check: String, _ requirement: String, _ fault: String?) -> ConformanceFinding {
        ConformanceFinding(
            check: check, requirement: requirement, outcome: fault == nil ? .passed : .failed, detail: fault)
    }

    // MARK: The entry

    private func checkEntry() -> ConformanceFinding {
        let fault: String? =
            if !entry.isApplication {
                "\(file) needs Type=Application, Name and Exec, and no Hidden=true"
            } else if let program = entry.tryExec, installed.path(ofProgram: program) == nil {
                "the program of TryExec is missing: \(program)"
            } else {
                nil
            }
        return Self.finding("entry", "\(file) is the entry of an app", fault)
    }

    private func checkProgram() -> ConformanceFinding {
        let owners = installed.owners(ofProgramOf: entry).filter { $0.isShown || $0.application == app }
        let others = owners.map(\.application).filter { $0 != app }.sorted()
        let fault: String? =
            if owners.isEmpty {
                "Exec names no program that is there, or only an interpreter; name the program, or the script by its absolute path"
            } else if !others.isEmpty {
                "other entries name the same program: \(others.map(\.rawValue).joined(separator: ", "))"
            } else {
                nil
            }
        return Self.finding("program", "Hunch recognizes the app by the program that Exec names", fault)
    }

    private func checkNames() -> [ConformanceFinding] {
        let known = Self.served.keys.map(\.text) + [RoutingApp.declaration]
        func fault(_ what: String, _ name: String, _ names: [String]) -> ConformanceFinding {
            let near = nearest(to: name, among: names).map { "; did you mean “\($0)”?" } ?? ""
            return Self.finding("names", "\(what) are Hunch's", "“\(name)” is unknown\(near)")
        }
        let own = "org.hunch."
        let interfaces = entry.implements.filter { $0.hasPrefix(own) && !known.contains($0) }.map {
            fault("interfaces in Implements", $0, known)
        }
        let groups = entry.groupNames.filter {
            $0.hasPrefix(own) && $0 != RoutingApp.declaration && !$0.hasPrefix(HunchNames.donations.text + " Kind ")
        }.map { fault("groups", $0, [RoutingApp.declaration, HunchNames.donations.text + " Kind NAME"]) }
        return interfaces + groups + [checkBusName()].compactMap(\.self)
    }

    /// Returns a finding if the entry has a bus name that Hunch does not take.
    private func checkBusName() -> ConformanceFinding? {
        guard let name = entry.string(LaunchPlan.busNameKey) else { return nil }
        let isTaken = LaunchPlan.service(forHunchOf: entry)?.name.text == name
        return Self.finding(
            "names", "\(LaunchPlan.busNameKey) is a bus name below \(app)",
            isTaken ? nil : "“\(name)” is not; for example \(app).Hunch")
    }

    private func nearest(to name: String, among names: [String]) -> String? { NearName.nearest(to: name, among: names) }

    private func checkRouting() -> ConformanceFinding {
        let regions = try? RegionIndex(folders: CoverageFolder.ofThisMachine)
        var fault: String?
        do throws(RoutingAppProblem) {
            _ = try RoutingApp(entry: entry, file: file) { name in
                regions.flatMap { RoutingAppCatalogue.features(ofFile: name, in: $0) }
            }
        } catch {
            fault = error.reason
        }
        return Self.finding("routing", "the group [\(RoutingApp.declaration)] is right", fault)
    }

    private func checkActivation() -> ConformanceFinding {
        let services = directories.dataSearchPath.map { "\($0)/dbus-1/services/\(app).service" }
        let fault: String? =
            if !entry.isDBusActivatable {
                "the entry has no DBusActivatable=true"
            } else if !services.contains(where: { access($0, R_OK) == 0 }) {
                "there is no \(app).service in dbus-1/services below a data folder, with Name=\(app) and Exec"
            } else {
                nil
            }
        return Self.finding("activation", "the bus can start the app", fault)
    }

    // MARK: The running app

    private func checkService(_ interfaces: [InterfaceName], on bus: Connection?) async -> [ConformanceFinding] {
        let requirement = "the app serves the interfaces in Implements"
        func skipped(_ reason: String) -> ConformanceFinding {
            ConformanceFinding(check: "service", requirement: requirement, outcome: .skipped, detail: reason)
        }
        guard let bus else { return interfaces.isEmpty ? [] : [skipped("there is no session bus")] }
        do throws(any Error) {
            guard let (service, path) = LaunchPlan.service(forHunchOf: entry).map({ ($0.name, $0.path) }) else {
                // The error says what is wrong with the identifier.
                if !interfaces.isEmpty { _ = try BusName(app.rawValue) }
                return []
            }
            let isStartable = try await bus.activatableNames().contains(service)
            guard try await bus.owner(of: service) != nil || isStartable && !interfaces.isEmpty else {
                guard !interfaces.isEmpty else { return [] }
                return [
                    skipped(
                        "the app does not run with the name \(service), and the bus cannot start it; start it and check again"
                    )
                ]
            }
            let xml: String
            do {
                xml = try await bus.call(service, path, .introspectable, "Introspect")
            } catch  where interfaces.isEmpty {
                // An app that declares no interface need not have an object.
                return []
            }
            var findings = interfaces.map { interface in
                let isServed = IntrospectedMethods(xml, of: interface.text) != nil
                return Self.finding("service", requirement, isServed ? nil : "\(path) does not serve \(interface)")
            }
            findings += Self.served.keys.map(\.text).sorted().filter {
                !entry.implements.contains($0) && IntrospectedMethods(xml, of: $0) != nil
            }.map {
                Self.finding("service", "the entry names what the app serves", "add \($0); to Implements in \(file)")
            }
            if let owner = try await bus.owner(of: service) {
                findings.append(try await checkIdentity(of: owner, on: bus))
            }
            return findings
        } catch {
            return [Self.finding("service", requirement, (error as? DBusError)?.message ?? "\(error)")]
        }
    }

    private func checkIdentity(of owner: BusName, on bus: Connection) async throws -> ConformanceFinding {
        let identity = try await bus.identity(of: owner)
        let apps =
            identity.application.map { [AppID($0)] }
            ?? identity.processID.map { installed.owners(ofProgramOf: $0).map(\.application) } ?? []
        return Self.finding(
            "identity", "Hunch takes the running process for the app",
            apps == [app] ? nil : apps.isEmpty ? "its unit and its program name no app" : "it is taken for \(apps)")
    }
}

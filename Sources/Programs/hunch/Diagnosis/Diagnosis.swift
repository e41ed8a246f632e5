import CommandSupport
import DataFiles
import AgentInterface
import Directions
import FoundationEssentials
import Glibc
import EventLoops
import HunchDBus
import HunchKit
import GazetteerImport
import Gazetteers
import Regions
import HunchModel
import Localization
import Popularity
import SearchIndexes

/// The checks of `hunch doctor`, in an order in which a fault explains later ones.
struct Diagnosis {
    let environment: [String: String]

    func run() async throws -> [Finding] {
        let loop = try EventLoop()
        try loop.start(name: "hunch")
        defer { loop.stop() }
        var findings = await session(loop)
        findings.append(await bluetooth(loop))
        findings.append(audio())
        findings += history()
        findings += kinds()
        findings += searchIndex()
        findings += network()
        findings.append(gazetteer())
        findings += regions()
        findings += DataTables.problems(of: OwnDataFiles(BaseDirectories(environment: environment))).map {
            Finding("data-files", localized("data files"), .limited, "\($0)")
        }
        return findings
    }

    // MARK: Session bus

    private func session(_ loop: EventLoop) async -> [Finding] {
        let bus: Connection
        do {
            bus = try await Connection.open(BusAddress.session { environment[$0] }, on: loop)
        } catch {
            return [
                Finding(
                    "session-bus", localized("session bus"), .missing, Self.message(of: error),
                    remedy: "dbus-run-session -- bash")
            ]
        }
        var findings = [Finding("session-bus", localized("session bus"), .ok, localized("reached"))]
        findings += await agent(bus)
        findings.append(await notifications(bus))
        findings.append(await userManager(bus))
        await bus.close()
        return findings
    }

    private func notifications(_ bus: Connection) async -> Finding {
        let name: BusName = "org.freedesktop.Notifications"
        let subject = localized("notifications")
        if (try? await bus.owner(of: name)) != nil {
            return Finding("notifications", subject, .ok, localized("a notification server is running"))
        }
        if (try? await bus.activatableNames().contains(name)) == true {
            return Finding("notifications", subject, .ok, localized("a notification server starts when it is needed"))
        }
        return Finding(
            "notifications", subject, .missing, localized("no notification server: suggestions cannot be shown"),
            remedy: "sudo apt install dunst && dunst &")
    }

    private func userManager(_ bus: Connection) async -> Finding {
        if await UserManager(bus).isRunning() {
            return Finding("systemd", "systemd", .ok, localized("a user manager is running"))
        }
        let entry = AutostartEntry(environment: environment).flatMap { $0.exists ? $0.path : nil }
        return Finding(
            "systemd", "systemd", .limited,
            entry.map {
                localized(
                    "no user manager on this bus: the agent has no sandbox, and it starts at login through %1", $0)
            } ?? localized("no user manager on this bus: the agent has no sandbox, and it does not start at login"),
            remedy: "sudo apt install dbus-user-session")
    }

    // MARK: Media

    private func bluetooth(_ loop: EventLoop) async -> Finding {
        let subject = "Bluetooth"
        let remedy = "sudo apt install bluez && sudo systemctl enable --now bluetooth"
        do {
            let bus = try await Connection.open(BusAddress.system { environment[$0] }, on: loop, deadline: .seconds(5))
            let owner = try await bus.owner(of: "org.bluez")
            await bus.close()
            return owner == nil
                ? Finding(
                    "bluez", subject, .limited, localized("BlueZ is not running: only wired and USB audio"),
                    remedy: remedy)
                : Finding("bluez", subject, .ok, localized("BlueZ is running"))
        } catch {
            return Finding(
                "bluez", subject, .limited, localized("no system bus, so no BlueZ: %1", Self.message(of: error)),
                remedy: remedy)
        }
    }

    private func audio() -> Finding {
        let subject = localized("audio")
        let remedy = "sudo apt install pipewire-pulse wireplumber && systemctl --user start pipewire-pulse"
        let named = environment["PULSE_SERVER"].flatMap { $0.hasPrefix("unix:") ? String($0.dropFirst(5)) : nil }
        let folder = environment["PULSE_RUNTIME_PATH"] ?? environment["XDG_RUNTIME_DIR"].map { $0 + "/pulse" }
        guard let path = named ?? folder.map({ $0 + "/native" }) else {
            return Finding(
                "audio", subject, .missing, localized("XDG_RUNTIME_DIR is not set, so no audio server"), remedy: remedy)
        }
        return Self.listens(at: path)
            ? Finding("audio", subject, .ok, localized("an audio server is running"))
            : Finding("audio", subject, .missing, localized("no audio server listens at %1", path), remedy: remedy)
    }

    /// Whether a server accepts connections at a socket. A file that a dead server left behind does not count.
    private static func listens(at path: String) -> Bool {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let name = Array(path.utf8)
        guard name.count < MemoryLayout.size(ofValue: address.sun_path) else { return false }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
    }

    // MARK: Search

    private func searchIndex() -> [Finding] {
        let subject = localized("search index")
        var former: [Finding] = []
        do throws(IndexError) {
            let path = try IndexStore.defaultPath(environment: environment)
            if let aside = IndexStore.asidePath(at: path) {
                let reason = localized(
                    "the former one was damaged or of another version; import the items of your scripts again")
                former = [Finding("search-index", subject, .limited, reason, remedy: "rm \(ShellWord(aside))")]
            }
            guard let store = try IndexStore.openReadOnly(at: path) else { return former }
            defer { store.close() }
            let items = try store.sources().reduce(0) { $0 + $1.items }
            return former + [
                Finding(
                    "search-index", subject, items > 0 ? .ok : .off, localizedPlural("%1 item", "%1 items", items))
            ]
        } catch {
            let remedy = error.code == .unreadable ? "hunch index rebuild" : nil
            return former + [Finding("search-index", subject, .limited, error.message, remedy: remedy)]
        }
    }

    // MARK: Network

    /// The settings of the network, if they cannot be read, and the exchange of popularity, if the user allowed it.
    private func network() -> [Finding] {
        let subject = localized("network")
        let directories = BaseDirectories(environment: environment)
        if let path = OnlineGeocoderSettings.unreadablePath(directories) {
            return [
                Finding(
                    "network", subject, .limited, localized("%1 cannot be read, so that nothing is allowed", path),
                    remedy: "hunch online disable")
            ]
        }
        let settings = OnlineGeocoderSettings.load(directories)
        guard settings.exchangesPopularity, let url = settings.aggregatorURL else { return [] }
        do {
            let ledger = try PopularityLedger.load(directories)
            let state =
                ledger.last == nil ? localized("not exchanged with %1 yet", url) : localized("exchanged with %1", url)
            return [
                ledger.problem.map {
                    Finding(
                        "popularity", localized("popularity"), .limited,
                        localized("the last exchange with %1 failed: %2", url, $0), remedy: "hunch online status")
                } ?? Finding("popularity", localized("popularity"), ledger.last == nil ? .off : .ok, state)
            ]
        } catch {
            return [Finding("popularity", localized("popularity"), .limited, "\(error)")]
        }
    }

    // MARK: Directions

    private func gazetteer() -> Finding {
        let subject = localized("gazetteer")
        guard let file = try? GazetteerFile(environment: environment), file.exists else {
            let isListInstalled = GazetteerImport.haveTowns(
                GazetteerImport.installedPlaceLists(
                    environment: environment, executableFolder: OwnProgram.folder))
            return Finding(
                "gazetteer", subject, .limited, localized("none yet: names of places cannot be looked up"),
                fix: isListInstalled ? .importPlaceLists : .downloadPlaces)
        }
        if Gazetteer.filesOfEarlierVersion(file) != nil {
            return Finding(
                "gazetteer", subject, .limited, localized("made by an earlier version; the next lookup rebuilds it"),
                remedy: "hunch geocode Berlin")
        }
        do {
            let sources = try Gazetteer(file).sources()
            guard !sources.allSatisfy({ GazetteerImport.isPlaceList($0.file) }) else {
                return Finding(
                    "gazetteer", subject, .limited,
                    localized("only the towns of installed packages: no villages and streets"),
                    fix: .downloadPlaces)
            }
            return Finding("gazetteer", subject, .ok, localizedPlural("%1 source", "%1 sources", sources.count))
        } catch {
            return Finding("gazetteer", subject, .missing, "\(error)", fix: .removeGazetteer)
        }
    }

    private func regions() -> [Finding] {
        let subject = localized("coverage")
        do {
            let index = try RegionIndex(
                folders: CoverageFolder.standard(
                    environment: environment, executableFolder: OwnProgram.folder))
            let broken =
                index.problems.map {
                    Finding("coverage", subject, .limited, "\($0)", remedy: CoverageProblems.validation(of: $0.file))
                }
                + OwnLinkForms(environment: environment).problems.map {
                    Finding("linkForms", localized("link forms"), .limited, "\($0.file): \($0.message)")
                }
            return [
                index.regions.isEmpty
                    ? Finding(
                        "coverage", subject, .missing, localized("no coverage files are installed"),
                        remedy: "make install")
                    : Finding("coverage", subject, .ok, localized("%1 regions", index.regions.count))
            ] + broken
        } catch {
            return [Finding("coverage", subject, .missing, "\(error)", remedy: "make install")]
        }
    }

    static func message(of error: any Error) -> String {
        (error as? DBusError)?.message ?? "\(error)"
    }
}

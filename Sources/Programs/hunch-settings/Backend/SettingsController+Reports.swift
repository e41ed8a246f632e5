import CommandReports
import AgentInterface
import FoundationEssentials
import HunchKit
import HunchModel
import SettingsPages

/// The reports of the commands, and what the agent says about appointments and areas.
extension SettingsController {
    /// The reports of the commands.
    enum Report: Hashable {
        case appointments, apps, recent, record, actions, gazetteer, handler, online, routes, browsers, places
    }

    func readReports(of page: Page.ID) {
        switch page {
        case .overview:
            // Evaluating a long history takes seconds, and changes little while the window is open.
            read([.apps, .recent, .appointments])
            if state.record == nil { read([.record]) }
            // The introduction offers to set them up.
            if state.status?.isEnabled == false { read([.gazetteer, .browsers]) }
        case .devices: break
        case .apps: read([.apps])
        case .places:
            read([.apps, .gazetteer, .handler, .online, .places, .routes])
        case .privacy: read([.actions])
        }
    }

    func read(_ reports: Set<Report>) {
        for report in reports where report == .actions || !reading.contains(report) {
            reading.insert(report)
            Task {
                do { try await load(report) } catch { say(error) }
                reading.remove(report)
            }
        }
    }

    /// The time after which appointments are read again.
    private static let appointmentTime = Duration.seconds(60)

    /// Reads the appointments again, unless that was done lately.
    func readAppointments() {
        guard readForAppointments.map({ ContinuousClock.now - $0 >= Self.appointmentTime }) ?? true else { return }
        read([.appointments])
    }

    /// Asks for the names of the areas of usual routes.
    private func nameAreas(of routes: UsualRoutes) async throws {
        guard let agent else { return }
        for habit in routes.habits.prefix(Page.choiceLimit) {
            guard let area = habit.area, let place = habit.destination, state.areas[area] == nil else { continue }
            // Without a gazetteer the areas have no names.
            let places = try? await agent.reverseGeocode(latitude: place.latitude, longitude: place.longitude)
            state.areas[area] = places?.first?.item.name
        }
    }

    /// Returns how much forgetting the time since a date removes; `nil` if that cannot be read.
    func forgettingCount(since date: Date) async -> ForgettingCount? {
        let counts: [ForgettingCount]? = try? await tool.objects(
            "hunch", ["forget", "--since", date.formatted(.iso8601), "--dry-run", "--json"])
        return counts?.first
    }

    /// Draws the coverage of an app.
    func drawCoverage(of application: AppID) async throws {
        let svg = try await tool.text("hunch", ["regions", "show", "--plain", "--", application.rawValue])
        state.coverage = CoverageMap(application: application, svg: svg)
    }

    /// Returns the areas around the town of the time zone, the smallest first; empty if it is unknown.
    private func localAreas() async -> [AppID] {
        struct Found: Decodable { let regions: [AppID] }
        struct Area: Decodable {
            let id: AppID
            let area: Double?
        }
        let folder = "/usr/share/zoneinfo/"
        let link = try? FileManager.default.destinationOfSymbolicLink(atPath: "/etc/localtime")
        guard let zone = link?.firstRange(of: "zoneinfo/").flatMap({ link?[$0.upperBound...] }),
            let table = try? String(contentsOfFile: folder + "zone.tab", encoding: .utf8),
            let town = ZoneTable.position(of: zone, in: table),
            let found: [Found] = try? await tool.objects(
                "hunch", ["regions", "check", "--json", "--", "\(town.latitude)", "\(town.longitude)"]),
            let areas: [Area] = try? await tool.objects("hunch", ["regions", "list", "--json"])
        else { return [] }
        let around = Set(found.flatMap(\.regions))
        return areas.filter { around.contains($0.id) && $0.area != nil }
            .sorted { ($0.area ?? 0, $0.id) < ($1.area ?? 0, $1.id) }.map(\.id)
    }

    func load(_ report: Report) async throws {
        switch report {
        case .appointments:
            readForAppointments = .now
            let isRead = state.status?.isEnabled == true && state.categories["calendar"] == true
            // Disabled meanwhile.
            let next = isRead ? try? await agent?.appointments(limit: Page.appointmentLimit).appointments : nil
            state.appointments = next ?? []
        case .apps: state.apps = try await tool.objects("hunch", ["apps", "--json"])
        case .recent:
            state.recent = try await tool.objects("hunch", ["history", "--suggestions", "--json", "--limit", "10"])
        case .record:
            let records: [LearningRecord] = try await tool.objects("hunch", ["report", "--output", "-", "--json"])
            state.record = records.first
        case .actions:
            let search = state.search
            let found: [RecordedAction] = try await tool.objects(
                "hunch",
                ["history", "--json", "--limit", "\(Page.historyLimit)"]
                    + (search.isEmpty ? [] : ["--search=\(search)"]))
            // The user may have typed on.
            if search == state.search { state.actions = found }
        case .gazetteer:
            let contents: [GazetteerContent] = try await tool.objects("hunch", ["gazetteer", "status", "--json"])
            state.gazetteer = contents.first ?? GazetteerContent(sources: [])
        case .handler:
            struct Handler: Decodable { let installed: Bool }
            let report: [Handler] = try await tool.objects("hunch", ["handler", "status", "--json"])
            state.handlesLinks = report.first?.installed
        case .online:
            let permissions: [OnlinePermissions] = try await tool.objects("hunch", ["online", "status", "--json"])
            state.online = permissions.first
        case .places:
            let places: [ListedPlace] = try await tool.objects("hunch", ["places", "list", "--json"])
            let learned = places.filter(\.learned)
            state.learnedPlaces = Dictionary(learned.compactMap { place in place.coordinate.map { (place.name, $0) } })
            {
                first, _ in first
            }
        case .browsers: state.browsers = try await tool.objects("hunch", ["browser", "status", "--json"])
        case .routes:
            let routes: [RecordedRoute] = try await tool.objects(
                "hunch", ["history", "--kind", "getDirections", "--json", "--limit", "10000"])
            state.routes = routes
            if state.coverage == nil, let first = Page.firstDrawable(state, near: await localAreas()) {
                perform(.drawCoverage(first))
            }
            try await nameAreas(of: UsualRoutes(routes))
        }
    }
}

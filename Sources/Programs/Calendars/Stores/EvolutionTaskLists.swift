internal import EventLoops
internal import HunchDBus
internal import Localization

/// The task lists of Evolution Data Server.
struct EvolutionTaskLists {
    /// The list that every installation has.
    private static let builtIn = "system-task-list"
    /// The maximum number of lists that are tried.
    private static let maximumLists = 4
    /// The end of the error name for a `UID` that the list has already. Source: `ECalClientError`.
    private static let alreadyExists = "_e_2dcal_2dclient_2derror_2dquark.Code4"

    let bus: Connection

    /// Adds a task to the first list that can be changed. Starts the server.
    ///
    /// - Parameters:
    ///   - task: a `VTODO`, without `VCALENDAR` around it.
    ///   - list: the identifier of the preferred list.
    /// - Returns: the name of the list.
    /// - Throws: ``DBusError`` if no list can be changed, or the server does not answer.
    func add(_ task: String, preferring list: String) async throws -> String {
        guard let server = try await EvolutionServer(on: bus) else {
            throw DBusError(.failed, localized("Evolution Data Server is not installed"))
        }
        let sources = try await server.sources().compactMap { EvolutionSource(taskList: $0) }
        let ordered = [list, Self.builtIn].flatMap { wanted in sources.filter { $0.identifier == wanted } } + sources
        var problem = DBusError(.failed, localized("there is no task list that can be changed"))
        var tried: Set<String> = []
        for source in ordered where tried.insert(source.identifier).inserted && tried.count <= Self.maximumLists {
            let opened: Proxy
            do {
                opened = try await server.open("OpenTaskList", source.identifier).object
            } catch let error as DBusError where error.name != .disconnected {
                problem = DBusError(.failed, localized("“%1” does not open: %2", source.name, error.message))
                continue
            }
            if try await add(task, to: opened) { return source.name }
        }
        throw problem
    }

    /// Adds a task. Returns `false` if the list cannot be changed.
    ///
    /// - Throws: ``DBusError`` if the list refuses it or does not answer. It may have the task then, so no other list must
    ///   get it.
    private func add(_ task: String, to list: Proxy) async throws -> Bool {
        defer {
            // A list that is gone needs no closing.
            let call = MethodCall(
                list.service, list.path, EvolutionServer.calendarInterface, "Close", startsService: false)
            bus.execute { try? $0.send(call) }
        }
        // Known only once the list is open. The server adds tasks to some lists that it calls unwritable.
        guard try await list.property(EvolutionServer.calendarInterface, "Writable") else { return false }
        do {
            let _: [String] = try await list.call(
                EvolutionServer.calendarInterface, "CreateObjects", [task], UInt32(0),
                timeout: EvolutionServer.answerTime)
        } catch let error as DBusError where error.name.rawValue.hasSuffix(Self.alreadyExists) {
            // The user asked for the same reminder before.
        }
        return true
    }
}

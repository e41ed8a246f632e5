internal import AgentInterface
internal import Apps
internal import EventLoops
internal import FoundationEssentials
internal import HunchDBus
internal import HunchModel
internal import Localization

extension OnlineGeocoderService {
    /// A download that a caller started.
    struct DownloadJob: Sendable {
        let plan: DownloadPlan
        let onlyMeasures: Bool
        let pipe: DownloadPipe
    }

    /// The programs that act for the user, by their file names.
    private static let programsOfPerson = ["hunch", "hunch-settings"]

    /// Makes the method `Download`.
    nonisolated func downloadMethod() -> ExportedMember {
        .method("Download", arguments: ["source", "options"], results: ["events"]) {
            [self] (call, source: String, options: VariantMap) async throws -> UnixDescriptor in
            try await download(source, options, for: call)
        }
    }

    /// Makes the method `FetchPage`.
    nonisolated func pageMethod() -> ExportedMember {
        .method("FetchPage", arguments: ["address"], results: ["page", "address"]) {
            [self] (call, address: String) async throws -> ([UInt8], String) in
            try await page(at: address, for: call)
        }
    }

    private func page(at address: String, for call: IncomingCall) async throws -> ([UInt8], String) {
        guard try await Self.isOfPerson(call) else {
            throw DBusError(.accessDenied, "only “hunch” may fetch pages; use “hunch markup”")
        }
        let scheme = address.lowercased()
        guard scheme.hasPrefix("https://") || scheme.hasPrefix("http://"),
            address.utf8.count <= PageFetcher.maximumAddress
        else {
            throw DBusError(
                .invalidInput,
                localized(
                    "give an http or https address of at most %1 bytes, such as https://example.org/",
                    PageFetcher.maximumAddress))
        }
        let (page, source) = try await turn(of: call, "") { _ in try PageFetcher().page(at: address) }
        return (page, source)
    }

    private func download(
        _ source: String, _ options: VariantMap, for call: IncomingCall
    ) async throws -> UnixDescriptor {
        noteRequest()
        guard try await Self.isOfPerson(call) else {
            throw DBusError(
                .accessDenied, "only “hunch” and the settings window may download; use “hunch gazetteer get”")
        }
        guard let source = DownloadSource(source) else {
            throw DBusError(
                .invalidInput,
                localized(
                    "“%1” is not a source; give cities500, cities15000, a country's code or osm:REGION",
                    source.cut(to: 60)))
        }
        var server: String?
        if let given: String = try options.value("server") {
            guard let checked = OnlineGeocoderSettings.server(given) else {
                throw DBusError(.invalidInput, localized("“%1” is not the address of a server", given.cut(to: 60)))
            }
            server = checked
        }
        let onlyMeasures: Bool = try options.value("measure") ?? false
        let (pipe, reader) = try DownloadPipe.open()
        let plan: DownloadPlan
        do throws(DownloadFailure) {
            plan = try DownloadPlan(source, server: server, settings: .load(directories))
        } catch {
            pipe.report(.failed(error))
            return reader
        }
        try enqueue(DownloadJob(plan: plan, onlyMeasures: onlyMeasures, pipe: pipe))
        return reader
    }

    /// Returns whether the caller runs one of the programs that were installed next to this one and act for the user,
    /// outside any sandbox.
    private static func isOfPerson(_ call: IncomingCall) async throws -> Bool {
        let identity = try await call.caller()
        guard identity.confinement != .sandboxed, let process = identity.processID,
            let folder = OwnProgram.folder, let file = FileNumber(of: "/proc/\(process)/exe")
        else { return false }
        let programs = programsOfPerson.flatMap { ["\(folder)/\($0)", "\(folder)/../bin/\($0)"] }
        guard programs.compactMap(FileNumber.init(of:)).contains(file) else { return false }
        // Asked again, since another process may have got the identifier meanwhile.
        return try await call.caller() == identity
    }

    /// Downloads on the thread for it, and reports the end.
    func perform(_ job: DownloadJob) async {
        defer {
            // In this order, so that a caller that read to the end may start another download.
            endDownload()
            job.pipe.close()
        }
        let cacheHome = directories.cacheHome
        // The thread runs until the program ends.
        try? await downloads.run {
            guard let cacheHome else {
                return job.pipe.report(
                    .failed(
                        DownloadFailure(
                            .storage, address: "", detail: localized("neither HOME nor XDG_CACHE_HOME is set"))))
            }
            let folder = DownloadFolder(cacheHome: cacheHome)
            folder.prune(at: Int(clamping: Date().timeIntervalSince1970))
            let downloader = Downloader(folder: folder, userAgent: OnlineGeocoder.userAgent, listener: job.pipe)
            do throws(Downloader.Ending) {
                if let path = try downloader.run(job.plan, onlyMeasures: job.onlyMeasures) {
                    job.pipe.report(.done(path: path))
                }
            } catch {
                if case .failed(let failure) = error { job.pipe.report(.failed(failure)) }
            }
        }
    }
}

internal import DesktopFiles
internal import AgentInterface
internal import EventLoops
internal import HunchDBus
internal import HunchModel
internal import Localization

/// The D-Bus service of the program.
actor OnlineGeocoderService: LoopActor {
    /// The maximum number of waiting requests. Requests go out at most once a second.
    private static let mostWaiting = 8

    let loop: EventLoop
    let directories: BaseDirectories
    /// The thread for downloads, which take minutes. Other requests do not wait for them.
    let downloads: WorkerThread
    /// The downloads that callers started, in order.
    nonisolated let jobs: AsyncStream<DownloadJob>
    private let worker: WorkerThread
    private let geocoder: Confined
    private let starter: AsyncStream<DownloadJob>.Continuation
    private var waiting = 0
    private var wasAsked = true
    private var isDownloading = false

    /// A wrapper for the geocoder, which only the worker thread uses.
    private final class Confined: @unchecked Sendable {  // used on the worker's one thread
        let geocoder: OnlineGeocoder
        init(_ geocoder: OnlineGeocoder) { self.geocoder = geocoder }
    }

    /// - Parameters:
    ///   - worker: the thread for short requests.
    ///   - downloads: the thread for downloads.
    init(environment: [String: String], loop: EventLoop, worker: WorkerThread, downloads: WorkerThread) {
        self.loop = loop
        self.worker = worker
        self.downloads = downloads
        directories = BaseDirectories(environment: environment)
        (jobs, starter) = AsyncStream.makeStream()
        let locale = DesktopEntry.messageLocale(in: environment)
        let language = locale.prefix { $0.isLetter || $0 == "_" }.replacing("_", with: "-")
        let isNamed = language.utf8.count >= 2 && language != "POSIX"
        geocoder = Confined(
            OnlineGeocoder(
                directories: directories,
                languages: isNamed ? "\(language),en;q=0.5,*;q=0.1" : "en,*;q=0.5"))
    }

    /// Returns whether a request arrived since the last call or is still waiting.
    func takeNote() -> Bool {
        defer { wasAsked = false }
        return wasAsked || waiting > 0 || isDownloading
    }

    /// Notes that a request arrived, so that the program runs for another minute.
    func noteRequest() { wasAsked = true }

    // MARK: Downloads

    /// Starts a download.
    ///
    /// - Throws: ``DBusError`` `…Busy` while another one runs.
    func enqueue(_ job: DownloadJob) throws(DBusError) {
        guard !isDownloading else {
            throw DBusError(.busy, localized("another download is running; try again when it has ended"))
        }
        isDownloading = true
        starter.yield(job)
    }

    func endDownload() { isDownloading = false }

    // MARK: Interface

    nonisolated func interface() -> ExportedInterface {
        ExportedInterface(
            evolving: HunchNames.onlineGeocoderInterface,
            [
                .method("Geocode", arguments: ["text", "options"], results: ["places", "attribution"]) {
                    [self] (call, text: String, options: VariantMap) async throws -> ([VariantMap], String) in
                    var near: Coordinate?
                    if let latitude: Double = try options.value("latitude"),
                        let longitude: Double = try options.value("longitude")
                    {
                        near = try Self.coordinate(latitude, longitude)
                    }
                    guard !text.isEmpty, text.utf8.count <= OnlineGeocoder.maximumTextLength else {
                        throw DBusError(
                            .invalidInput,
                            localized(
                                "the text must have 1 to %1 bytes; give only the place",
                                OnlineGeocoder.maximumTextLength))
                    }
                    return try await answer(.text(text, near: near), options, to: call)
                },
                .method(
                    "ReverseGeocode", arguments: ["latitude", "longitude", "options"],
                    results: ["places", "attribution"]
                ) {
                    [self] (call, latitude: Double, longitude: Double, options: VariantMap) async throws
                        -> ([VariantMap], String) in
                    try await answer(.position(Self.coordinate(latitude, longitude)), options, to: call)
                },
                .method("FollowLink", arguments: ["link"], results: ["target"]) {
                    [self] (call, link: String) async throws -> String in
                    guard ShortLinks.host(of: link) != nil else {
                        throw DBusError(.invalidInput, localized("the link is not a known short link"))
                    }
                    return try await turn(
                        of: call, localized("short links are not followed; “hunch online enable --links” allows it")
                    ) {
                        try $0.target(ofLink: link)
                    }
                },
                .method("FetchPicture", arguments: ["address"], results: ["picture"]) {
                    [self] (call, address: String) async throws -> [UInt8] in
                    guard CoverAddress.isValid(address) else {
                        throw DBusError(.invalidInput, "give an https address of a picture, without a user name")
                    }
                    return try await turn(
                        of: call, "covers are not downloaded; “hunch online enable --covers” allows it"
                    ) {
                        try $0.picture(at: address)
                    }
                },
                .method("FetchPopularity", results: ["sketch"]) { [self] call async throws -> String in
                    try await turn(of: call, Self.noPopularity) { try $0.popularity() }
                },
                .method("SendPopularity", arguments: ["reports"]) {
                    [self] (call, reports: String) async throws -> Void in
                    guard !reports.isEmpty, reports.utf8.count <= OnlineGeocoder.reportLimit else {
                        throw DBusError(
                            .invalidInput, "the reports must have 1 to \(OnlineGeocoder.reportLimit) bytes")
                    }
                    try await turn(of: call, Self.noPopularity) { try $0.send(reports) }
                },
                pageMethod(), downloadMethod(),
            ])
    }

    private static let noPopularity = "popularity is not exchanged; “hunch online enable --popularity” allows it"

    private static func coordinate(_ latitude: Double, _ longitude: Double) throws -> Coordinate {
        do {
            return try Coordinate(latitude: latitude, longitude: longitude)
        } catch {
            throw DBusError(.invalidInput, error.description)
        }
    }

    private func answer(
        _ request: OnlineGeocoder.Request, _ options: VariantMap, to call: IncomingCall
    ) async throws -> ([VariantMap], String) {
        let limit = Int(try options.value("limit", as: UInt32.self) ?? 10)
        let (places, attribution) = try await turn(
            of: call, localized("places are not looked up online; “hunch online enable” allows it")
        ) { try $0.answer(request, limit: limit) }
        return (places.map(\.transfer), attribution)
    }

    /// Runs a network operation of the geocoder when its turn comes.
    ///
    /// - Parameter refusal: the error message if the user has not enabled the operation.
    func turn<Result: Sendable>(
        of call: IncomingCall, _ refusal: String, _ body: @escaping @Sendable (OnlineGeocoder) throws -> Result
    ) async throws -> Result {
        wasAsked = true
        // Requests leave the machine. A sandboxed app without network access must not get around that here.
        guard try await call.caller().confinement != .sandboxed else {
            throw DBusError(.accessDenied, "sandboxed apps may not use the network through Hunch")
        }
        guard waiting < Self.mostWaiting else {
            throw DBusError(.busy, localized("too many requests are waiting; try again in a few seconds"))
        }
        waiting += 1
        defer { waiting -= 1 }
        let geocoder = geocoder
        do {
            return try await worker.run { try body(geocoder.geocoder) }
        } catch let failure as OnlineGeocoder.Failure {
            throw Self.error(failure, refusal)
        }
    }

    private static func error(_ failure: OnlineGeocoder.Failure, _ refusal: String) -> DBusError {
        switch failure {
        case .disabled: DBusError(.disabled, refusal)
        case .busy(let seconds):
            DBusError(.busy, localized("the service is overloaded; try again in %1 s", seconds))
        case .failed(let reason): DBusError(.failed, reason)
        case .refused(let reason): DBusError(.invalidInput, reason)
        }
    }
}

internal import AgentInterface
internal import FoundationEssentials
internal import Glibc
internal import HunchModel
internal import Localization

/// A client of the online geocoding service. It answers from the cache if it can. Other requests wait for their turn.
///
/// All methods block and must be called from one thread.
final class OnlineGeocoder {
    /// A geocoding request.
    enum Request {
        case text(String, near: Coordinate?)
        case position(Coordinate)
    }

    /// The reason why there is no result.
    enum Failure: Error, Equatable {
        /// The user has not enabled the operation.
        case disabled
        /// The service asks to back off for this many seconds.
        case busy(seconds: Int)
        /// The service is unreachable, too slow or responds with nonsense. The value is the reason in words.
        case failed(String)
        /// The service refuses the request, and would refuse it again. The value is the reason in words.
        case refused(String)
    }

    /// The maximum number of places in a result.
    static let maximumLimit = 20
    /// The maximum size of a text, in bytes.
    static let maximumTextLength = 1_024

    let directories: BaseDirectories
    /// The time limit for a request, in milliseconds.
    let timeout: Int
    private let client: HTTPClient
    /// The client for pictures, with a shorter timeout.
    private let pictureClient: HTTPClient
    private let pictureReach: HTTPClient.Reach
    private let languages: String
    private var pace = RequestPace()
    private var linkPace = RequestPace()
    private let clock = ContinuousClock()
    private let start = ContinuousClock().now

    /// - Parameters:
    ///   - timeout: the time limit for a request, in milliseconds.
    ///   - languages: the value of `Accept-Language`.
    ///   - pictureReach: the servers from which pictures may be downloaded.
    init(
        directories: BaseDirectories, timeout: Int = 10_000, languages: String,
        pictureReach: HTTPClient.Reach = .publicServers
    ) {
        self.directories = directories
        self.timeout = timeout
        self.languages = languages
        self.pictureReach = pictureReach
        client = HTTPClient(timeout: timeout, userAgent: Self.userAgent)
        pictureClient = HTTPClient(timeout: min(timeout, Self.pictureTime), userAgent: Self.userAgent)
    }

    /// The name of this program for servers.
    static let userAgent = "Hunch/\(HunchVersion.text) (Linux desktop)"

    /// The time limit for downloading a picture, in milliseconds.
    private static let pictureTime = 5_000

    /// Returns the candidates for a request, best first, and the attribution that must be shown with them.
    ///
    /// - Parameter limit: the maximum number of places, clamped to 1…``maximumLimit``.
    func answer(_ request: Request, limit: Int) throws(Failure) -> (
        places: [OnlineGeocoderClient.Place], attribution: String
    ) {
        let settings = OnlineGeocoderSettings.load(directories)
        guard settings.isEnabled else { throw .disabled }
        let service: any OnlineService =
            switch settings.service {
            case .nominatim: NominatimService()
            case .photon: PhotonService()
            }
        let limit = min(max(limit, 1), Self.maximumLimit)
        let path =
            switch request {
            case .text(let text, let near): service.search(text, limit: limit, near: near)
            case .position(let coordinate): service.reverse(coordinate, limit: limit)
            }
        let url = settings.url + path
        let cache = directories.cacheHome.map { AnswerCache(cacheHome: $0) }
        if let known = cache?.places(for: url, at: Date()) {
            return (Array(known.prefix(limit)), service.attribution)
        }
        let places = try fetch(url, service)
        cache?.keep(places, for: url, at: Date())
        return (Array(places.prefix(limit)), service.attribution)
    }

    /// Returns the target of a short link: another link, or a `geo:` link for an element of OpenStreetMap.
    func target(ofLink link: String) throws(Failure) -> String {
        let settings = OnlineGeocoderSettings.load(directories)
        guard settings.followsLinks else { throw .disabled }
        if let element = OpenStreetMapElement(link: link) { return try target(of: element, settings) }
        guard ShortLinks.host(of: link) != nil else { throw .failed(localized("the link is not a known short link")) }
        return try LinkFollower(client: client).target(of: link) { () throws(Failure) in
            // These requests go to other servers, so they do not delay requests to the geocoding service.
            guard let wait = linkPace.turn(at: now) else { return }
            Self.sleep(wait)
        }
    }

    /// Returns a `geo:` link for an element. Looks it up at the user's own Nominatim, or else at OpenStreetMap's.
    private func target(
        of element: OpenStreetMapElement, _ settings: OnlineGeocoderSettings
    ) throws(Failure) -> String {
        let service = NominatimService()
        let url = settings.service == .nominatim ? settings.url : OnlineGeocoderSettings.Service.nominatim.publicURL
        let places = try fetch(url + service.lookup(element), service)
        guard let place = places.first?.item, let coordinate = place.coordinate else {
            throw .failed(
                localized(
                    "Nominatim has no place for %1 %2; it may be deleted or have no name", element.kind.rawValue,
                    element.number))
        }
        let position = "\(coordinate.latitude),\(coordinate.longitude)"
        let name = place.name.map { "?q=\(position)(\(service.encoded($0)))" } ?? ""
        return "geo:\(position)\(name)"
    }

    /// Downloads a picture.
    ///
    /// - Parameter address: a URL that `CoverAddress` allows.
    func picture(at address: String) throws(Failure) -> [UInt8] {
        guard OnlineGeocoderSettings.load(directories).fetchesCovers else { throw .disabled }
        do throws(HTTPClient.Failure) {
            return try pictureClient.picture(at: address, limit: CoverAddress.maximumSize, reach: pictureReach)
        } catch {
            throw .failed("the picture cannot be downloaded: \(error.message)")
        }
    }

    private func fetch(_ url: String, _ service: any OnlineService) throws(Failure) -> [OnlineGeocoderClient.Place] {
        guard let wait = pace.turn(at: now) else { throw .busy(seconds: pace.secondsLeft(at: now)) }
        Self.sleep(wait)
        let answer: HTTPClient.Response
        do {
            answer = try client.request(url, languages: languages)
        } catch {
            throw .failed(localized("the service cannot be reached: %1", error.message))
        }
        switch answer.status {
        case 200: break
        case 404: return []
        case 429, 503:
            pace.backOff(at: now, for: answer.retryAfter)
            throw .busy(seconds: pace.secondsLeft(at: now))
        default: throw .failed(localized("the service returned the status %1", answer.status))
        }
        do {
            return try service.places(in: Data(answer.body))
        } catch {
            throw .failed(localized("the service's response is not a list of places"))
        }
    }

    private var now: Duration { clock.now - start }

    /// Blocks this thread, which exists for blocking calls.
    private static func sleep(_ duration: Duration) {
        var left = timespec(
            tv_sec: Int(duration.components.seconds), tv_nsec: Int(duration.components.attoseconds / 1_000_000_000))
        // -1: interrupted by a signal
        while true {
            var rest = timespec()
            guard nanosleep(&left, &rest) != 0, errno == EINTR else { return }
            left = rest
        }
    }
}

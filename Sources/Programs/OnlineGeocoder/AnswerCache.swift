internal import AgentInterface
internal import FoundationEssentials
internal import HunchModel

/// A cache of service responses, one file each, below Hunch's cache folder. `hunch forget` removes them.
///
/// It keeps the ``maximumCount`` most recent responses, each for ``lifetime``.
struct AnswerCache {
    static let maximumCount = 1_000
    /// The time for which a response is used, in seconds: 30 days.
    static let lifetime = 30.0 * 86_400

    private struct Entry: Codable {
        var question: String
        var date: Date
        var places: [OnlineGeocoderClient.Place]
    }

    private let folder: String

    /// - Parameter cacheHome: `$XDG_CACHE_HOME`.
    init(cacheHome: String) { folder = cacheHome + "/hunch/online-geocoder" }

    /// Returns the cached response to a request URL, or `nil` if there is none.
    func places(for question: String, at now: Date) -> [OnlineGeocoderClient.Place]? {
        guard let content = try? Data(contentsOf: URL(filePath: path(of: question))),
            let entry = try? JSONDecoder().decode(Entry.self, from: content), entry.question == question,
            (0...Self.lifetime).contains(now.timeIntervalSince(entry.date))
        else { return nil }
        return entry.places
    }

    /// Stores a response. Ignores write errors.
    func keep(_ places: [OnlineGeocoderClient.Place], for question: String, at now: Date) {
        let manager = FileManager.default
        guard let content = try? JSONEncoder().encode(Entry(question: question, date: now, places: places)),
            (try? manager.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])) != nil
        else { return }
        try? content.write(to: URL(filePath: path(of: question)), options: .atomic)
        let names = (try? manager.contentsOfDirectory(atPath: folder)) ?? []
        guard names.count > Self.maximumCount else { return }
        let dated = names.map { name in
            let path = "\(folder)/\(name)"
            return (path, (try? manager.attributesOfItem(atPath: path)[.modificationDate] as? Date) ?? .distantPast)
        }
        // Remove a tenth at once, so that this does not happen for every response.
        for (path, _) in dated.sorted(by: { $0.1 < $1.1 }).prefix(names.count - Self.maximumCount * 9 / 10) {
            try? manager.removeItem(atPath: path)
        }
    }

    private func path(of question: String) -> String {
        // Two URLs with the same hash merely replace each other.
        return "\(folder)/\(StableHash(question.utf8).digits).json"
    }
}

internal import FoundationEssentials
internal import HunchModel

/// Answers of services, one file each, below the folder of Hunch's other copies: `hunch forget` removes them with those.
///
/// At most ``maximumCount`` are kept, the last used; older than ``lifetime`` they are asked for anew.
struct AnswerCache {
    static let maximumCount = 1_000
    /// In seconds: 30 days.
    static let lifetime = 30.0 * 86_400

    private struct Entry: Codable {
        var question: String
        var date: Date
        var places: [OnlinePlace]
    }

    private let folder: String

    /// - Parameter cacheHome: `$XDG_CACHE_HOME`.
    init(cacheHome: String) { folder = cacheHome + "/hunch/online-geocoder" }

    /// The answer to a question, which is a service's address with all that was asked of it; `nil` when none is kept.
    func places(for question: String, at now: Date) -> [OnlinePlace]? {
        guard let content = try? Data(contentsOf: URL(filePath: path(of: question))),
            let entry = try? JSONDecoder().decode(Entry.self, from: content), entry.question == question,
            (0...Self.lifetime).contains(now.timeIntervalSince(entry.date))
        else { return nil }
        return entry.places
    }

    /// Keeps an answer. What cannot be written is not kept.
    func keep(_ places: [OnlinePlace], for question: String, at now: Date) {
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
        // A tenth at once, so that this is not done for every answer.
        for (path, _) in dated.sorted(by: { $0.1 < $1.1 }).prefix(names.count - Self.maximumCount * 9 / 10) {
            try? manager.removeItem(atPath: path)
        }
    }

    private func path(of question: String) -> String {
        // Two questions of one hash only take each other's place.
        return "\(folder)/\(StableHash(question.utf8).digits).json"
    }
}

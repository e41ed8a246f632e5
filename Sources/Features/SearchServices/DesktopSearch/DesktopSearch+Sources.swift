internal import DesktopFiles
internal import DirectionServices
internal import Agent
internal import AgentInterface
internal import Apps
internal import FoundationEssentials
internal import Files
internal import Glibc
internal import History
internal import HunchModel
internal import Learning
internal import Localization
internal import Prediction
internal import SearchIndexes
internal import Surfaces

/// The sources of results.
extension DesktopSearch {
    /// The most places, and the most actions.
    private static let limitOfOthers = 2
    /// The number of recent places that are compared.
    private static let recentPlaces = 200
    /// The part of the time limit after which a search in the index ends.
    private static let indexTimePart = 0.9
    /// The longest title and detail, in characters.
    private static let shownCharacters = 256

    /// The options of searches in the index.
    var searchOptions: SearchOptions {
        SearchOptions(limit: Self.limit, isUnfinished: true, needsAllWords: true, now: configuration.now())
    }

    func items(_ text: String, within time: Duration) async throws -> [SearchResult] {
        var options = searchOptions
        (options.time, options.needsExcerpts) = (time * Self.indexTimePart, true)
        let items = try await index.items(text, options).filter(\.isOpenable)
        let apps = try await apps(items.map(\.application))
        let pictures = items.compactMap { $0.attributes["thumbnail"]?.texts.first }
        let shown =
            pictures.isEmpty ? [:] : (try? await foreignFiles.read { LocalPicture.paths(of: pictures) }) ?? [:]
        return items.map { item in
            let (name, icon) = apps[item.application] ?? (item.ownerName, HunchNames.desktopEntry)
            let words = item.excerpt.isEmpty ? item.summary : item.excerpt
            let picture = item.attributes["thumbnail"]?.texts.first.flatMap { shown[$0] }
            return SearchResult(
                "item", [item.application.rawValue, item.index, item.id], title: Self.shown(item.title),
                detail: Self.shown(
                    [name, item.date.map { LocalDay($0).words }, words].compactMap(\.self).filter { !$0.isEmpty }
                        .joined(separator: " · ")),
                icon: picture ?? icon, content: .item(id: item.id, of: item.application, index: item.index))
        }
    }

    func places(_ words: TypedWords) async throws -> [SearchResult] {
        let places = try await history.use { store, _ in try store.recentPlaces(limit: Self.recentPlaces) }
        let found = places.filter { words.match([$0.name, $0.address?.singleLine, $0.query].compactMap(\.self)) }
        return found.prefix(Self.limitOfOthers).map { place in
            let address = place.address?.singleLine ?? ""
            let title = [place.name, place.query, address].compactMap(\.self).first { !$0.isEmpty } ?? ""
            let detail = [localized("Get directions"), title == address ? "" : address].filter { !$0.isEmpty }
            return SearchResult(
                "place", [title, address, place.coordinate.map { "\($0)" } ?? ""], title: Self.shown(title),
                detail: Self.shown(detail.joined(separator: " · ")), icon: "mark-location-symbolic",
                content: .place(place))
        }
    }

    func actions(_ words: TypedWords) async throws -> [SearchResult] {
        // The desktop itself finds apps, and players need a device. Addresses and numbers are not words that people see.
        let choices = try await learned.likelyChoices().filter { choice in
            let texts = choice.donation.parameters.filter { !["uri", "mode", "item", "app"].contains($0.key) }
            return choice.donation.kind != .playMedia && choice.donation.kind != .openApp
                && words.match(Array(texts.values))
        }
        var results: [SearchResult] = []
        for choice in choices where results.count < Self.limitOfOthers {
            guard let suggestion = try await learned.suggestions(for: [choice], limit: 1).first,
                words.match([suggestion.title, suggestion.subtitle])
            else { continue }
            let icon = try await apps([suggestion.application])[suggestion.application]?.icon
            let parameters = choice.donation.parameters.sorted { $0.key < $1.key }.flatMap { [$0.key, $0.value] }
            results.append(
                SearchResult(
                    "action", [suggestion.application.rawValue, choice.donation.kind.rawValue] + parameters,
                    title: Self.shown(suggestion.title), detail: Self.shown(suggestion.subtitle),
                    icon: icon ?? HunchNames.desktopEntry, content: .action(choice)))
        }
        return results
    }

    /// Returns the names and icons of apps.
    private func apps(_ applications: [AppID]) async throws -> [AppID: (name: String, icon: String)] {
        let locales = DesktopEntry.localeNames(for: configuration.messageLocale)
        return try await installed.read { installed in
            Dictionary(
                Set(applications).compactMap { application in
                    guard let entry = installed.entry(application) else { return nil }
                    return (
                        application, (entry.name(locales: locales), entry.string("Icon") ?? "application-x-executable")
                    )
                }
            ) { one, _ in one }
        }
    }

    private static func shown(_ text: String) -> String { DisplayText(text, limit: shownCharacters).text }
}

extension FoundItem {
    /// The description or the authors that the app gave it; `nil` without them.
    fileprivate var summary: String? {
        attributes["description"]?.texts.first ?? attributes["authors"]?.texts.joined(separator: ", ")
    }
}

/// Pictures that an app named. The desktop's process draws them, so that only small ones of the usual formats are taken.
enum LocalPicture {
    /// The largest file, in bytes.
    private static let largest = 1 << 20
    /// The first bytes of PNG, JPEG and WebP.
    private static let beginnings: [[UInt8]] = [
        [0x89, 0x50, 0x4E, 0x47], [0xFF, 0xD8, 0xFF], [0x52, 0x49, 0x46, 0x46],
    ]

    /// Returns the paths of the pictures that may be shown, by `file:` URI. Reads files.
    static func paths(of addresses: [String]) -> [String: String] {
        var paths: [String: String] = [:]
        for address in addresses {
            guard let url = URL(string: address), url.isFileURL, url.host() ?? "" == "", url.path.hasPrefix("/"),
                isPicture(url.path)
            else { continue }
            paths[address] = url.path
        }
        return paths
    }

    private static func isPicture(_ path: String) -> Bool {
        guard let descriptor = try? ForeignFile.open(path) else { return false }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_size <= largest else { return false }
        var bytes = [UInt8](repeating: 0, count: 4)
        guard read(descriptor, &bytes, 4) == 4 else { return false }
        return beginnings.contains { bytes.starts(with: $0) }
    }
}

internal import Apps
internal import FoundationEssentials
internal import HunchModel
internal import Localization
import MapLinks
public import Places

/// The link forms of the user: the files `hunch/links/*.txt` in `$XDG_DATA_HOME`. They count before those of Hunch.
public struct OwnLinkForms: Sendable {
    /// The maximum number of files, and of bytes of each.
    private static let maximumFiles = 64
    private static let maximumBytes = 65_536

    /// The folder; `nil` if the user has no folder for data.
    public let folder: String?
    /// The paths of the files, by name.
    public let files: [String]
    private let forms: [LinkForms]
    /// The faults of the files, each as a file and one sentence. A form with a fault reads no link.
    public let problems: [(file: String, message: String)]

    /// Reads the files.
    ///
    /// - Parameter environment: environment variables, such as those of the process.
    public init(environment: [String: String]) {
        folder = BaseDirectories(environment: environment).dataHome.map { $0 + "/hunch/links" }
        let names = folder.flatMap { try? FileManager.default.contentsOfDirectory(atPath: $0) } ?? []
        let texts = names.filter { $0.hasSuffix(".txt") && !$0.hasPrefix(".") }.sorted()
        files = texts.prefix(Self.maximumFiles).compactMap { [folder] name in folder.map { "\($0)/\(name)" } }
        var (forms, problems): ([LinkForms], [(file: String, message: String)]) = ([], [])
        for file in files {
            guard let text = InstalledApps.text(ofFile: file), text.utf8.count <= Self.maximumBytes else {
                problems.append((file, localized("it cannot be read as text of at most %1 bytes", Self.maximumBytes)))
                continue
            }
            let read = LinkForms(text)
            problems += read.problems.map { ("\(file):\($0.line)", $0.message) }
            forms.append(read)
        }
        if texts.count > Self.maximumFiles {
            problems.append((folder ?? "", localized("it holds more than %1 files of link forms", Self.maximumFiles)))
        }
        (self.forms, self.problems) = (forms, problems)
    }

    /// A parser that reads `directions:` links, the user's forms, and all that Hunch knows.
    public var parser: PlaceParser {
        PlaceParser(rules: [DirectionsRule()] + forms + PlaceParser.standardRules)
    }
}

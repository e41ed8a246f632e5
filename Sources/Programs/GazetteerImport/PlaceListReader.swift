import BulkFiles
internal import HunchModel
internal import Localization
import Foundation
import Gazetteers

/// GNOME's place list, `Locations.xml` of libgweather 4, with names from the installed translations.
///
/// Source: `locations.dtd` next to the file.
struct PlaceListReader: SourceReader {
    /// The maximum number of bytes of the file.
    static let maximumSize = 64 << 20

    let path: String
    let kind = SourceKind.placeList

    init(path: String) { self.path = path }

    func read(into writer: GazetteerWriter, progress: (Double) -> Void) throws -> Int {
        let content: Data
        do {
            content = try Data(contentsOf: URL(fileURLWithPath: path), options: .mappedIfSafe)
        } catch {
            throw ImportError(
                .unreadable, localized("%1 cannot be read; check its permissions", path), underlying: error)
        }
        guard content.count <= Self.maximumSize else {
            throw ImportError(.tooLong, localized("%1 is larger than %2 bytes", path, Self.maximumSize))
        }
        return try withoutActuallyEscaping(progress) { progress in
            let document = PlaceListDocument(writer: writer, catalogs: catalogs(), progress: progress)
            try document.parse(content, path: path)
            return document.skipped
        }
    }

    /// Returns the catalogues `share/locale/*/LC_MESSAGES/libgweather-4.0-locations.mo`, located from
    /// `share/libgweather-4/Locations.xml`.
    private func catalogs() -> [GettextCatalog] {
        let share = URL(fileURLWithPath: path).deletingLastPathComponent().deletingLastPathComponent()
        let locales = share.appendingPathComponent("locale")
        let languages = (try? FileManager.default.contentsOfDirectory(atPath: locales.path)) ?? []
        return languages.sorted().compactMap { language in
            let file = locales.appendingPathComponent("\(language)/LC_MESSAGES/libgweather-4.0-locations.mo")
            guard let content = try? Data(contentsOf: file) else { return nil }
            return GettextCatalog(Array(content))
        }
    }
}

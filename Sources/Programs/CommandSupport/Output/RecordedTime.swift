internal import HistoryExport
package import FoundationEssentials
import History
import HunchModel
import Localization

/// The time of something recorded: in UTC for programs, in the user's time zone for people.
package struct RecordedTime: Encodable {
    private let date: Date

    package init(_ date: Date) { self.date = date }

    /// The time for a user.
    package var words: String { LocalDate.dated(date) }

    /// The time for a program, as in an export.
    package var text: String { ExportLine.text(of: date.milliseconds) }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

import FoundationEssentials
import History
import HunchModel
import Localization

/// The time of something recorded: in UTC for programs, in the user's time zone for people.
struct RecordedTime: Encodable {
    private let date: Date

    init(_ date: Date) { self.date = date }

    /// The time for a user.
    var words: String { LocalDate.dated(date) }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(ExportLine.text(of: date.milliseconds))
    }
}

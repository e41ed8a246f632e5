import FoundationEssentials
import History
import HunchModel
import Localization

/// The time of something recorded: in UTC for programs, in the person's time zone for people.
struct RecordedTime: Encodable {
    private let date: Date

    init(_ date: Date) { self.date = date }

    /// The time for a person.
    var words: String { LocalDate.dated(date) }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(ExportLine.text(of: date.milliseconds))
    }
}

/// The iCalendar text of a calendar.
struct CalendarText: Sendable {
    let text: String
    /// The folder of its file; `nil` for a whole calendar.
    var folder: String?
    /// The mail addresses of the calendar's owner, in lower case, to recognize declined invitations.
    var addresses: Set<String> = []

    init(text: String, folder: String? = nil) {
        self.text = text
        self.folder = folder
    }

    /// Creates the text of a calendar with some objects: time zones, events, and calendars with both.
    init(objects: [String], addresses: Set<String>) {
        let lines = ["BEGIN:VCALENDAR", "VERSION:2.0"] + objects + ["END:VCALENDAR", ""]
        text = lines.joined(separator: "\r\n")
        self.addresses = addresses
    }
}

/// The iCalendar text of a calendar.
struct CalendarText: Sendable {
    let text: String
    /// The mail addresses of the calendar's owner, in lower case, to recognize declined invitations.
    var addresses: Set<String> = []
}

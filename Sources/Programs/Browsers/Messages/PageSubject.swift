package import HunchModel
internal import MapLinks
package import Markup
internal import Places

/// The subject of a page in a browser.
package struct PageSubject: Hashable, Sendable {
    /// The address of the page.
    package let url: String
    /// The meaning of the page's structured data.
    package let meaning: Meaning
    /// The title of the subject.
    package let title: String
    /// The title of the page; empty if it has none.
    private let pageTitle: String

    /// Reads the subject of a page.
    ///
    /// - Parameter isOver: whether the reading must end now, because of a deadline.
    /// - Returns: `nil` if the page says nothing about a known kind of subject, or is a list of several, or if its address
    ///   is too long.
    package init?(_ page: BrowserMessage.Page, isOver: @escaping () -> Bool = { false }) {
        guard WebAddress.host(of: page.url) != nil, page.url.utf8.count <= Activity.Limit.url,
            let meaning = Markup(page: Array(page.html.utf8), address: page.url, isOver: isOver).meaning,
            !meaning.isOneOfMany
        else { return nil }
        let title = meaning.title ?? page.title
        guard !title.isEmpty else { return nil }
        (url, self.meaning, self.title) = (page.url, meaning, title.cut(toBytes: Activity.Limit.title))
        pageTitle = page.title.cut(toBytes: Activity.Limit.title)
    }

    /// The activity of the user while the page is in front.
    ///
    /// Music and videos are left to the browser's media player. Their activity has the title of the page, by which that
    /// player calls them, and completes what it says. Hunch remembers places, events and reservations. Other pages are only known while they are in front.
    package var activity: Activity {
        let isRemembered = [.place, .event, .reservation].contains(meaning.kind)
        let time = meaning.time
        return Activity(
            type: "org.hunch.browser.\(meaning.kind.rawValue)",
            title: media == nil || pageTitle.isEmpty ? title : pageTitle, webPageURL: url,
            place: isRemembered ? place : nil,
            contentIdentifier: url.cut(toBytes: Activity.Limit.identifier), group: Self.group(of: url),
            start: time?.start, end: time?.end, reservation: meaning.kind == .reservation ? meaning.type : nil,
            booking: meaning.booking, media: media,
            isEligibleForSearch: isRemembered, isEligibleForSuggestion: isRemembered)
    }

    /// The music or video of the page; `nil` if it is about something else.
    private var media: NowPlayingInfo? {
        guard meaning.kind == .media else { return nil }
        func text(_ field: Meaning.Field) -> String? { meaning.values[field]?.text.cut(toBytes: Activity.Limit.title) }
        return NowPlayingInfo(
            title: title, artists: [text(.creator)].compactMap(\.self), album: text(.series),
            artworkURL: meaning.values[.image].flatMap { WebAddress.host(of: $0.text) == nil ? nil : $0.text })
    }

    /// The place of the subject, if it has one.
    package var place: MapItem? { meaning.mapItem { (try? PlaceParser().parse($0))?.item.coordinate } }

    /// The description of the subject for the browser.
    package var found: BrowserAnswer.Found {
        BrowserAnswer.Found(
            title: title, kind: meaning.kind.rawValue, type: meaning.type, hasPlace: place != nil)
    }

    /// Returns the group of a page's activities: the host name of its site, without `www.`.
    package static func group(of url: String) -> String? {
        WebAddress.host(of: url).map { host in
            let host = host.lowercased()
            return (host.hasPrefix("www.") ? String(host.dropFirst(4)) : host).cut(toBytes: Activity.Limit.identifier)
        }
    }
}

import FoundationEssentials
import HunchModel
import Testing
import Triggers

/// The list of recently used documents (Desktop Bookmarks specification), as GTK 3.24 and KDE Frameworks 5.103 write it.
@Suite("Recent documents") struct RecentDocumentTests {
    private static let gtk = """
        <?xml version="1.0" encoding="UTF-8"?>
        <xbel version="1.0"
              xmlns:bookmark="http://www.freedesktop.org/standards/desktop-bookmarks"
              xmlns:mime="http://www.freedesktop.org/standards/shared-mime-info"
        >
          <bookmark href="file:///home/me/a%20b.txt" added="2026-11-25T19:47:21.165182Z" modified="2026-11-25T19:47:21.165187Z" visited="2026-11-25T19:47:21.165183Z">
            <info>
              <metadata owner="http://freedesktop.org">
                <mime:mime-type type="text/plain"/>
                <bookmark:groups><bookmark:group>Work</bookmark:group></bookmark:groups>
                <bookmark:applications>
                  <bookmark:application name="gedit" exec="&apos;gedit %u&apos;" modified="2026-11-25T19:47:21.165184Z" count="1"/>
                  <bookmark:application name="Kate" exec="&apos;org.kde.kate %u&apos;" modified="2026-11-20T08:00:00Z" count="7"/>
                </bookmark:applications>
              </metadata>
            </info>
          </bookmark>
          <bookmark href="file:///home/me/secret.txt" added="2026-11-25T19:47:21Z">
            <info><metadata owner="http://freedesktop.org">
              <mime:mime-type type="text/plain"/><bookmark:private/>
              <bookmark:applications><bookmark:application name="gedit" exec="gedit" timestamp="1764000000"/></bookmark:applications>
            </metadata></info>
          </bookmark>
          <bookmark href="file:///home/me/old.txt">
            <info><metadata><bookmark:applications>
              <bookmark:application name="gedit" exec="'gedit %u'" timestamp="1600000000" count="1"/>
              <bookmark:application name="broken" exec="'gedit %u'" modified="yesterday"/>
              <bookmark:application name="broken" timestamp="1600000000"/>
            </bookmark:applications></metadata></info>
          </bookmark>
        </xbel>
        """

    @Test("Each app that opened a document is an entry, the oldest first, without private documents")
    func entries() {
        let documents = RecentDocumentList(Array(Self.gtk.utf8)).documents
        #expect(documents.map(\.uri) == ["old.txt", "a%20b.txt", "a%20b.txt"].map { "file:///home/me/" + $0 })
        #expect(documents.map(\.command) == ["'gedit %u'", "'org.kde.kate %u'", "'gedit %u'"])
        #expect(documents.map(\.mimeType) == ["", "text/plain", "text/plain"])
        #expect(documents[0].date == Date(timeIntervalSince1970: 1_600_000_000))
    }

    @Test("A document with a date in the future is left out")
    func future() {
        let now = Date(timeIntervalSince1970: 1_790_000_000)
        func opened(_ ages: [Double], after seen: Double) -> [Double] {
            let bookmarks = ages.map { age in
                """
                <bookmark href="file:///a"><info><metadata><bookmark:applications><bookmark:application exec="gedit"
                modified="\((now - age).ISO8601Format())"/></bookmark:applications></metadata></info></bookmark>
                """
            }
            return RecentDocumentList(Array("<xbel>\(bookmarks.joined())</xbel>".utf8))
                .documents(openedAfter: now - seen, until: now).map { now.timeIntervalSince($0.date) }
        }
        #expect(opened([-86_400, 50, -1, 0, 200], after: 100) == [50, 0])
        #expect(opened([-4e10, 50], after: 100) == [50])
        // The clock was set back by an hour.
        #expect(opened([-3_600, -1_800, 10, 0], after: -3_600) == [])
    }

    @Test(
        "A cut or broken list keeps the entries before the fault",
        arguments: ["", "<", "<xbel>", String(gtk.prefix(1_400)), "not XML", "<!DOCTYPE x [<!ENTITY a 'b'>]><xbel/>"])
    func broken(text: String) {
        #expect(RecentDocumentList(Array(text.utf8)).documents.count <= 2)
    }
}

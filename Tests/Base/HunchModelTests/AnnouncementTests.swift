import FoundationEssentials
import HunchModel
import Testing

@Suite("Relevance of announcements")
struct AnnouncementTests {
    private let now = Date(timeIntervalSince1970: 1_700_000_000)

    @Test("Each trigger is read back from its text")
    func words() {
        let triggers =
            AudioDevice.Kind.allCases.map(Announcement.Trigger.device)
            + SessionEvent.allCases.map(Announcement.Trigger.session) + [.launch]
        for trigger in triggers { #expect(Announcement.Trigger(rawValue: trigger.rawValue) == trigger) }
        #expect(Set(triggers.map(\.rawValue)).count == triggers.count)
        #expect(Announcement.Trigger(rawValue: "toaster") == nil)
    }

    @Test(
        "A trigger limits relevance; without one, any device counts")
    func triggers() {
        let moments: [Announcement.Trigger?] = [.device(.car), .session(.unlocked), .launch, nil]
        for wanted in moments.compactMap(\.self) {
            let item = Announcement(item: "i", title: "t", trigger: wanted)
            for moment in moments {
                #expect(item.isRelevant(at: now, when: moment, near: nil) == (moment == wanted))
            }
        }
        let any = Announcement(item: "i", title: "t")
        #expect(moments.map { any.isRelevant(at: now, when: $0, near: nil) } == [true, false, false, false])
    }
}

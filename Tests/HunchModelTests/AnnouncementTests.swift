import FoundationEssentials
import HunchModel
import Testing

@Suite("When what an app announced is wanted")
struct AnnouncementTests {
    private let now = Date(timeIntervalSince1970: 1_700_000_000)

    @Test("each word for a trigger is read as it is written")
    func words() {
        let triggers =
            AudioDevice.Kind.allCases.map(Announcement.Trigger.device)
            + SessionEvent.allCases.map(Announcement.Trigger.session) + [.launch]
        for trigger in triggers { #expect(Announcement.Trigger(rawValue: trigger.rawValue) == trigger) }
        #expect(Set(triggers.map(\.rawValue)).count == triggers.count)
        #expect(Announcement.Trigger(rawValue: "toaster") == nil)
    }

    @Test(
        "what has a trigger is wanted at that alone; what has none at any device, and neither at a login nor a launch")
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

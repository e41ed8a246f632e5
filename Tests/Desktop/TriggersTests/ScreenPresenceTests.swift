import HunchModel
import TestSupport
import Testing

@testable import Triggers

@Suite("The person at the screen", .timeLimit(.minutes(15))) struct ScreenPresenceTests {
    /// The events, one letter each: `l` and `u`, the session is locked and unlocked; `v`, it comes to the front; `i`, logind's
    /// signal that the user unlocked one; `c`, `f` and `g`, a screen saver covers the screen, uncovers it, and ends.
    private func returns(_ told: String) -> (returns: Int, isSeen: Bool) {
        var presence = ScreenPresence()
        var returns = 0
        for letter in told {
            switch letter {
            case "l": presence.setOpen(false, byUnlocking: false)
            case "u": presence.setOpen(true, byUnlocking: true)
            case "v": presence.setOpen(true, byUnlocking: false)
            case "i": returns += presence.take(.unlocked) ? 1 : 0
            case "c": returns += presence.take(.covered) ? 1 : 0
            case "f": returns += presence.take(.lifted) ? 1 : 0
            default: returns += presence.take(.gone) ? 1 : 0
            }
        }
        return (returns, presence.isSeen)
    }

    @Test(
        "Lifting the screen saver or lock is one return, in any order",
        arguments: [
            ("cf", 1, true), ("cfcf", 2, true), ("c", 0, false), ("f", 0, true), ("lui", 1, true), ("luilui", 2, true),
            // With a lock below it, in every order of signals.
            ("clfui", 1, true), ("lcfui", 1, true), ("cluif", 1, true), ("clufi", 1, true), ("lcuif", 1, true),
            ("clf", 0, false), ("clui", 1, false),
            // Blanked, locked later, and again.
            ("cfcluifcf", 3, true), ("cflui", 2, true), ("clufilui", 2, true), ("cluicf", 1, true),
            ("cluifcluif", 2, true),
            // It crashed, which does not prove that a user is there.
            ("cg", 0, true), ("clg", 0, false), ("clgui", 1, true), ("cgcf", 1, true),
            // Another session came to the front, and then this one again.
            ("lv", 0, true), ("lvc", 0, false), ("lvcf", 1, true), ("clufc", 1, false),
            // A later unlocking at another seat is a separate return.
            ("lvcfi", 2, true),
        ])
    func orders(told: String, returns: Int, isSeen: Bool) {
        #expect(self.returns(told) == (returns, isSeen), "\(told)")
    }

    @Test("Logging in and resuming are reported under any screen cover")
    func others() {
        var presence = ScreenPresence()
        for cover in [ScreenCover.covered, .lifted, .gone] {
            _ = presence.take(cover)
            #expect(presence.take(.resumed) && presence.take(.sessionStarted))
        }
    }
}

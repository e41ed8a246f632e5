internal import HunchModel

/// Whether the person sees the screen, and what of what is told of it is a return of theirs: logind tells of sessions and screen
/// savers of themselves, in whichever order, and a return of which both tell is one.
struct ScreenPresence {
    /// As logind tells: a session is unlocked and in front.
    private var isOpen = true
    private var isCovered = false
    /// logind told of the unlocking while a screen saver still covered the screen.
    private var wasUnlockedBelow = false
    /// logind has yet to tell of the unlocking that it began to tell of.
    private var isUnlocking = false
    /// A screen saver told of the return in the meantime.
    private var wasLifted = false

    var isSeen: Bool { isOpen && !isCovered }

    /// Takes in whether a session of the person's is unlocked and in front.
    ///
    /// - Parameter byUnlocking: whether logind is about to tell that one was unlocked; another may only have come to the front.
    mutating func setOpen(_ isOpen: Bool, byUnlocking: Bool) {
        isUnlocking = isOpen && byUnlocking
        if !isOpen { wasLifted = false }
        self.isOpen = isOpen
    }

    /// Takes in what screen savers do. Returns whether the person came back: below a screen saver that lifts, the session may
    /// still be locked.
    mutating func take(_ cover: ScreenCover) -> Bool {
        let wasCovered = isCovered
        isCovered = cover == .covered
        if isCovered, !wasCovered { wasUnlockedBelow = false }
        guard cover == .lifted, wasCovered, isOpen, !wasUnlockedBelow else { return false }
        wasLifted = isUnlocking
        return true
    }

    /// Takes in what logind tells. Returns whether it has not been told of before.
    mutating func take(_ event: SessionEvent) -> Bool {
        guard event == .unlocked else { return true }
        defer { (isUnlocking, wasLifted) = (false, false) }
        if isCovered { wasUnlockedBelow = true }
        return !wasLifted
    }
}

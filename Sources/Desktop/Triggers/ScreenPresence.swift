internal import HunchModel

/// Whether the user sees the screen, and which events mean that the user came back.
///
/// logind and the screen savers report in either order. A return that both report counts once.
struct ScreenPresence {
    /// Whether a session is unlocked and in front, according to logind.
    private(set) var isOpen = true
    private var isCovered = false
    /// Whether logind reported an unlocking while a screen saver still covered the screen.
    private var wasUnlockedBelow = false
    /// Whether logind will report an unlocking next.
    private var isUnlocking = false
    /// Whether a screen saver reported the return before logind did.
    private var wasLifted = false

    var isSeen: Bool { isOpen && !isCovered }

    /// Records whether a session of the user's is unlocked and in front.
    ///
    /// - Parameter byUnlocking: whether logind reports an unlocking next. Otherwise, a session only came to the front.
    mutating func setOpen(_ isOpen: Bool, byUnlocking: Bool) {
        isUnlocking = isOpen && byUnlocking
        if !isOpen { wasLifted = false }
        self.isOpen = isOpen
    }

    /// Records what screen savers do. Returns whether the user came back, that is, to an unlocked session.
    mutating func take(_ cover: ScreenCover) -> Bool {
        let wasCovered = isCovered
        isCovered = cover == .covered
        if isCovered, !wasCovered { wasUnlockedBelow = false }
        guard cover == .lifted, wasCovered, isOpen, !wasUnlockedBelow else { return false }
        wasLifted = isUnlocking
        return true
    }

    /// Records an event of logind. Returns whether it is new.
    mutating func take(_ event: SessionEvent) -> Bool {
        guard event == .unlocked else { return true }
        defer { (isUnlocking, wasLifted) = (false, false) }
        if isCovered { wasUnlockedBelow = true }
        return !wasLifted
    }
}

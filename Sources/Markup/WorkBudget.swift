/// The work that is left for finding out what a page is about.
///
/// A page of a few bytes may mean much work, such as items that refer to each other. A step is about a tenth of a
/// microsecond, so that a whole budget is well below 200 ms.
final class WorkBudget {
    /// The number of steps for a page.
    static let standard = 1_000_000

    /// The number of steps that are left, at least 0.
    private(set) var steps: Int

    init(steps: Int = standard) { self.steps = steps }

    /// Whether steps are left.
    var isLeft: Bool { steps > 0 }

    /// Takes steps. Returns `false` once there were not enough.
    func spend(_ count: Int) -> Bool {
        guard count <= steps else {
            steps = 0
            return false
        }
        steps -= count
        return true
    }
}

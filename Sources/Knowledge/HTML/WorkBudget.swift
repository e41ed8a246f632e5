/// The work that is left for a page. All readers of the page share it.
///
/// A page of a few bytes may mean much work, such as items that refer to each other. A step is about a tenth of a
/// microsecond, so that a whole budget is well below 200 ms.
package final class WorkBudget {
    /// The number of steps for a page.
    static let standard = 1_000_000
    /// The number of steps between two questions whether the deadline has passed.
    private static let stepsBetweenQuestions = 1_000

    /// The number of steps that are left, at least 0.
    private(set) var steps: Int
    /// The steps that are kept for later readers.
    private var kept = 0
    private var nextQuestion: Int
    private let isOver: () -> Bool

    /// - Parameter isOver: whether the reading must end now, because of a deadline.
    package init(steps: Int = standard, isOver: @escaping () -> Bool = { false }) {
        (self.steps, nextQuestion, self.isOver) = (steps, steps - Self.stepsBetweenQuestions, isOver)
    }

    /// Whether steps are left.
    package var isLeft: Bool { steps > kept }

    /// Keeps half of the remaining steps for what comes after `body`. Returns whether `body` left some of its own.
    package func withHalf(_ body: () -> Void) -> Bool {
        kept = steps / 2
        defer { kept = 0 }
        body()
        return isLeft
    }

    /// Takes steps. Returns `false` once there were not enough.
    @discardableResult
    package func spend(_ count: Int) -> Bool {
        guard count <= steps - kept else {
            steps = min(steps, kept)
            return false
        }
        steps -= count
        guard steps < nextQuestion else { return true }
        nextQuestion = steps - Self.stepsBetweenQuestions
        if isOver() { (steps, kept) = (0, 0) }
        return isLeft
    }
}

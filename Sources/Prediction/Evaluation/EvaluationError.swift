public import HunchModel

/// Why a log cannot be replayed.
public typealias EvaluationError = CodedError<EvaluationErrorSubject>

/// What ``EvaluationError`` is about.
public enum EvaluationErrorSubject {}

extension EvaluationError.Code {
    /// More people than ``Evaluator/maximumUsers``.
    public static var tooManyUsers: Self { Self(rawValue: "tooManyUsers") }
    /// More actions than ``Evaluator/maximumActions``.
    public static var tooManyActions: Self { Self(rawValue: "tooManyActions") }
}

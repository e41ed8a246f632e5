public import HunchModel

/// A reason why a log cannot be replayed.
public typealias EvaluationError = CodedError<EvaluationErrorSubject>

/// The subject of ``EvaluationError``.
public enum EvaluationErrorSubject {}

extension EvaluationError.Code {
    /// There are more people than ``Evaluator/maximumUsers``.
    public static var tooManyUsers: Self { Self(rawValue: "tooManyUsers") }
    /// There are more actions than ``Evaluator/maximumActions``.
    public static var tooManyActions: Self { Self(rawValue: "tooManyActions") }
}

package import FoundationEssentials
package import HunchModel
import Localization

/// One place where personal data lies. Nothing personal is kept anywhere else.
package protocol PersonalStore: Sendable {
    /// Its name in the log, such as “search index”.
    nonisolated var title: String { get }
    /// Its name for people, with a reason in parentheses: “the search index (disk full)”.
    nonisolated func named(with reason: String) -> String
    /// Its part in forgetting what only the history knows (``HunchModel/ForgetScope/isToldByHistory``).
    nonisolated var role: PersonalStoreRole { get }

    /// Removes what a scope concerns, and returns how much.
    func forget(_ scope: ForgetScope) async throws -> [ForgetCount: UInt32]

    /// Removes data that is older than the history would keep it. Called once a day, and after the limit has changed.
    ///
    /// - Parameters:
    ///   - retentionDays: the time for which the history is kept, in days.
    ///   - now: the time of the clock.
    func removeExpired(retentionDays: Int, now: Date) async throws

    /// Writes what it keeps besides the history, for an export.
    ///
    /// - Parameter write: writes JSON objects, each in one line without its end. Returns `false` once the reader has
    ///   gone.
    func export(_ write: @Sendable (_ lines: [String]) async -> Bool) async throws
}

/// The part of a store in forgetting what only the history knows.
package enum PersonalStoreRole: Sendable {
    /// It provides what the scope concerns.
    case history
    /// It asks the history.
    case copy
    /// It knows what to forget by itself.
    case independent
}

extension PersonalStore {
    package nonisolated var role: PersonalStoreRole { .independent }
    package func removeExpired(retentionDays: Int, now: Date) async throws {}
    package func export(_ write: @Sendable (_ lines: [String]) async -> Bool) async throws {}
}

extension [any PersonalStore] {
    /// Forgets a scope in all stores, in their order: derived copies come before the history. If forgetting is cut
    /// short, the history still knows what to forget, and forgetting is repeated.
    ///
    /// Every store is tried, even after another one failed. But the history stays as long as copies failed that ask it.
    ///
    /// - Returns: the counts of all stores, and the errors of those that failed.
    package func forget(_ scope: ForgetScope) async -> (counts: [ForgetCount: UInt32], failure: ForgettingError?) {
        var counts: [ForgetCount: UInt32] = [:]
        var failures: [ForgettingError.Failure] = []
        var isHistoryNeeded = false
        for store in self {
            guard store.role != .history || !isHistoryNeeded else {
                failures.append(ForgettingError.Failure(store: store, error: HistoryNeeded()))
                continue
            }
            do {
                counts.merge(try await store.forget(scope)) { UInt32(clamping: Int($0) + Int($1)) }
            } catch {
                failures.append(ForgettingError.Failure(store: store, error: error))
                if store.role == .copy, scope.isToldByHistory { isHistoryNeeded = true }
            }
        }
        return (counts, failures.isEmpty ? nil : ForgettingError(failures: failures))
    }
}

/// The reason for which the history did not forget.
private struct HistoryNeeded: Error, CustomStringConvertible {
    var description: String { localized("the other stores need it to know what to forget") }
}

/// Some stores did not forget. All others did.
package struct ForgettingError: Error {
    /// A store that failed.
    package struct Failure: Sendable {
        package let store: any PersonalStore
        package let error: any Error
    }

    /// The stores that failed, at least one.
    package let failures: [Failure]

    /// Returns a sentence that names the stores, with the reasons.
    ///
    /// - Parameter reason: returns the message of an error.
    package func message(_ reason: (any Error) -> String) -> String {
        let stores = failures.map { $0.store.named(with: reason($0.error)) }.joined(separator: ", ")
        return localized("not forgotten: %1; everything else was forgotten; solve that, then forget again", stores)
    }
}

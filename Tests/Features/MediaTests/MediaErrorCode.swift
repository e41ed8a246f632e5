import HunchModel
import Media
import Players

/// Returns the code of the error that `body` throws; `nil` for success and for other errors.
nonisolated(nonsending) func mediaErrorCode(
    _ body: nonisolated(nonsending) () async throws -> Void
) async -> MediaError.Code? {
    do {
        try await body()
        return nil
    } catch {
        return (error as? MediaError)?.code
    }
}

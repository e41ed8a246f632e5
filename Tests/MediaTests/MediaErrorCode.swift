import HunchModel
import Media

/// The code of the error that `body` ends with; `nil` if it ends well, or with another error.
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

/// Packs files as Python's library does.
///
/// - Parameters:
///   - files: contents by their paths in the archive.
///   - directory: where the archive is made, and the files next to it in `in`.
///   - name: of the archive.
///   - deflate: whether the files are packed, or stored as they are.
/// - Throws: ``BenchError`` when Python fails.
public func zipArchive(
    of files: [String: String], into directory: TemporaryDirectory, as name: String, deflate: Bool = true
) async throws {
    for (file, content) in files { try directory.write(content, to: "in/\(file)") }
    let result = try await run(
        "python3",
        [
            "-c",
            """
            import sys, zipfile
            z = zipfile.ZipFile(sys.argv[1], "w", zipfile.ZIP_DEFLATED if sys.argv[2] == "1" else zipfile.ZIP_STORED)
            for f in sys.argv[4:]: z.write(sys.argv[3] + "/" + f, f)
            z.close()
            """, directory.file(name), deflate ? "1" : "0", directory.file("in"),
        ] + files.keys.sorted(), environment: [:])
    guard result.status == .exited(0) else { throw BenchError("no ZIP archive: \(result.standardError)") }
}

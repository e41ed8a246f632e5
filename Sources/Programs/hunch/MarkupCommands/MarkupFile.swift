import CommandSupport
import Files
import FoundationEssentials
import Glibc
import Localization
import Markup
import PlaceFiles

/// Reads the structured data of a page, a mail, a pass or a ticket.
enum MarkupFile {
    /// Returns the structured data of a file.
    ///
    /// - Parameters:
    ///   - name: the name of the file, for messages.
    ///   - address: the address of a page.
    /// - Throws: ``CommandError`` for an archive that is not a pass; `PlaceError` if a PDF file cannot be read.
    static func markup(of file: [UInt8], named name: String, address: String? = nil) throws -> Markup {
        if ItineraryExtractor.isPDF(file) {
            let search = ProcessInfo.processInfo.environment["PATH"] ?? ""
            return try ScratchFile.lend(file) {
                try ItineraryExtractor.page(inPDF: $0, named: name, search: search)
            }
        }
        if PassArchive.isArchive(file) {
            guard let pass = PassArchive.pass(in: file) else {
                throw CommandError(
                    localized("“%1” is an archive without a pass.json; give a .pkpass, a mail or a page", name),
                    ExitStatus.badInput)
            }
            return Markup(pass: pass)
        }
        return Markup.isMail(file)
            ? Markup(mail: file, unpack: PassArchive.pass) : Markup(page: file, address: address)
    }

    /// Returns the bytes of a file, or those of standard input for “-”.
    ///
    /// - Throws: ``CommandError`` for a file that cannot be read, and for one of more than 10 MB.
    static func bytes(of file: String) throws -> [UInt8] {
        let descriptor = try InputFile.open(file)
        defer { if descriptor != STDIN_FILENO { close(descriptor) } }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        // One byte more than a page may have shows that it is too long.
        while bytes.count <= Markup.maximumSize {
            let count = read(descriptor, &buffer, buffer.count)
            guard count >= 0 else {
                throw CommandError(
                    localized("“%1” cannot be read: %2", file, String(cString: strerror(errno))), ExitStatus.badInput)
            }
            if count == 0 { break }
            bytes += buffer[..<count]
        }
        guard bytes.count <= Markup.maximumSize else {
            throw CommandError(
                localized("“%1” is longer than %2; give a smaller page", file, LocalNumber.size(Markup.maximumSize)),
                ExitStatus.badInput, code: "tooLong")
        }
        return bytes
    }
}

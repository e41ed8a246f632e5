internal import TextEncodings
internal import HTML
internal import HunchModel
internal import JSON
internal import Localization

extension Markup {
    /// The media type of passes in Wallet.
    public static let passType = "application/vnd.apple.pkpass"

    /// Returns whether a file is a mail, by its header fields.
    public static func isMail(_ file: [UInt8]) -> Bool { MailMessage.isMail(file) }

    /// Reads a mail: the structured data of its HTML, its passes, invitations and plain texts.
    ///
    /// The lines of items and problems are those of the mail, as far as its parts are not encoded.
    ///
    /// - Parameters:
    ///   - mail: the mail, at most ``maximumSize`` bytes. More are left out, with a problem.
    ///   - unpack: returns the `pass.json` of an attached pass, which is a ZIP archive; `nil` if it is broken.
    public init(mail: [UInt8], unpack: ([UInt8]) -> [UInt8]?) {
        self.init()
        let budget = WorkBudget()
        let message = MailMessage(Array(mail.prefix(Self.maximumSize)))
        if mail.count > Self.maximumSize {
            problems.append(
                MarkupProblem(
                    line: 1, code: .limit, message: localized("the page is longer than %1 bytes", Self.maximumSize)))
        }
        for part in message.parts {
            let text = TextEncoding.utf8(part.content, labelled: part.encoding)
            switch part.type {
            case "text/calendar": texts.insert(String(decoding: text, as: UTF8.self), at: 0)
            case "text/plain": texts.append(String(decoding: text, as: UTF8.self))
            case "text/html":
                var page = Markup()
                _ = page.read(
                    part.encoding.isEmpty ? HTMLEncoding.utf8(part.content) : text, budget)
                add(page, from: part.line)
            case Self.passType:
                guard let json = unpack(part.content) else {
                    problems.append(
                        MarkupProblem(line: part.line, code: .notJSON, message: localized("the pass cannot be read")))
                    continue
                }
                var page = Markup()
                page.readPass(json)
                add(page, from: part.line)
            default: break
            }
        }
        title = message.subject
        understand(budget) { _, line in line }
    }

    /// Reads the `pass.json` of a pass.
    public init(pass: [UInt8]) {
        self.init()
        readPass(pass)
        understand(WorkBudget()) { _, line in line }
    }

    private mutating func readPass(_ json: [UInt8]) {
        var bytes = HTMLEncoding.utf8(json)
        bytes.append(0)
        var found: JSONValue?
        var reason = ""
        bytes.withUnsafeBufferPointer { buffer in
            do throws(JSONScanner.Fault) {
                var scanner = JSONScanner(nulTerminated: buffer)
                found = try scanner.value()
                try scanner.finish()
            } catch { reason = error.reason }
        }
        guard let found, reason.isEmpty else {
            problems.append(
                MarkupProblem(line: 1, code: .notJSON, message: localized("the pass cannot be read: %1", reason)))
            return
        }
        guard let pass = PassReader(found) else {
            problems.append(
                MarkupProblem(
                    line: 1, code: .incomplete,
                    message: localized("the file is not a Wallet pass: formatVersion or passTypeIdentifier is missing"))
            )
            return
        }
        if let item = pass.item { add([Item(syntax: .pass, line: 1, value: item)], []) }
    }

    /// Adds the data of a part that begins on a line.
    private mutating func add(_ part: Markup, from line: Int) {
        add(
            part.items.map { Item(syntax: $0.syntax, line: $0.line + line - 1, value: $0.value) },
            part.problems.map { MarkupProblem(line: $0.line + line - 1, code: $0.code, message: $0.message) })
        openGraph.merge(part.openGraph) { one, _ in one }
        twitter.merge(part.twitter) { one, _ in one }
        appLinks.merge(part.appLinks) { one, _ in one }
        smartAppBanner.merge(part.smartAppBanner) { one, _ in one }
        position.merge(part.position) { one, _ in one }
    }
}

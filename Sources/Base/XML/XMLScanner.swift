internal import CExpat
internal import HunchModel

/// Reads XML with expat, piece by piece and without a tree in memory.
package enum XMLScanner {
    /// The maximum nesting depth of elements.
    package static let maximumDepth = 64
    private static let firstPiece = 1 << 16

    /// The result of a scan.
    package enum Outcome {
        /// The document ended, or the receiver was done.
        case complete
        /// The document is longer than the limit.
        case tooLong
        /// The document cannot be read, for this reason as a sentence.
        case faulty(String)
    }

    /// Passes the elements of a document to a receiver.
    ///
    /// - Parameters:
    ///   - name: the file's name in faults.
    ///   - limit: the maximum size of the document, in bytes.
    ///   - allowsDocumentType: whether the document may declare its type. A declaration could define entities that
    ///     expand without limit, so allow it only in files of the system.
    ///   - read: returns the next bytes, at most the given number; none at the end.
    /// - Throws: errors of `read`.
    package static func scan<Failure: Error>(
        _ name: String, limit: Int, allowsDocumentType: Bool = false, into receiver: any XMLReceiver,
        _ read: (Int) throws(Failure) -> [UInt8]
    ) throws(Failure) -> Outcome {
        var bytes = try read(min(firstPiece, limit))
        var decoder = XMLDecoder(bytes)
        guard let parser = ExpatParser(encoding: decoder.isUTF16 ? "UTF-16" : "UTF-8") else {
            return .faulty("there is not enough memory to read \(name)")
        }
        let scan = Scan(parser.handle, receiver, allowsDocumentType: allowsDocumentType)
        return try withExtendedLifetime(scan) { () throws(Failure) in
            parser.report(to: scan)
            var left = limit
            var piece = firstPiece
            while true {
                left -= bytes.count
                let isLast = bytes.isEmpty
                guard parser.parse(decoder.decoded(bytes), isLast: isLast) else {
                    return receiver.isDone ? .complete : .faulty(fault(in: name, parser, scan))
                }
                if isLast { return .complete }
                guard left > 0 else { return .tooLong }
                // Before 2.6, expat parses an incomplete token again with each piece. With pieces of constant size, a
                // token of megabytes would take minutes (CVE-2023-52425).
                piece *= 2
                bytes = try read(min(piece, left))
            }
        }
    }

    private static func fault(in name: String, _ parser: borrowing ExpatParser, _ scan: Scan) -> String {
        let place = "\(name) is broken in line \(parser.line)"
        return switch scan.refusal {
        case .documentType: "\(name) has a document type declaration, which is not allowed; export it again"
        case .depth: "\(place): elements are nested more than \(maximumDepth) deep"
        case nil: "\(place) (\(parser.fault)); export or copy it again"
        }
    }
}

/// An owned expat parser.
private struct ExpatParser: ~Copyable {
    let handle: OpaquePointer

    /// Creates a parser.
    ///
    /// - Parameter encoding: the encoding of the bytes, whatever the document declares. A byte order mark, or the first
    ///   character without one, gives the byte order of “UTF-16”.
    init?(encoding: String) {
        // NULL: out of memory.
        guard let handle = XML_ParserCreate(encoding) else { return nil }
        self.handle = handle
    }

    deinit { XML_ParserFree(handle) }

    var line: Int { Int(clamping: XML_GetCurrentLineNumber(handle)) }
    /// The error in expat's words.
    var fault: String {
        // NULL for an unknown code.
        XML_ErrorString(XML_GetErrorCode(handle)).map { String(cString: $0) } ?? "not well-formed"
    }

    /// Parses the next bytes. Returns `false` on an error, and after the scan has stopped.
    func parse(_ bytes: [UInt8], isLast: Bool) -> Bool {
        bytes.withUnsafeBytes { bytes in
            // Anything but XML_STATUS_OK is a failure. expat does not retain the bytes.
            XML_Parse(
                handle, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(clamping: bytes.count),
                isLast ? 1 : 0) == XML_STATUS_OK
        }
    }

    /// Registers a scan for the events of the parser, which does not retain it. The caller keeps it alive.
    func report(to scan: Scan) {
        XML_SetUserData(handle, Unmanaged.passUnretained(scan).toOpaque())
        XML_SetElementHandler(
            handle, { Scan.of($0)?.start($1, $2) }, { context, _ in Scan.of(context)?.end() })
        XML_SetCharacterDataHandler(handle) { Scan.of($0)?.characters($1, $2) }
        XML_SetStartDoctypeDeclHandler(handle) { context, _, _, _, _ in Scan.of(context)?.documentType() }
        if !scan.allowsDocumentType {
            // Makes expat report an undeclared entity instead of refusing the document.
            XML_UseForeignDTD(handle, XML_Bool(XML_TRUE))
            XML_SetSkippedEntityHandler(handle) { context, name, _ in Scan.of(context)?.entity(name) }
        }
        if scan.wantsComments { XML_SetCommentHandler(handle) { Scan.of($0)?.comment($1) } }
    }
}

/// The state of a scan: the open elements.
private final class Scan {
    enum Refusal { case documentType, depth }

    private struct Open {
        let wanted: Int
        var text: [UInt8] = []
        var isCut = false
    }

    private(set) var refusal: Refusal?
    private let parser: OpaquePointer
    private let receiver: any XMLReceiver
    private var path: [String] = []
    private var open: [Open] = []

    let allowsDocumentType: Bool

    init(_ parser: OpaquePointer, _ receiver: any XMLReceiver, allowsDocumentType: Bool) {
        self.parser = parser
        self.receiver = receiver
        self.allowsDocumentType = allowsDocumentType
    }

    var wantsComments: Bool { receiver.wantsComments }

    static func of(_ context: UnsafeMutableRawPointer?) -> Scan? {
        context.map { Unmanaged<Scan>.fromOpaque($0).takeUnretainedValue() }
    }

    /// After a stop, expat may still report the end of an empty element.
    private var hasStopped: Bool { refusal != nil || receiver.isDone }

    func start(_ name: UnsafePointer<CChar>?, _ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>?) {
        guard !hasStopped, let name else { return }
        guard path.count < XMLScanner.maximumDepth else { return refuse(.depth) }
        let element = XMLElement(name: Self.localName(name), attributes: Self.pairs(attributes))
        open.append(Open(wanted: receiver.start(element, in: path)))
        path.append(element.name)
        if receiver.isDone { stop() }
    }

    func end() {
        guard !hasStopped, let name = path.popLast(), let element = open.popLast() else { return }
        let text = String(decoding: element.text, as: UTF8.self)
        receiver.end(
            XMLText(
                name: name, text: element.isCut ? text.cut(toBytes: element.wanted) : text, isCut: element.isCut),
            in: path)
        if receiver.isDone { stop() }
    }

    func characters(_ bytes: UnsafePointer<CChar>?, _ count: Int32) {
        guard let bytes else { return }
        append(UnsafeRawBufferPointer(start: bytes, count: max(0, Int(count))))
    }

    func entity(_ name: UnsafePointer<CChar>?) {
        guard !hasStopped, let name else { return }
        let entity = String(cString: name)
        var text = receiver.text(ofEntity: entity) ?? "&\(entity);"
        text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
    }

    private func append(_ piece: UnsafeRawBufferPointer) {
        guard !hasStopped, let last = open.indices.last, open[last].wanted > 0 else { return }
        // Keep up to three more bytes than wanted, so that the last scalar is whole. `end` cuts the text between
        // scalars.
        let space = open[last].wanted + 3 - open[last].text.count
        open[last].text += piece.prefix(space)
        if piece.count > space { open[last].isCut = true }
    }

    func comment(_ text: UnsafePointer<CChar>?) {
        guard !hasStopped, let text else { return }
        receiver.comment(String(cString: text), in: path)
    }

    func documentType() {
        if !allowsDocumentType { refuse(.documentType) }
    }

    func refuse(_ refusal: Refusal) {
        guard !hasStopped else { return }
        self.refusal = refusal
        stop()
    }

    private func stop() {
        // XML_STATUS_ERROR if it has already stopped, which is fine.
        XML_StopParser(parser, 0)
    }

    private static func localName(_ name: UnsafePointer<CChar>) -> String {
        let name = String(cString: name)
        return name.utf8.lastIndex(of: UInt8(ascii: ":")).map { String(name[name.utf8.index(after: $0)...]) } ?? name
    }

    /// Returns the attributes of expat's list: alternating names and values, terminated by NULL.
    private static func pairs(_ list: UnsafeMutablePointer<UnsafePointer<CChar>?>?) -> [String: String] {
        guard let list else { return [:] }
        var pairs: [String: String] = [:]
        var index = 0
        while let name = list[index], let value = list[index + 1] {
            pairs[localName(name)] = String(cString: value)
            index += 2
        }
        return pairs
    }
}

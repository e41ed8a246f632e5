import CMalloc
import Glibc

/// Runs fuzzers and measures what they take.
public struct Session {
    /// The result of one fuzzer.
    public struct Report: Sendable {
        /// Of the fuzzer.
        public let name: String
        /// The number of runs of the parser.
        public var executions = 0
        /// The longest run in seconds, and its input.
        public var slowest = (seconds: 0.0, input: [UInt8]())
        /// The number of bytes by which the process grew after its first tenth.
        public var growth = 0
    }

    /// A run that takes longer than this ends the process with SIGALRM, in seconds.
    private static let patience: UInt32 = 60
    /// The maximum size of the kept input of a run that ends the process.
    private static let keptLength = 1 << 17

    private let seed: UInt64
    private let corpus: Corpus
    private let kept: UnsafeMutableRawBufferPointer?

    /// Prepares a session.
    ///
    /// - Parameter file: keeps the input of the run under way, its length in eight bytes before it, so that it is known
    ///   what ended the process.
    public init(seed: UInt64, corpus: Corpus, file: String? = nil) {
        self.seed = seed
        self.corpus = corpus
        kept = file.flatMap(Self.map)
    }

    private static func map(_ path: String) -> UnsafeMutableRawBufferPointer? {
        let descriptor = open(path, O_CREAT | O_RDWR | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        guard ftruncate(descriptor, keptLength) == 0,
            let start = mmap(nil, keptLength, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0), start != MAP_FAILED
        else { return nil }
        return UnsafeMutableRawBufferPointer(start: start, count: keptLength)
    }

    /// Runs a fuzzer for a number of executions, or for a number of seconds.
    public func run(_ fuzzer: Fuzzer, executions: Int = .max, seconds: Double = .infinity) -> Report {
        var report = Report(name: fuzzer.name)
        let name = fuzzer.name.utf8.reduce(into: seed) { $0 = ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        var mutator = Mutator(seed: name, corpus: corpus.inputs(for: fuzzer.name))
        let begin = Self.now
        var before = begin
        var base: Int?
        while report.executions < executions, before - begin < seconds {
            let input = mutator.next()
            if let kept {
                kept.storeBytes(of: input.count, as: Int.self)
                kept[8...].copyBytes(from: input)
            }
            if report.executions % 256 == 0 { alarm(Self.patience) }
            fuzzer.run(input)
            report.executions += 1
            let now = Self.now
            if now - before > report.slowest.seconds { report.slowest = (now - before, input) }
            before = now
            let isWarm =
                executions == .max ? now - begin > seconds / 10 : report.executions >= min(executions / 10, 20_000)
            if base == nil, isWarm { base = Self.residentBytes }
        }
        alarm(0)
        report.growth = Self.residentBytes - (base ?? Self.residentBytes)
        return report
    }

    private static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    private static var residentBytes: Int {
        malloc_trim(0)
        var bytes = [CChar](repeating: 0, count: 128)
        guard let file = fopen("/proc/self/statm", "r") else { return 0 }
        defer { fclose(file) }
        guard fgets(&bytes, 128, file) != nil else { return 0 }
        let text = String(decoding: bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        let fields = text.split(separator: " ")
        return fields.count > 1 ? (Int(fields[1]) ?? 0) * sysconf(Int32(_SC_PAGESIZE)) : 0
    }
}

import Fuzzing
import Glibc

// usage: fuzz PACKAGE SECONDS [FUZZER...]     runs all parsers, or those named, for SECONDS in all
func complain(_ text: String) {
    let line = Array("\(text)\n".utf8)
    _ = write(STDERR_FILENO, line, line.count)
}

let arguments = CommandLine.arguments.dropFirst()
guard arguments.count >= 2, let root = arguments.first, let seconds = Double(arguments[2]) else {
    complain("usage: fuzz PACKAGE SECONDS [FUZZER...]")
    exit(2)
}
let wanted = Set(arguments.dropFirst(2))
let fuzzers = Fuzzer.all.filter { wanted.isEmpty || wanted.contains($0.name) }
guard !fuzzers.isEmpty else {
    complain("fuzz: unknown parser; use some of \(Fuzzer.all.map(\.name).joined(separator: ", "))")
    exit(2)
}
// The input that ended the process is found there, and another seed is used each time.
let file = "/dev/shm/hunch-fuzz-input"
let seed = UInt64.random(in: 0 ... .max)
let session = Session(seed: seed, corpus: try Corpus(ofPackage: root), file: file)
print("seed \(seed); the input of the run under way is in \(file)")
var total = 0
var isClean = true
for fuzzer in fuzzers {
    let report = session.run(fuzzer, seconds: seconds / Double(fuzzers.count))
    total += report.executions
    let isSlow = report.slowest.seconds > 1
    let grows = report.growth > 64 << 20
    if isSlow || grows { isClean = false }
    print(
        "\(fuzzer.name): \(report.executions) runs, the longest \(report.slowest.seconds) s\(isSlow ? " (HANGS)" : ""), "
            + "\(report.growth >> 10) KiB more memory\(grows ? " (GROWS)" : "")")
    // A pipe would keep it until the end, which a trap prevents.
    fflush(nil)
    if isSlow {
        let shown = report.slowest.input.prefix(300).map { String($0, radix: 16) }.joined(separator: " ")
        print("  its input: \(String(decoding: report.slowest.input.prefix(300), as: UTF8.self)) (\(shown))")
    }
}
print("\(total) runs in all")
exit(isClean ? 0 : 1)

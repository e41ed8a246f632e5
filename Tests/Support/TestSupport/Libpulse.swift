import Glibc

/// Keeps libpulse in the test process out of the tester's home folder, where it would create its cookie and a link to a
/// folder for its sockets.
let libpulseIsElsewhere: Void = {
    // A path that can neither exist nor be created, so that libpulse finds only servers that a test names.
    setenv("PULSE_RUNTIME_PATH", "/dev/null/pulse", 1)
    var template = Array("/tmp/hunch.XXXXXX".utf8CString)
    let file = mkstemp(&template)
    guard file >= 0, unlink(template) == 0 else { return }
    setenv("PULSE_COOKIE", "/proc/self/fd/\(file)", 1)
}()

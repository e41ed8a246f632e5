#include "build.h"

// A change of the commit compiles this file only, and links the programs again.
const char *const hunch_commit = HUNCH_COMMIT;

#ifndef HUNCH_BUILD_H
#define HUNCH_BUILD_H

/// The commit from which the programs were built; empty for a build that `make release` did not make.
extern const char *_Nonnull const hunch_commit;

#endif

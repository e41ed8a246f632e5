/* Loads a folder of coverage files with GEOS's own GeoJSON reader and looks up points: prepared geometry and an STR tree.
 * usage: region_check FOLDER COUNT; prints: parse milliseconds, load milliseconds, points per second, hits,
 * peak resident KiB */
#include <dirent.h>
#include <geos_c.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

static uint64_t state = 42;

static double next(void) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (double)(state >> 11) / (double)(UINT64_C(1) << 53);
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1e3 + t.tv_nsec / 1e6;
}

static char *text_of(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file) return NULL;
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    char *text = malloc(size + 1);
    text[fread(text, 1, size, file)] = 0;
    fclose(file);
    return text;
}

static GEOSContextHandle_t geos;
static const GEOSPreparedGeometry *prepared[10000];
static size_t candidates[10000];
static size_t candidate_count;

static void candidate(void *item, void *unused) {
    (void)unused;
    candidates[candidate_count++] = (size_t)item - 1;
}

int main(int argc, char **argv) {
    if (argc != 3) return 2;
    geos = GEOS_init_r();
    GEOSGeoJSONReader *reader = GEOSGeoJSONReader_create_r(geos);
    GEOSSTRtree *tree = GEOSSTRtree_create_r(geos, 10);
    double start = now(), parsing = 0;
    size_t count = 0;
    DIR *folder = opendir(argv[1]);
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        char path[4096];
        if (!strstr(entry->d_name, ".geojson")) continue;
        snprintf(path, sizeof path, "%s/%s", argv[1], entry->d_name);
        double before = now();
        char *text = text_of(path);
        GEOSGeometry *shape = GEOSGeoJSONReader_readGeometry_r(geos, reader, text);
        free(text);
        parsing += now() - before;
        if (!shape || count == 10000) return 1;
        prepared[count] = GEOSPrepare_r(geos, shape);
        double x, y;
        GEOSGeom_getXMin_r(geos, shape, &x);
        GEOSGeom_getYMin_r(geos, shape, &y);
        GEOSGeometry *corner = GEOSGeom_createPointFromXY_r(geos, x, y);
        GEOSPreparedIntersects_r(geos, prepared[count], corner);
        GEOSGeom_destroy_r(geos, corner);
        GEOSSTRtree_insert_r(geos, tree, shape, (void *)(count + 1));
        count++;
    }
    GEOSGeometry *nowhere = GEOSGeom_createPointFromXY_r(geos, 0, 0);
    GEOSSTRtree_query_r(geos, tree, nowhere, candidate, NULL);
    double loaded = now();

    long points = atol(argv[2]);
    double *places = malloc(2 * points * sizeof *places);
    for (long i = 0; i < points; i++) {
        places[2 * i + 1] = next() * 170 - 85;
        places[2 * i] = next() * 350 - 175;
    }
    double ready = now();
    long hits = 0;
    for (long i = 0; i < points; i++) {
        GEOSGeometry *point = GEOSGeom_createPointFromXY_r(geos, places[2 * i], places[2 * i + 1]);
        candidate_count = 0;
        GEOSSTRtree_query_r(geos, tree, point, candidate, NULL);
        for (size_t c = 0; c < candidate_count; c++)
            hits += GEOSPreparedIntersects_r(geos, prepared[candidates[c]], point) == 1;
        GEOSGeom_destroy_r(geos, point);
    }
    double seconds = (now() - ready) / 1e3;
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf("%f %f %f %ld %ld\n", parsing, loaded - start, points / seconds, hits, usage.ru_maxrss);
    return 0;
}

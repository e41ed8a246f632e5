// Tells the agent what was done, in batches, one call after the other, as a script that the person allowed.
// usage: donor SCRIPT BATCHES SIZE   prints donations a second, and milliseconds of a call: median and 99th percentile
#include <dbus/dbus.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return t.tv_sec + t.tv_nsec / 1e9;
}

static void text(DBusMessageIter *map, const char *key, const char *value) {
    DBusMessageIter entry, held;
    dbus_message_iter_open_container(map, DBUS_TYPE_DICT_ENTRY, NULL, &entry);
    dbus_message_iter_append_basic(&entry, DBUS_TYPE_STRING, &key);
    dbus_message_iter_open_container(&entry, DBUS_TYPE_VARIANT, "s", &held);
    dbus_message_iter_append_basic(&held, DBUS_TYPE_STRING, &value);
    dbus_message_iter_close_container(&entry, &held);
    dbus_message_iter_close_container(map, &entry);
}

static void pair(DBusMessageIter *map, const char *key, const char *value) {
    DBusMessageIter entry;
    dbus_message_iter_open_container(map, DBUS_TYPE_DICT_ENTRY, NULL, &entry);
    dbus_message_iter_append_basic(&entry, DBUS_TYPE_STRING, &key);
    dbus_message_iter_append_basic(&entry, DBUS_TYPE_STRING, &value);
    dbus_message_iter_close_container(map, &entry);
}

// One play of one of 5,000 episodes, within the last 100 days.
static void play(DBusMessageIter *items, const char *script, uint32_t *random) {
    DBusMessageIter map, entry, held, parameters;
    char application[80], item[80], title[80];
    const char *key = "parameters", *date = "date";
    *random = *random * 1664525u + 1013904223u;
    unsigned episode = (*random >> 8) % 5000;
    dbus_uint64_t when = (dbus_uint64_t)((now(CLOCK_REALTIME) - (*random >> 8) % 8640000) * 1e6);
    snprintf(application, sizeof application, "script:%s", script);
    snprintf(item, sizeof item, "https://media.example/%u/%u", episode % 40, episode);
    snprintf(title, sizeof title, "Episode %u", episode);
    dbus_message_iter_open_container(items, DBUS_TYPE_ARRAY, "{sv}", &map);
    text(&map, "app", application);
    text(&map, "kind", "playMedia");
    dbus_message_iter_open_container(&map, DBUS_TYPE_DICT_ENTRY, NULL, &entry);
    dbus_message_iter_append_basic(&entry, DBUS_TYPE_STRING, &key);
    dbus_message_iter_open_container(&entry, DBUS_TYPE_VARIANT, "a{ss}", &held);
    dbus_message_iter_open_container(&held, DBUS_TYPE_ARRAY, "{ss}", &parameters);
    pair(&parameters, "item", item);
    pair(&parameters, "title", title);
    dbus_message_iter_close_container(&held, &parameters);
    dbus_message_iter_close_container(&entry, &held);
    dbus_message_iter_close_container(&map, &entry);
    dbus_message_iter_open_container(&map, DBUS_TYPE_DICT_ENTRY, NULL, &entry);
    dbus_message_iter_append_basic(&entry, DBUS_TYPE_STRING, &date);
    dbus_message_iter_open_container(&entry, DBUS_TYPE_VARIANT, "t", &held);
    dbus_message_iter_append_basic(&held, DBUS_TYPE_UINT64, &when);
    dbus_message_iter_close_container(&entry, &held);
    dbus_message_iter_close_container(&map, &entry);
    dbus_message_iter_close_container(items, &map);
}

// How many items of an answer were refused: each refusal has more keys than “accepted”.
static int refused(DBusMessage *reply) {
    DBusMessageIter top, results, map;
    int count = 0;
    dbus_message_iter_init(reply, &top);
    for (dbus_message_iter_recurse(&top, &results); dbus_message_iter_get_arg_type(&results); dbus_message_iter_next(&results)) {
        dbus_message_iter_recurse(&results, &map);
        count += dbus_message_iter_next(&map);
    }
    return count;
}

static int order(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

int main(int argc, char **argv) {
    if (argc != 4) return 2;
    int batches = atoi(argv[2]), size = atoi(argv[3]);
    DBusConnection *bus = dbus_bus_get(DBUS_BUS_SESSION, NULL);
    double *times = calloc(batches, sizeof(double)), sum = 0;
    if (!bus || !times) return 1;
    uint32_t random = 1;
    for (int b = 0; b < batches; b++) {
        DBusMessageIter top, items;
        DBusError error;
        dbus_error_init(&error);
        DBusMessage *call = dbus_message_new_method_call("org.hunch.Agent1", "/org/hunch/Agent1", "org.hunch.Donations1", "Donate");
        dbus_message_iter_init_append(call, &top);
        dbus_message_iter_open_container(&top, DBUS_TYPE_ARRAY, "a{sv}", &items);
        for (int i = 0; i < size; i++) play(&items, argv[1], &random);
        dbus_message_iter_close_container(&top, &items);
        double start = now(CLOCK_MONOTONIC);
        DBusMessage *reply = dbus_connection_send_with_reply_and_block(bus, call, 60000, &error);
        if (!reply) {
            fprintf(stderr, "donor: %s\n", error.message);
            return 1;
        }
        sum += times[b] = now(CLOCK_MONOTONIC) - start;
        if (refused(reply)) {
            fprintf(stderr, "donor: %d of %d were refused\n", refused(reply), size);
            return 1;
        }
        dbus_message_unref(reply);
        dbus_message_unref(call);
    }
    qsort(times, batches, sizeof(double), order);
    printf("%.0f %.2f %.2f\n", (double)batches * size / sum, times[batches / 2] * 1e3, times[batches * 99 / 100] * 1e3);
    return 0;
}

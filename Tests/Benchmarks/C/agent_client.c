// Calls the agent as any program does.
// usage: agent_client calls CALLS ROUNDS   the plain C echo, the agent's property Version, a request for directions and
//                                          the C peer's messages of the same sizes as that, in rounds that alternate;
//                                          prints of each the median and the 99th percentile of sequential calls, in
//                                          microseconds
//        agent_client first                one request for directions, which has the bus start the agent; prints the
//                                          milliseconds to the answer and the agent's process
//        agent_client during SECONDS       the agent's property Version, 200 times a second; prints how many answers there
//                                          were, the median, the 99th percentile and the longest, in milliseconds
#include <dbus/dbus.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define AGENT "org.hunch.Agent1"
#define ROOT "/org/hunch/Agent1"

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec / 1e9;
}

static DBusMessage *echo(void) {
    const char *text = "the quick brown fox jumps over the lazy dog";
    DBusMessage *m = dbus_message_new_method_call("org.hunch.Benchmark.C", "/echo", "org.hunch.Benchmark", "Echo");
    dbus_message_append_args(m, DBUS_TYPE_STRING, &text, DBUS_TYPE_INVALID);
    return m;
}

static DBusMessage *version(void) {
    const char *interface = AGENT, *property = "Version";
    DBusMessage *m = dbus_message_new_method_call(AGENT, ROOT, "org.freedesktop.DBus.Properties", "Get");
    dbus_message_append_args(m, DBUS_TYPE_STRING, &interface, DBUS_TYPE_STRING, &property, DBUS_TYPE_INVALID);
    return m;
}

static DBusMessage *suggest(void) {
    const char *key = "uri", *link = "geo:37.7936,-122.3930";
    DBusMessage *m = dbus_message_new_method_call(AGENT, ROOT, "org.hunch.Directions1", "Suggest");
    DBusMessageIter top, map, entry, value;
    dbus_message_iter_init_append(m, &top);
    dbus_message_iter_open_container(&top, DBUS_TYPE_ARRAY, "{sv}", &map);
    dbus_message_iter_open_container(&map, DBUS_TYPE_DICT_ENTRY, NULL, &entry);
    dbus_message_iter_append_basic(&entry, DBUS_TYPE_STRING, &key);
    dbus_message_iter_open_container(&entry, DBUS_TYPE_VARIANT, "s", &value);
    dbus_message_iter_append_basic(&value, DBUS_TYPE_STRING, &link);
    dbus_message_iter_close_container(&entry, &value);
    dbus_message_iter_close_container(&map, &entry);
    dbus_message_iter_close_container(&top, &map);
    return m;
}

// Whether an answer to a request for directions offers something.
static int offers(DBusMessage *reply) {
    DBusMessageIter top, paths;
    if (!dbus_message_has_signature(reply, "a{sv}aoaa{sv}")) return 0;
    dbus_message_iter_init(reply, &top);
    dbus_message_iter_next(&top);
    dbus_message_iter_recurse(&top, &paths);
    return dbus_message_iter_get_arg_type(&paths) == DBUS_TYPE_OBJECT_PATH;
}

// How long the texts are with which the peer's question and answer are as long as those about directions.
static size_t question, answer;

static DBusMessage *fill(void) {
    static char text[4096];
    if (!*text) memset(text, 'x', question < sizeof text ? question : sizeof text - 1);
    const char *bytes = text;
    dbus_uint32_t length = answer;
    DBusMessage *m = dbus_message_new_method_call("org.hunch.Benchmark.C", "/echo", "org.hunch.Benchmark", "Fill");
    dbus_message_append_args(m, DBUS_TYPE_STRING, &bytes, DBUS_TYPE_UINT32, &length, DBUS_TYPE_INVALID);
    return m;
}

static size_t size(DBusMessage *m) {
    char *bytes;
    int length;
    // It has to have a number to be written out.
    if (!dbus_message_get_serial(m)) dbus_message_set_serial(m, 1);
    if (!dbus_message_marshal(m, &bytes, &length)) exit(1);
    dbus_free(bytes);
    return length;
}

static DBusMessage *ask(DBusConnection *bus, DBusMessage *call) {
    DBusError error;
    dbus_error_init(&error);
    DBusMessage *reply = dbus_connection_send_with_reply_and_block(bus, call, 30000, &error);
    if (!reply) {
        fprintf(stderr, "agent_client: %s.%s: %s\n", dbus_message_get_interface(call), dbus_message_get_member(call), error.message);
        exit(1);
    }
    return reply;
}

static int order(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static int first(DBusConnection *bus) {
    DBusMessage *call = suggest();
    double start = now();
    DBusMessage *reply = ask(bus, call);
    double time = now() - start;
    if (!offers(reply)) {
        fprintf(stderr, "agent_client: nothing was offered\n");
        return 1;
    }
    const char *name = AGENT;
    DBusMessage *who = dbus_message_new_method_call("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "GetConnectionUnixProcessID");
    dbus_message_append_args(who, DBUS_TYPE_STRING, &name, DBUS_TYPE_INVALID);
    dbus_uint32_t process;
    if (!dbus_message_get_args(ask(bus, who), NULL, DBUS_TYPE_UINT32, &process, DBUS_TYPE_INVALID)) return 1;
    printf("%.1f %u\n", time * 1e3, process);
    return 0;
}

static int calls(DBusConnection *bus, int count, int rounds) {
    struct { const char *name; DBusMessage *(*make)(void); double *times; } kinds[] = {
        {"echo", echo, NULL}, {"version", version, NULL}, {"suggest", suggest, NULL}, {"peer", fill, NULL}};
    const int known = sizeof kinds / sizeof *kinds;
    size_t total = (size_t)count * rounds;
    DBusMessage *request = suggest(), *reply = ask(bus, request), *empty = fill();
    question = size(request) > size(empty) ? size(request) - size(empty) : 0;
    DBusMessage *shortest = ask(bus, empty);
    answer = size(reply) > size(shortest) ? size(reply) - size(shortest) : 0;
    for (int k = 0; k < known; k++) {
        kinds[k].times = calloc(total, sizeof(double));
        if (!kinds[k].times) return 1;
        for (int i = 0; i < 100; i++) dbus_message_unref(ask(bus, kinds[k].make()));
    }
    for (int r = 0; r < rounds; r++) {
        for (int k = 0; k < known; k++) {
            for (int i = 0; i < count; i++) {
                DBusMessage *call = kinds[k].make();
                double start = now();
                DBusMessage *reply = ask(bus, call);
                kinds[k].times[(size_t)r * count + i] = (now() - start) * 1e6;
                if (kinds[k].make == suggest && !offers(reply)) return 1;
                dbus_message_unref(reply);
                dbus_message_unref(call);
            }
        }
    }
    for (int k = 0; k < known; k++) {
        qsort(kinds[k].times, total, sizeof(double), order);
        printf("%s %.1f %.1f\n", kinds[k].name, kinds[k].times[total / 2], kinds[k].times[total * 99 / 100]);
    }
    return 0;
}

static int during(DBusConnection *bus, double seconds) {
    size_t total = (size_t)(seconds * 200);
    double *times = calloc(total, sizeof(double));
    if (!times || !total) return 1;
    double begin = now();
    for (size_t i = 0; i < total; i++) {
        DBusMessage *call = version();
        double start = now();
        dbus_message_unref(ask(bus, call));
        times[i] = (now() - start) * 1e3;
        dbus_message_unref(call);
        double rest = begin + (i + 1) / 200.0 - now();
        if (rest > 0) {
            struct timespec pause = {0, (long)(rest * 1e9)};
            nanosleep(&pause, NULL);
        }
    }
    qsort(times, total, sizeof(double), order);
    printf("%zu %.3f %.3f %.3f\n", total, times[total / 2], times[total * 99 / 100], times[total - 1]);
    return 0;
}

int main(int argc, char **argv) {
    DBusConnection *bus = dbus_bus_get(DBUS_BUS_SESSION, NULL);
    if (!bus) return 1;
    if (argc == 2 && !strcmp(argv[1], "first")) return first(bus);
    if (argc == 4 && !strcmp(argv[1], "calls")) return calls(bus, atoi(argv[2]), atoi(argv[3]));
    if (argc == 3 && !strcmp(argv[1], "during")) return during(bus, atof(argv[2]));
    return 2;
}

// Calls Echo(s) in rounds that alternate between the given names; prints for each name the median of sequential calls
// in microseconds, and calls per second with a window of 100.
// usage: echo_client CALLS ROUNDS NAME...
#include <dbus/dbus.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec / 1e9;
}

static DBusMessage *call(const char *name) {
    const char *text = "the quick brown fox jumps over the lazy dog";
    DBusMessage *m = dbus_message_new_method_call(name, "/echo", "org.hunch.Benchmark", "Echo");
    dbus_message_append_args(m, DBUS_TYPE_STRING, &text, DBUS_TYPE_INVALID);
    return m;
}

static int order(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static int replies;
static void count(DBusPendingCall *pending, void *data) { (void)data; replies++; dbus_pending_call_unref(pending); }

int main(int argc, char **argv) {
    if (argc < 4) return 2;
    int calls = atoi(argv[1]), rounds = atoi(argv[2]), names = argc - 3;
    DBusConnection *bus = dbus_bus_get(DBUS_BUS_SESSION, NULL);
    if (!bus) return 1;
    double *times = calloc((size_t)names * rounds * calls, sizeof *times), *rates = calloc((size_t)names * rounds, sizeof *rates);
    for (int r = 0; r < rounds; r++) {
        for (int n = 0; n < names; n++) {
            const char *name = argv[3 + n];
            for (int i = 0; i < calls; i++) {
                DBusMessage *m = call(name);
                double start = now();
                DBusMessage *reply = dbus_connection_send_with_reply_and_block(bus, m, 5000, NULL);
                times[((size_t)n * rounds + r) * calls + i] = (now() - start) * 1e6;
                if (!reply) { fprintf(stderr, "no reply from %s\n", name); return 1; }
                dbus_message_unref(reply);
                dbus_message_unref(m);
            }
            replies = 0;
            int sent = 0;
            double start = now();
            while (replies < calls) {
                while (sent < calls && sent - replies < 100) {
                    DBusPendingCall *pending;
                    DBusMessage *m = call(name);
                    dbus_connection_send_with_reply(bus, m, &pending, 5000);
                    dbus_pending_call_set_notify(pending, count, NULL, NULL);
                    dbus_message_unref(m);
                    sent++;
                }
                dbus_connection_read_write_dispatch(bus, 1000);
            }
            rates[n * rounds + r] = calls / (now() - start);
        }
    }
    for (int n = 0; n < names; n++) {
        double *t = times + (size_t)n * rounds * calls;
        qsort(t, (size_t)rounds * calls, sizeof *t, order);
        qsort(rates + n * rounds, rounds, sizeof *rates, order);
        printf("%s %.2f %.0f\n", argv[3 + n], t[(size_t)rounds * calls / 2], rates[n * rounds + rounds / 2]);
    }
    return 0;
}

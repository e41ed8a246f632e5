// A sound card with a socket for headphones, for a PipeWire without hardware. Its session manager sees a device with
// two output routes, speakers and headphones; SIGUSR1 plugs headphones in or pulls them out, and the session manager
// then chooses the route as it does on real hardware.
//
// cc jack_card.c -o jack_card $(pkg-config --cflags --libs libpipewire-0.3)

#include <errno.h>
#include <signal.h>
#include <stdio.h>

#include <pipewire/pipewire.h>
#include <spa/monitor/device.h>
#include <spa/monitor/utils.h>
#include <spa/param/param.h>
#include <spa/param/profile.h>
#include <spa/param/route.h>
#include <spa/pod/builder.h>
#include <spa/pod/filter.h>
#include <spa/pod/parser.h>
#include <spa/utils/result.h>

enum { ROUTES = 2, SPEAKER = 0, HEADPHONES = 1 };
enum { ENUM_PROFILE, PROFILE, ENUM_ROUTE, ROUTE, PARAMS };

static const struct {
    const char *name, *description, *type;
    int priority;
} routes[ROUTES] = {
    {"analog-output-speaker", "Speakers", "speaker", 10000},
    {"analog-output-headphones", "Headphones", "headphones", 9900},
};

static const struct spa_dict_item properties[] = {
    {"device.name", "alsa_card.jack_card"},
    {"device.description", "Card with a jack"},
    {"device.api", "test"},
    {"device.bus", "pci"},
    {"media.class", "Audio/Device"},
};
static const struct spa_dict dictionary = SPA_DICT_INIT_ARRAY(properties);

static struct {
    struct spa_device device;
    struct spa_hook_list hooks;
    struct spa_device_info info;
    struct spa_param_info params[PARAMS];
    struct pw_main_loop *loop;
    int plugged, active;
} card;

// Tells the listeners that params have changed; the serial flag makes them read those again.
static void announce(const int *changed, int count) {
    for (int i = 0; i < count; i++) card.params[changed[i]].flags ^= SPA_PARAM_INFO_SERIAL;
    card.info.change_mask = SPA_DEVICE_CHANGE_MASK_PARAMS;
    spa_device_emit_info(&card.hooks, &card.info);
    card.info.change_mask = 0;
}

static int add_listener(void *object, struct spa_hook *listener, const struct spa_device_events *events, void *data) {
    struct spa_hook_list saved;
    spa_hook_list_isolate(&card.hooks, &saved, listener, events, data);
    card.info.change_mask =
        SPA_DEVICE_CHANGE_MASK_FLAGS | SPA_DEVICE_CHANGE_MASK_PROPS | SPA_DEVICE_CHANGE_MASK_PARAMS;
    spa_device_emit_info(&card.hooks, &card.info);
    card.info.change_mask = 0;
    spa_hook_list_join(&card.hooks, &saved);
    return 0;
}

static int sync_calls(void *object, int sequence) {
    spa_device_emit_result(&card.hooks, sequence, 0, 0, NULL);
    return 0;
}

static struct spa_pod *profile(struct spa_pod_builder *builder, uint32_t id) {
    struct spa_pod_frame object, classes;
    int32_t device = 0;
    spa_pod_builder_push_object(builder, &object, SPA_TYPE_OBJECT_ParamProfile, id);
    spa_pod_builder_add(builder,
        SPA_PARAM_PROFILE_index, SPA_POD_Int(0),
        SPA_PARAM_PROFILE_name, SPA_POD_String("analog-stereo"),
        SPA_PARAM_PROFILE_description, SPA_POD_String("Analog Stereo"),
        SPA_PARAM_PROFILE_priority, SPA_POD_Int(100),
        SPA_PARAM_PROFILE_available, SPA_POD_Id(SPA_PARAM_AVAILABILITY_yes), 0);
    spa_pod_builder_prop(builder, SPA_PARAM_PROFILE_classes, 0);
    spa_pod_builder_push_struct(builder, &classes);
    spa_pod_builder_int(builder, 1);
    spa_pod_builder_add_struct(builder,
        SPA_POD_String("Audio/Sink"), SPA_POD_Int(1), SPA_POD_String("card.profile.devices"),
        SPA_POD_Array(sizeof(int32_t), SPA_TYPE_Int, 1, &device));
    spa_pod_builder_pop(builder, &classes);
    return spa_pod_builder_pop(builder, &object);
}

static struct spa_pod *route(struct spa_pod_builder *builder, uint32_t id, int index) {
    struct spa_pod_frame object, details;
    int32_t zero = 0;
    enum spa_param_availability available = SPA_PARAM_AVAILABILITY_unknown;
    if (index == HEADPHONES) available = card.plugged ? SPA_PARAM_AVAILABILITY_yes : SPA_PARAM_AVAILABILITY_no;
    spa_pod_builder_push_object(builder, &object, SPA_TYPE_OBJECT_ParamRoute, id);
    spa_pod_builder_add(builder,
        SPA_PARAM_ROUTE_index, SPA_POD_Int(index),
        SPA_PARAM_ROUTE_direction, SPA_POD_Id(SPA_DIRECTION_OUTPUT),
        SPA_PARAM_ROUTE_name, SPA_POD_String(routes[index].name),
        SPA_PARAM_ROUTE_description, SPA_POD_String(routes[index].description),
        SPA_PARAM_ROUTE_priority, SPA_POD_Int(routes[index].priority),
        SPA_PARAM_ROUTE_available, SPA_POD_Id(available), 0);
    spa_pod_builder_prop(builder, SPA_PARAM_ROUTE_info, 0);
    spa_pod_builder_push_struct(builder, &details);
    spa_pod_builder_int(builder, 1);
    spa_pod_builder_add(builder, SPA_POD_String("port.type"), SPA_POD_String(routes[index].type), NULL);
    spa_pod_builder_pop(builder, &details);
    spa_pod_builder_add(builder,
        SPA_PARAM_ROUTE_profiles, SPA_POD_Array(sizeof(int32_t), SPA_TYPE_Int, 1, &zero),
        SPA_PARAM_ROUTE_devices, SPA_POD_Array(sizeof(int32_t), SPA_TYPE_Int, 1, &zero), 0);
    if (id == SPA_PARAM_Route)
        spa_pod_builder_add(builder,
            SPA_PARAM_ROUTE_device, SPA_POD_Int(0), SPA_PARAM_ROUTE_profile, SPA_POD_Int(0), 0);
    return spa_pod_builder_pop(builder, &object);
}

static int enum_params(
    void *object, int sequence, uint32_t id, uint32_t start, uint32_t limit, const struct spa_pod *filter) {
    struct spa_result_device_params result = {.id = id, .next = start};
    for (uint32_t count = 0; count < limit;) {
        uint8_t buffer[4096];
        struct spa_pod_builder builder = SPA_POD_BUILDER_INIT(buffer, sizeof(buffer));
        struct spa_pod *param;
        result.index = result.next++;
        if (result.index >= (id == SPA_PARAM_EnumRoute ? ROUTES : 1)) return 0;
        switch (id) {
        case SPA_PARAM_EnumProfile:
        case SPA_PARAM_Profile: param = profile(&builder, id); break;
        case SPA_PARAM_EnumRoute: param = route(&builder, id, (int)result.index); break;
        case SPA_PARAM_Route: param = route(&builder, id, card.active); break;
        default: return -ENOENT;
        }
        if (spa_pod_filter(&builder, &result.param, param, filter) < 0) continue;
        spa_device_emit_result(&card.hooks, sequence, 0, SPA_RESULT_TYPE_DEVICE_PARAMS, &result);
        count++;
    }
    return 0;
}

static int set_param(void *object, uint32_t id, uint32_t flags, const struct spa_pod *param) {
    int32_t index = -1;
    if (id != SPA_PARAM_Route || param == NULL) return 0;
    spa_pod_parse_object(param, SPA_TYPE_OBJECT_ParamRoute, NULL, SPA_PARAM_ROUTE_index, SPA_POD_Int(&index));
    if (index < 0 || index >= ROUTES || index == card.active) return 0;
    card.active = index;
    announce((int[]){ROUTE}, 1);
    return 0;
}

static const struct spa_device_methods methods = {
    SPA_VERSION_DEVICE_METHODS,
    .add_listener = add_listener,
    .sync = sync_calls,
    .enum_params = enum_params,
    .set_param = set_param,
};

static void plug(void *data, int number) {
    card.plugged = !card.plugged;
    announce((int[]){ENUM_ROUTE, ROUTE}, 2);
}

static void quit(void *data, int number) { pw_main_loop_quit(card.loop); }

static void bound(void *data, uint32_t global) {
    printf("device %u\n", global);
    fflush(stdout);
}

static const struct pw_proxy_events events = {PW_VERSION_PROXY_EVENTS, .bound = bound};

int main(int count, char **arguments) {
    pw_init(&count, &arguments);
    card.loop = pw_main_loop_new(NULL);
    struct pw_loop *loop = pw_main_loop_get_loop(card.loop);
    pw_loop_add_signal(loop, SIGUSR1, plug, NULL);
    pw_loop_add_signal(loop, SIGTERM, quit, NULL);

    spa_hook_list_init(&card.hooks);
    card.params[ENUM_PROFILE] = SPA_PARAM_INFO(SPA_PARAM_EnumProfile, SPA_PARAM_INFO_READ);
    card.params[PROFILE] = SPA_PARAM_INFO(SPA_PARAM_Profile, SPA_PARAM_INFO_READWRITE);
    card.params[ENUM_ROUTE] = SPA_PARAM_INFO(SPA_PARAM_EnumRoute, SPA_PARAM_INFO_READ);
    card.params[ROUTE] = SPA_PARAM_INFO(SPA_PARAM_Route, SPA_PARAM_INFO_READWRITE);
    card.info = SPA_DEVICE_INFO_INIT();
    card.info.props = &dictionary;
    card.info.params = card.params;
    card.info.n_params = PARAMS;
    card.device.iface = SPA_INTERFACE_INIT(SPA_TYPE_INTERFACE_Device, SPA_VERSION_DEVICE, &methods, &card);

    struct pw_context *context = pw_context_new(loop, NULL, 0);
    struct pw_core *core = pw_context_connect(context, NULL, 0);
    if (core == NULL) {
        fprintf(stderr, "there is no PipeWire to connect to\n");
        return 1;
    }
    struct pw_proxy *proxy = pw_core_export(core, SPA_TYPE_INTERFACE_Device, &dictionary, &card.device, 0);
    if (proxy == NULL) {
        perror("the card cannot be exported");
        return 1;
    }
    struct spa_hook listener;
    pw_proxy_add_listener(proxy, &listener, &events, NULL);
    pw_main_loop_run(card.loop);
    return 0;
}

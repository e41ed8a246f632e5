#pragma once
// As much of the stable interfaces of GStreamer 1 and GLib 2 as the player uses. Their own headers are not included: to find
// those takes what their pkg-config files say, and SwiftPM warns of a flag in them at every build of the package.
#include <stdint.h>

typedef struct _GstElement GstElement;
typedef struct _GstBus GstBus;
typedef struct _GstTagList GstTagList;

typedef struct {
    uint32_t domain;
    int code;
    char *message;
} GError;

typedef struct {
    int fd;
    unsigned short events, revents;
} GPollFD;

typedef struct {
    uintptr_t type;
    int refcount, lockstate;
    unsigned flags;
    void *copy, *dispose, *free;
    unsigned priv_uint;
    void *priv_pointer;
} GstMiniObject;

typedef struct {
    GstMiniObject mini_object;
    unsigned type;
} GstMessage;

enum { GST_MESSAGE_EOS = 1 << 0, GST_MESSAGE_ERROR = 1 << 1, GST_MESSAGE_TAG = 1 << 4, GST_MESSAGE_ASYNC_DONE = 1 << 21 };
enum { GST_STATE_NULL = 1, GST_STATE_READY = 2, GST_STATE_PAUSED = 3, GST_STATE_PLAYING = 4 };
enum { GST_FORMAT_TIME = 3 };
enum { GST_SEEK_FLAG_FLUSH = 1 << 0, GST_SEEK_FLAG_ACCURATE = 1 << 1 };

void gst_init(int *argc, char ***argv);
GstElement *gst_parse_launch(const char *description, GError **error);
void gst_util_set_object_arg(GstElement *object, const char *name, const char *value);
int gst_element_set_state(GstElement *element, int state);
int gst_element_query_position(GstElement *element, int format, int64_t *position);
int gst_element_query_duration(GstElement *element, int format, int64_t *duration);
int gst_element_seek_simple(GstElement *element, int format, int flags, int64_t position);
GstBus *gst_element_get_bus(GstElement *element);
void gst_bus_get_pollfd(GstBus *bus, GPollFD *fd);
GstMessage *gst_bus_pop(GstBus *bus);
void gst_message_parse_error(GstMessage *message, GError **error, char **debug);
void gst_message_parse_tag(GstMessage *message, GstTagList **list);
int gst_tag_list_get_string(const GstTagList *list, const char *tag, char **value);
void gst_mini_object_unref(void *object);
void gst_object_unref(void *object);
void g_clear_error(GError **error);
void g_free(void *memory);

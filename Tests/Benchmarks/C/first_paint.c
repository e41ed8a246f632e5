// Starts a program, and prints the milliseconds until it has drawn something in the middle of the screen, which is black
// before. The program then goes on; its process is the second number.
// usage: first_paint PROGRAM [ARGUMENT...]
#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1e3 + time.tv_nsec / 1e6;
}

int main(int count, char **words) {
    Display *display = XOpenDisplay(NULL);
    if (count < 2 || !display) {
        fprintf(stderr, "first_paint: give a program, and $DISPLAY\n");
        return 2;
    }
    Window root = DefaultRootWindow(display);
    int x = DisplayWidth(display, 0) / 3, y = DisplayHeight(display, 0) / 3;
    // The last window may have left its picture.
    XSetWindowBackground(display, root, BlackPixel(display, 0));
    XClearWindow(display, root);
    XSync(display, False);
    double start = now();
    pid_t child = fork();
    if (child == 0) {
        // Whoever reads the numbers need not wait for its end.
        dup2(STDERR_FILENO, STDOUT_FILENO);
        execvp(words[1], words + 1);
        _exit(127);
    }
    while (now() - start < 30000) {
        XImage *image = XGetImage(display, root, x, y, 1, 1, AllPlanes, ZPixmap);
        unsigned long pixel = image ? XGetPixel(image, 0, 0) & 0xffffff : 0;
        if (image) XDestroyImage(image);
        if (pixel) {
            printf("%.0f %d\n", now() - start, child);
            return 0;
        }
        usleep(2000);
    }
    fprintf(stderr, "first_paint: %s has drawn nothing within 30 s\n", words[1]);
    return 1;
}

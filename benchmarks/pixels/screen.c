/*
 * A photo diode and a hand for a screen that exists in memory only.
 *
 * Watches a rectangle of the frame buffer that Xvfb writes into a file (-fbdir), and presses two keys by XTEST whenever
 * the rectangle has not changed for a while; where nothing follows it gives the keyboard to the window that fills the
 * screen and presses again. It knows nothing of browsers or pages. All times are CLOCK_MONOTONIC.
 *
 *   screen FILE DISPLAY SEED
 *
 * Standard input, one command a line:
 *   R x y width height    watch this rectangle from now on
 *   I shortest longest    press after so many milliseconds without a change, drawn anew each time; I 0 0 presses nothing
 * Standard output, one event a line, times in milliseconds:
 *   C before after ink    the rectangle changed between two looks; ink: pixels unlike its first one
 *   K keycode time        a key went down
 *   G longest             at the end: the longest time between two looks
 * Ends when standard input does.
 */
#define _GNU_SOURCE
#include <X11/XWDFile.h>
#include <X11/Xlib.h>
#include <X11/extensions/XTest.h>
#include <X11/keysym.h>
#include <arpa/inet.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define LOOK_EVERY_NS 400000L
/* Every second line of the screen is enough for text, and half of the work. */
#define LINE_STEP 2
/* A caret that blinks is no change: fewer pixels than these. */
#define FEWEST_PIXELS 50
#define LOOKS_PER_COMMAND 50
#define PATIENCE_MS 4000.0
#define HELD_MS 25.0

static double now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1e3 + t.tv_nsec / 1e6;
}

static double drawn(double low, double high) { return low + (high - low) * drand48(); }

static const uint32_t *pixels;
static size_t line_pixels;
static int screen_width, screen_height;
static int left = 0, top = 0, width = 1, height = 1;
static uint32_t *seen, *fresh;

static size_t look(uint32_t *into) {
  size_t count = 0;
  for (int y = top; y < top + height; y += LINE_STEP) {
    memcpy(into + count, pixels + (size_t)y * line_pixels + left, (size_t)width * 4);
    count += (size_t)width;
  }
  return count;
}

static void watch(int x, int y, int w, int h) {
  left = x < 0 ? 0 : x;
  top = y < 0 ? 0 : y;
  width = left + w > screen_width ? screen_width - left : w;
  height = top + h > screen_height ? screen_height - top : h;
  free(seen);
  free(fresh);
  seen = calloc((size_t)width * (size_t)height + 1, 4);
  fresh = calloc((size_t)width * (size_t)height + 1, 4);
  look(seen);
}

static KeyCode key_down = 0;
static double key_up_at;

static void press(Display *display, KeySym symbol) {
  key_down = XKeysymToKeycode(display, symbol);
  double at = now_ms();
  XTestFakeKeyEvent(display, key_down, True, 0);
  XFlush(display);
  printf("K %d %.4f\n", key_down, at);
  key_up_at = at + HELD_MS;
}

static void release(Display *display) {
  XTestFakeKeyEvent(display, key_down, False, 0);
  XFlush(display);
  key_down = 0;
}

/* A window may go away while it is looked at. */
static int go_on(Display *display, XErrorEvent *error) {
  (void)display;
  (void)error;
  return 0;
}

/* Without a window manager nobody gives the keyboard to a window that missed its turn: its keys go nowhere. It is taken
 * away first, as a window that has it already is told nothing. */
static void give_keyboard(Display *display) {
  Window root, parent, *windows = NULL, chosen = None;
  unsigned int count = 0;
  XWindowAttributes facts;
  if (!XQueryTree(display, DefaultRootWindow(display), &root, &parent, &windows, &count)) return;
  for (unsigned int index = 0; index < count; index += 1) {
    if (XGetWindowAttributes(display, windows[index], &facts) && facts.map_state == IsViewable &&
        2 * facts.width > screen_width && 2 * facts.height > screen_height)
      chosen = windows[index];
  }
  if (windows != NULL) XFree(windows);
  if (chosen == None) return;
  XSetInputFocus(display, None, RevertToNone, CurrentTime);
  XSetInputFocus(display, chosen, RevertToPointerRoot, CurrentTime);
  XSync(display, False);
}

int main(int argc, char **argv) {
  if (argc != 4) return 2;
  int file = open(argv[1], O_RDONLY);
  struct stat facts;
  if (file < 0 || fstat(file, &facts) != 0) return 3;
  const char *map = mmap(NULL, (size_t)facts.st_size, PROT_READ, MAP_SHARED, file, 0);
  if (map == MAP_FAILED) return 3;
  const XWDFileHeader *header = (const XWDFileHeader *)map;
  screen_width = (int)ntohl(header->pixmap_width);
  screen_height = (int)ntohl(header->pixmap_height);
  line_pixels = ntohl(header->bytes_per_line) / 4;
  pixels = (const uint32_t *)(map + ntohl(header->header_size) + ntohl(header->ncolors) * sizeof(XWDColor));
  Display *display = XOpenDisplay(argv[2]);
  if (display == NULL) return 4;
  XSetErrorHandler(go_on);
  srand48(atol(argv[3]));
  fcntl(0, F_SETFL, fcntl(0, F_GETFL) | O_NONBLOCK);
  setvbuf(stdout, NULL, _IOLBF, 0);
  watch(0, 0, 1, 1);

  double shortest = 0, longest = 0, wait = 0, gap = 0;
  double looked = now_ms(), changed = looked, longest_gap = 0, first_press = 0;
  int pressed = 0;
  char commands[512];
  size_t held = 0;
  struct timespec next;
  clock_gettime(CLOCK_MONOTONIC, &next);
  for (long turn = 0;; turn += 1) {
    size_t count = look(fresh);
    double now = now_ms();
    if (memcmp(fresh, seen, count * 4) != 0) {
      size_t different = 0, ink = 0;
      for (size_t index = 0; index < count; index += 1) {
        different += fresh[index] != seen[index];
        ink += fresh[index] != fresh[0];
      }
      if (different >= FEWEST_PIXELS) {
        printf("C %.4f %.4f %zu\n", looked, now, ink);
        changed = now;
        /* A digit that appears where one looks is no reason to keep Enter back. */
        if (pressed != 1) {
          pressed = 0;
          wait = drawn(shortest, longest);
        }
      }
      uint32_t *swapped = seen;
      seen = fresh;
      fresh = swapped;
    }
    if (now - looked > longest_gap) longest_gap = now - looked;
    looked = now;
    if (key_down != 0 && now > key_up_at) release(display);
    if (longest > 0 && pressed == 0 && now - changed > wait) {
      press(display, XK_5);
      first_press = now;
      gap = drawn(60, 140);
      pressed = 1;
    } else if (pressed == 1 && now - first_press > gap) {
      press(display, XK_Return);
      pressed = 2;
      first_press = now;
    } else if (pressed == 2 && now - first_press > PATIENCE_MS) {
      give_keyboard(display);
      pressed = 0;
    }
    if (turn % LOOKS_PER_COMMAND == 0) {
      ssize_t got = read(0, commands + held, sizeof commands - held - 1);
      if (got == 0) break;
      if (got > 0) {
        held += (size_t)got;
        commands[held] = 0;
        char *line = commands, *end;
        while ((end = strchr(line, '\n')) != NULL) {
          int x, y, w, h;
          if (sscanf(line, "R %d %d %d %d", &x, &y, &w, &h) == 4) watch(x, y, w, h);
          if (sscanf(line, "I %lf %lf", &shortest, &longest) == 2) {
            wait = drawn(shortest, longest);
            changed = now;
            pressed = 0;
          }
          line = end + 1;
        }
        held -= (size_t)(line - commands);
        memmove(commands, line, held);
      }
    }
    next.tv_nsec += LOOK_EVERY_NS;
    if (next.tv_nsec >= 1000000000L) {
      next.tv_nsec -= 1000000000L;
      next.tv_sec += 1;
    }
    struct timespec present;
    clock_gettime(CLOCK_MONOTONIC, &present);
    if (present.tv_sec > next.tv_sec || (present.tv_sec == next.tv_sec && present.tv_nsec > next.tv_nsec)) next = present;
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL);
  }
  printf("G %.4f\n", longest_gap);
  return 0;
}

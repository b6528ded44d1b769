/* Shapes, in C. */
#include <stdio.h>
#include "shapes.h"

#define MAX_SIDES 8
#define AREA(w, h) ((w) * (h))

/* A point of the plane. */
struct point {
  int x, y;
  struct point *next;
};

typedef struct {
  double re;
  double im[2];
} complex_t;

typedef struct point point_t;
typedef int (*compare_fn)(const void *, const void *);

union value {
  long number;
  char *text;
};

/** The colours that there are. */
enum colour { RED, GREEN = 5, BLUE };

typedef enum { OFF, ON } state_t;

static int counter = 0;
const char *name = "shapes";
extern int limit;

// Adds two numbers.
// The sum may overflow.
int add(int a, int b);

static int helper(void) { return counter; }

int add(int a, int b) {
  int sum = a + b; /* kept to itself */
  return sum;
}

char **
words(const char *text)
{
  return 0;
}

MY_API int exported(int value) MY_NOTHROW;

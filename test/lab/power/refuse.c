/*
 * Refuses writes below a folder while a file exists, as a full disk or a read-only file system does. Linux only. Loaded with
 * LD_PRELOAD; REFUSE_BELOW is the folder. While REFUSE_FULL exists, a file that would grow or be created fails with ENOSPC;
 * while REFUSE_READ_ONLY exists, every write fails with EROFS. Writes to mapped memory are not refused.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "next.h"

static int exists(const char *variable) {
  const char *path = getenv(variable);
  int error = errno, found = path != NULL && access(path, F_OK) == 0;
  errno = error;
  return found;
}

static int is_below(const char *path) {
  const char *folder = getenv("REFUSE_BELOW");
  return folder != NULL && strncmp(path, folder, strlen(folder)) == 0;
}

static int is_file_below(int file) {
  char link[40], path[PATH_MAX];
  int error = errno;
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t size = readlink(link, path, PATH_MAX - 1);
  errno = error;
  path[size < 0 ? 0 : size] = 0;
  return is_below(path);
}

static int refuse(int error) {
  errno = error;
  return 1;
}

/* Returns 1, with `errno`, if bytes until `end` may not be written; a negative end is that of an append. */
static int refuses_write(int file, int64_t end) {
  if (!is_file_below(file)) return 0;
  if (exists("REFUSE_READ_ONLY")) return refuse(EROFS);
  struct stat found;
  int grows = end < 0 || fstat(file, &found) != 0 || end > found.st_size;
  return grows && exists("REFUSE_FULL") ? refuse(ENOSPC) : 0;
}

static int refuses_name(const char *path) {
  if (path[0] != '/' || !is_below(path)) return 0;
  if (exists("REFUSE_READ_ONLY")) return refuse(EROFS);
  return exists("REFUSE_FULL") ? refuse(ENOSPC) : 0;
}

int open(const char *name, int flags, ...) {
  NEXT(int, "open", const char *, int, ...);
  va_list rest;
  va_start(rest, flags);
  mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  int creates = (flags & O_CREAT) && access(name, F_OK) != 0;
  if (creates && refuses_name(name)) return -1;
  if ((flags & O_ACCMODE) != O_RDONLY && name[0] == '/' && is_below(name) && exists("REFUSE_READ_ONLY")) {
    errno = EROFS;
    return -1;
  }
  return next(name, flags, mode);
}
ALSO(open, open64);

ssize_t write(int file, const void *data, size_t size) {
  NEXT(ssize_t, "write", int, const void *, size_t);
  return refuses_write(file, -1) ? -1 : next(file, data, size);
}

ssize_t pwrite(int file, const void *data, size_t size, off_t offset) {
  NEXT(ssize_t, "pwrite", int, const void *, size_t, off_t);
  return refuses_write(file, offset + size) ? -1 : next(file, data, size, offset);
}
ALSO(pwrite, pwrite64);

ssize_t writev(int file, const struct iovec *parts, int count) {
  NEXT(ssize_t, "writev", int, const struct iovec *, int);
  return refuses_write(file, -1) ? -1 : next(file, parts, count);
}

ssize_t pwritev(int file, const struct iovec *parts, int count, off_t offset) {
  NEXT(ssize_t, "pwritev", int, const struct iovec *, int, off_t);
  return refuses_write(file, -1) ? -1 : next(file, parts, count, offset);
}
ALSO(pwritev, pwritev64);

int ftruncate(int file, off_t size) {
  NEXT(int, "ftruncate", int, off_t);
  return refuses_write(file, size) ? -1 : next(file, size);
}
ALSO(ftruncate, ftruncate64);

int rename(const char *path, const char *new_path) {
  NEXT(int, "rename", const char *, const char *);
  return is_below(new_path) && exists("REFUSE_READ_ONLY") && refuse(EROFS) ? -1 : next(path, new_path);
}

int unlink(const char *path) {
  NEXT(int, "unlink", const char *);
  return is_below(path) && exists("REFUSE_READ_ONLY") && refuse(EROFS) ? -1 : next(path);
}

int mkdir(const char *path, mode_t mode) {
  NEXT(int, "mkdir", const char *, mode_t);
  return refuses_name(path) ? -1 : next(path, mode);
}

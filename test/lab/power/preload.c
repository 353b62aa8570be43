/*
 * Logs all changes that a process makes below a folder, in order and with their content, so that `disk.ts` can rebuild the
 * folder as a power loss would leave it. Linux only. Loaded with LD_PRELOAD; POWER_ROOT is the folder and POWER_LOG the log.
 *
 * A change is logged after the system made it, and before the program learns that. A sync is logged at its begin and its
 * end: it covers the changes that were logged before its begin. Each record is appended by one `writev`, so that threads and
 * processes share a log without a lock. Writes to mapped memory are not seen: SQLite writes so to its `-shm` file alone.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "next.h"

enum kind { OPEN = 1, WRITE, RESIZE, SYNC_BEGIN, SYNC_END, RENAME, LINK, UNLINK, MKDIR, RMDIR };

/* `disk.ts` reads the same fields. A path follows, then data: written bytes, or the second path of a rename or link. */
struct header {
  uint32_t kind, path_size, data_size, unused;
  uint64_t time_ms, inode, number;
};

static const char *root;
static size_t root_size;
static int log_file = -1;
static atomic_uint syncs;

__attribute__((constructor)) static void open_log(void) {
  root = getenv("POWER_ROOT");
  const char *path = getenv("POWER_LOG");
  NEXT(int, "open", const char *, int, ...);
  if (root == NULL || path == NULL) return;
  root_size = strlen(root);
  log_file = next(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
}

static void record(enum kind kind, const char *path, uint64_t inode, uint64_t number, const void *data, size_t size) {
  NEXT(ssize_t, "writev", int, const struct iovec *, int);
  int error = errno;
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  struct header header = {
      .kind = kind,
      .path_size = strlen(path),
      .data_size = size,
      .time_ms = now.tv_sec * 1000ULL + now.tv_nsec / 1000000,
      .inode = inode,
      .number = number,
  };
  struct iovec parts[] = {{&header, sizeof header}, {(char *)path, header.path_size}, {(void *)data, size}};
  /* A log with a gap would prove nothing. */
  if (next(log_file, parts, 3) != (ssize_t)(sizeof header + header.path_size + size)) abort();
  errno = error;
}

/* Returns 1 if the path is below the folder. */
static int is_below(const char *path) {
  return log_file >= 0 && strncmp(path, root, root_size) == 0 && (path[root_size] == '/' || path[root_size] == 0);
}

/* Finds the absolute path of a descriptor. Returns 1 if it is below the folder. */
static int find_path(int file, char *path) {
  char link[40];
  int error = errno;
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t size = readlink(link, path, PATH_MAX - 1);
  errno = error;
  path[size < 0 ? 0 : size] = 0;
  char *deleted = strstr(path, " (deleted)");
  if (deleted != NULL) *deleted = 0;
  return is_below(path);
}

/* Makes a path absolute. Returns 1 if it is below the folder. */
static int complete(const char *name, char *path) {
  if (log_file < 0 || (name[0] != '/' && getcwd(path, PATH_MAX) == NULL)) return 0;
  size_t size = name[0] == '/' ? 0 : strlen(strcat(path, "/"));
  snprintf(path + size, PATH_MAX - size, "%s", name);
  return is_below(path);
}

static uint64_t find_inode(int file) {
  struct stat found;
  return fstat(file, &found) == 0 ? found.st_ino : 0;
}

/* Logs `size` bytes that were written at `offset`, or before the present position if `offset` is negative. */
static void record_write(int file, const void *data, ssize_t size, off_t offset) {
  char path[PATH_MAX];
  if (size <= 0 || log_file < 0 || !find_path(file, path)) return;
  if (offset < 0) offset = lseek(file, 0, SEEK_CUR) - size;
  record(WRITE, path, find_inode(file), offset, data, size);
}

static void record_vector(int file, const struct iovec *parts, int count, ssize_t size, off_t offset) {
  char path[PATH_MAX];
  if (size <= 0 || log_file < 0 || !find_path(file, path)) return;
  char *all = malloc(size), *end = all + size, *at = all;
  for (int part = 0; part < count && at < end; part++) {
    size_t bytes = parts[part].iov_len < (size_t)(end - at) ? parts[part].iov_len : (size_t)(end - at);
    memcpy(at, parts[part].iov_base, bytes);
    at += bytes;
  }
  record_write(file, all, size, offset);
  free(all);
}

/* Logs bytes that the system copied from another file. The file may be open for writing only. */
static void record_copy(int file, ssize_t size, off_t offset) {
  char path[PATH_MAX];
  if (size <= 0 || log_file < 0 || !find_path(file, path)) return;
  if (offset < 0) offset = lseek(file, 0, SEEK_CUR) - size;
  NEXT(int, "open", const char *, int, ...);
  int reader = next(path, O_RDONLY | O_CLOEXEC);
  char *data = malloc(size);
  if (pread(reader, data, size, offset) != size) abort();
  close(reader);
  record_write(file, data, size, offset);
  free(data);
}

static int opened(int file, const char *name, int flags) {
  char path[PATH_MAX];
  if (file >= 0 && (flags & (O_CREAT | O_TRUNC)) && complete(name, path))
    record(OPEN, path, find_inode(file), (flags & O_TRUNC) != 0, NULL, 0);
  return file;
}

int open(const char *name, int flags, ...) {
  NEXT(int, "open", const char *, int, ...);
  va_list rest;
  va_start(rest, flags);
  mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  return opened(next(name, flags, mode), name, flags);
}
ALSO(open, open64);

ssize_t write(int file, const void *data, size_t size) {
  NEXT(ssize_t, "write", int, const void *, size_t);
  ssize_t written = next(file, data, size);
  record_write(file, data, written, -1);
  return written;
}

ssize_t pwrite(int file, const void *data, size_t size, off_t offset) {
  NEXT(ssize_t, "pwrite", int, const void *, size_t, off_t);
  ssize_t written = next(file, data, size, offset);
  record_write(file, data, written, offset);
  return written;
}
ALSO(pwrite, pwrite64);

ssize_t writev(int file, const struct iovec *parts, int count) {
  NEXT(ssize_t, "writev", int, const struct iovec *, int);
  ssize_t written = next(file, parts, count);
  record_vector(file, parts, count, written, -1);
  return written;
}

ssize_t pwritev(int file, const struct iovec *parts, int count, off_t offset) {
  NEXT(ssize_t, "pwritev", int, const struct iovec *, int, off_t);
  ssize_t written = next(file, parts, count, offset);
  record_vector(file, parts, count, written, offset);
  return written;
}
ALSO(pwritev, pwritev64);

ssize_t sendfile(int to, int from, off_t *offset, size_t size) {
  NEXT(ssize_t, "sendfile", int, int, off_t *, size_t);
  ssize_t written = next(to, from, offset, size);
  record_copy(to, written, -1);
  return written;
}
ALSO(sendfile, sendfile64);

/* libuv calls `copy_file_range` so. */
long syscall(long number, ...) {
  NEXT(long, "syscall", long, ...);
  long value[6];
  va_list rest;
  va_start(rest, number);
  for (int index = 0; index < 6; index++) value[index] = va_arg(rest, long);
  va_end(rest);
  off_t *to = number == SYS_copy_file_range ? (off_t *)value[3] : NULL;
  off_t offset = to == NULL ? -1 : *to;
  long result = next(number, value[0], value[1], value[2], value[3], value[4], value[5]);
  if (number == SYS_copy_file_range) record_copy(value[2], result, offset);
  return result;
}

static int resized(int result, int file, off_t size) {
  char path[PATH_MAX];
  if (result == 0 && find_path(file, path)) record(RESIZE, path, find_inode(file), size, NULL, 0);
  return result;
}

int ftruncate(int file, off_t size) {
  NEXT(int, "ftruncate", int, off_t);
  return resized(next(file, size), file, size);
}
ALSO(ftruncate, ftruncate64);

static int synced(int (*next)(int), int file) {
  char path[PATH_MAX];
  if (log_file < 0 || !find_path(file, path)) return next(file);
  uint64_t ticket = (uint64_t)getpid() << 32 | atomic_fetch_add(&syncs, 1), inode = find_inode(file);
  record(SYNC_BEGIN, path, inode, ticket, NULL, 0);
  int result = next(file);
  if (result == 0) record(SYNC_END, path, inode, ticket, NULL, 0);
  return result;
}

int fsync(int file) {
  NEXT(int, "fsync", int);
  return synced(next, file);
}

int fdatasync(int file) {
  NEXT(int, "fdatasync", int);
  return synced(next, file);
}

static int named(int result, enum kind kind, const char *name, const char *new_name) {
  char path[PATH_MAX], new_path[PATH_MAX] = "";
  if (result != 0) return result;
  int is_inside = complete(name, path);
  if (new_name != NULL) is_inside |= complete(new_name, new_path);
  if (is_inside) record(kind, path, 0, 0, new_path, strlen(new_path));
  return result;
}

#define NAMED(name, kind)               \
  int name(const char *path) {          \
    NEXT(int, #name, const char *);     \
    return named(next(path), kind, path, NULL); \
  }
NAMED(unlink, UNLINK)
NAMED(rmdir, RMDIR)

int mkdir(const char *path, mode_t mode) {
  NEXT(int, "mkdir", const char *, mode_t);
  return named(next(path, mode), MKDIR, path, NULL);
}

#define TWICE_NAMED(name, kind)                             \
  int name(const char *path, const char *new_path) {        \
    NEXT(int, #name, const char *, const char *);           \
    return named(next(path, new_path), kind, path, new_path); \
  }
TWICE_NAMED(rename, RENAME)
TWICE_NAMED(link, LINK)

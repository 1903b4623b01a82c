"""FileLock, where the package filelock is not installed: one process at a time has a file."""

import fcntl
import os
import time


class Timeout(TimeoutError):
    """The lock was not free in time."""


class FileLock:
    def __init__(self, lock_file, timeout=-1):
        self.lock_file, self.timeout = os.fspath(lock_file), timeout
        self._file, self._depth = None, 0

    @property
    def is_locked(self):
        return self._file is not None

    def acquire(self, timeout=None, poll_interval=0.05):
        limit = self.timeout if timeout is None else timeout
        if self._depth == 0:
            self._file = self._wait(limit, poll_interval)
        self._depth += 1
        return self

    def _wait(self, limit, interval):
        file, begin = open(self.lock_file, "w"), time.monotonic()
        while True:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return file
            except BlockingIOError:
                if 0 <= limit <= time.monotonic() - begin:
                    file.close()
                    raise Timeout(self.lock_file) from None
            time.sleep(interval)

    def release(self, force=False):
        if self._depth == 0:
            return
        self._depth = 0 if force else self._depth - 1
        if self._depth == 0:
            self._file.close()
            self._file = None

    def __enter__(self):
        return self.acquire()

    def __exit__(self, *error):
        self.release()

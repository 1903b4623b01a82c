"""Kills sweeps in the middle, again and again: kill_sweep.py AIRLITE PROGRAM.mlir FOLDER SEED

No whole line of the results is ever lost or changed, no job has two results, each has one in the end, and what a
killed sweep had started does not go on.
"""
import collections
import json
import os
import random
import signal
import subprocess
import sys
import time

airlite, program, folder, seed = sys.argv[1:]
jobs, results = os.path.join(folder, "jobs"), os.path.join(folder, "results.jsonl")
count = 60
signal.signal(signal.SIGINT, signal.SIG_DFL)  # also where the tests run in the background, which ignores it


def sweep(*words):
    return subprocess.Popen([airlite, "sweep", *words, "--processes=3"], stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, text=True)


def whole_lines():
    if not os.path.exists(results):
        return []
    text = open(results, "rb").read()
    return text[:text.rfind(b"\n") + 1].splitlines()


def lives(word):
    """Whether a process has this word in its command line."""
    for process in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{process}/cmdline", "rb") as words:
                if word.encode() in words.read().split(b"\0"):
                    return True
        except OSError:
            pass
    return False


def wait_until(holds, what):
    end = time.monotonic() + 60
    while not holds():
        if time.monotonic() > end:
            sys.exit(f"{what}: not within a minute")
        time.sleep(0.01)


def kill_until_done():
    with open(jobs, "w", encoding="utf-8") as out:
        out.writelines(f"run --on=interp --function=add --init=random:{i} {program}\n" for i in range(count))
    choose = random.Random(int(seed))
    before, kills = [], 0
    while True:
        started = sweep(jobs, "-o", results)
        # Sure to make progress: at least one more result than before, then any time.
        wait_until(lambda: len(whole_lines()) > len(before) or started.poll() is not None, "a result")
        time.sleep(choose.random() * 0.05)
        how = choose.choice([signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
        started.send_signal(how)
        started.communicate()
        after = whole_lines()
        if after[:len(before)] != before:
            sys.exit(f"kill {kills}: results are lost or changed")
        before = after
        if len(after) >= count:
            break
        kills += 1
    done = sweep(jobs, "-o", results)
    text = done.communicate()[0]
    if done.returncode != 0 or f"{count} jobs: {count} ok" not in text:
        sys.exit(f"the last sweep: {done.returncode}\n{text}")
    times = collections.Counter(tuple(json.loads(line)["job"]) for line in whole_lines())
    if len(times) != count or set(times.values()) != {1}:
        sys.exit(f"{len(times)} jobs, {sum(times.values())} results")
    if kills == 0:
        sys.exit("nothing was killed before it was done")
    print("each of the jobs has one result, nothing was lost")


def leave_nothing(how):
    mark = f"--init=random:{os.getpid()}{int(how)}"
    with open(jobs, "w", encoding="utf-8") as out:
        out.write(f"run --on=interp --function=forever {mark} {program}\n")
    started = sweep(jobs, "-o", os.path.join(folder, f"{how.name}.jsonl"))
    wait_until(lambda: lives(mark), "the job")
    started.send_signal(how)
    text = started.communicate()[0]
    wait_until(lambda: not lives(mark), "the end of the job")
    lost = os.path.getsize(os.path.join(folder, f"{how.name}.jsonl"))
    print(f"{how.name}: exit {started.returncode}, {lost} bytes, the job has ended; {text.strip().splitlines()[-1:]}")


def two_at_once():
    other = os.path.join(folder, "two.jsonl")
    first = sweep(jobs, "-o", other)
    wait_until(lambda: os.path.exists(other), "the file")
    time.sleep(0.2)
    second = sweep(jobs, "-o", other)
    print(second.communicate()[0].strip())
    first.terminate()
    first.communicate()


def job_is_killed():
    mark = f"--init=random:{os.getpid()}77"
    with open(jobs, "w", encoding="utf-8") as out:
        out.write(f"run --on=interp --function=forever {mark} {program}\n")
    started = sweep(jobs, "-o", os.path.join(folder, "job.jsonl"))
    wait_until(lambda: lives(mark), "the job")
    for child in subprocess.run(["ps", "-o", "pid=", "--ppid", str(started.pid)], capture_output=True, text=True,
                                check=True).stdout.split():
        os.kill(int(child), signal.SIGKILL)
    print(started.communicate()[0].strip())


kill_until_done()
for how in (signal.SIGKILL, signal.SIGTERM, signal.SIGINT):
    leave_nothing(how)
two_at_once()
job_is_killed()

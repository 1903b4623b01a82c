"""Words of jobs arrive as they were written: sweep_words.py AIRLITE FOLDER SEED

Random words, quoted in each way, are those of the results; what a sweep prints of a job, as a list, is the same job.
"""
import json
import os
import random
import shlex
import subprocess
import sys

airlite, folder, seed = sys.argv[1:]
choose = random.Random(int(seed))
jobs, results = os.path.join(folder, "words.jobs"), os.path.join(folder, "words.jsonl")


def quoted(word):
    how = choose.randrange(3)
    if how == 0 or not word:
        return shlex.quote(word)
    if how == 1:
        return '"' + word.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return "".join("\\" + c if c in " \t\r'\"\\#" else c for c in word)


def sweep():
    return subprocess.run([airlite, "sweep", jobs, "-o", results, "--processes=2", "--seconds=20"], capture_output=True, text=True,
                          check=False).stdout.split("\n")


words = {("opt", *("".join(choose.choices("ab \t'\"\\#$*-\u00e9=", k=choose.randrange(6)))
                   for _ in range(choose.randrange(1, 4)))) for _ in range(80)}
with open(jobs, "w", encoding="utf-8", newline="") as out:
    for job in sorted(words):
        blank = choose.choice([" ", "\t", "  "])
        out.write(blank.join([job[0], *map(quoted, job[1:])]) + choose.choice(["\n", "\r\n", " # note\n"]))
shown = sweep()
with open(results, encoding="utf-8", newline="\n") as lines:
    found = [tuple(json.loads(line)["job"]) for line in lines]
if len(found) != len(words) or set(found) != words:
    sys.exit(f"not the same words: {set(found) ^ words}")
with open(jobs, "w", encoding="utf-8", newline="") as out:
    out.writelines(line.split(" s  ", 1)[1] + "\n" for line in shown if line.startswith("["))
if f"; {len(words)} of them from before" not in sweep()[-2]:
    sys.exit("what is printed is not the same list")
print("all words are as written")

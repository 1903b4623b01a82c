"""Prints a line for each result of a sweep: check_sweep.py RESULTS.jsonl"""
import json
import sys

for line in open(sys.argv[1], encoding="utf-8"):
    result = json.loads(line)
    whole = all(len(result[stream].encode()) == result[stream + "_bytes"] for stream in ("stdout", "stderr"))
    says = [word for word in ("func.func", "cycles") if word in result["stdout"]]
    print(f"{result['job'][0]}: {result['outcome']}, exit code {result.get('exit_code')}, whole output: {whole}"
          + (f", says {says[0]}" if whole and says else ""))

"""Answers `aws cloudformation list-stack-resources` for a deleted stack, as AWS does for 90 days and the emulator does not."""

import json
import os
import sys

import jmespath


def option(name):
    return sys.argv[sys.argv.index(name) + 1]


with open(os.environ["DELETED_STACKS"], encoding="utf-8") as file:
    stack = json.load(file)[option("--stack-name")]
print("\t".join(jmespath.search(option("--query"), stack)))

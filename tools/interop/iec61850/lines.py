"""How a peer program is told what to do: a line in, a line out, words of JSON without spaces."""

import asyncio
import json
import os
import sys
import traceback

# The stacks may print as they like; answers go where nobody else writes.
ANSWERS = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)


MOST_EXACT = (1 << 53) - 1


def say(*words):
    print(*words, file=ANSWERS, flush=True)


def word(value):
    return json.dumps(exact(value), separators=(",", ":")).replace(" ", "\\u0020")


def exact(value):
    """Integers beyond 53 bits as text: the other side reads numbers as doubles."""
    if isinstance(value, dict):
        return {key: exact(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [exact(each) for each in value]
    return str(value) if isinstance(value, int) and abs(value) > MOST_EXACT else value


def serve(handle):
    """Answers each line of standard input, words of JSON, by `ok JSON`: what `handle` answers; or `failed JSON`: the text of what it raises."""
    asyncio.run(serve_lines(handle))


async def serve_lines(handle):
    loop = asyncio.get_running_loop()
    say("ready")
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        try:
            answered = handle(*(json.loads(text) for text in line.split()))
            say("ok", word(await answered if asyncio.iscoroutine(answered) else answered))
        except Exception as error:
            if os.environ.get("PEER_TRACE"):
                traceback.print_exc()
            say("failed", word(f"{type(error).__name__}: {error}"))

"""The first minute with Python and nothing else: an agent with a memory in forty lines.

    TESTIMONY_KEY=<the agent key> python3 quickstart/quickstart.py
"""

import json
import os
import urllib.request
import uuid

URL = os.environ.get("TESTIMONY_URL", "http://127.0.0.1:8420")
CONTAINER = os.environ.get("TESTIMONY_CONTAINER", "workspace")
KEY = os.environ["TESTIMONY_KEY"]


def ask(route, **body):
    request = urllib.request.Request(
        f"{URL}/api/v2/containers/{CONTAINER}/{route}",
        data=json.dumps(body).encode(),
        headers={"Authorization": f"Bearer {KEY}", "Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=10) as answer:
        return json.load(answer)


def turn(user_message):
    """What an agent does around a turn: context before it, writeback after it."""
    packet = ask("agent/context", user_message=user_message)
    reply = f"(a model would see {packet['tokens_injected']} tokens of memory here)"
    ask(
        "agent/writeback",
        user_message=user_message,
        preferences=["User prefers answers in Portuguese."],
        request_id=f"turn-{uuid.uuid4()}",
    )
    return packet["prompt_memory_block"], reply


if __name__ == "__main__":
    for said in ["Mara works at the observatory. Her bicycle is green.", "Hello!"]:
        for row in ask("retain", content=said)["memories"]:
            print(f"{row['lifecycle_state']:<10} {row['content']}")

    found = ask("recall", query="Where does Mara work?")
    print("known:    ", [row["content"] for row in found["results"]])

    missing = ask("recall", query="Who is the dentist of Mara?")
    print("not known:", missing["diagnostics"]["fallback_reason"])

    block, _ = turn("Where does Mara work? I prefer answers in Portuguese.")
    print(block)

    learnt = ask("recall", query="Which language does the user prefer for answers?")
    print("learnt:   ", [row["content"] for row in learnt["results"] + learnt["related_context"]])

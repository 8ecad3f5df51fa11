"""The official OpenAI package for Python against the gateway, with a model behind it that this script plays."""

import json
import os
import socket
import subprocess
import sys
import threading
import time
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import openai

PROGRAM = os.environ["CLIENTS_PROGRAM"]
FACT = "The staging database of Harborlight runs on port 6543."
QUESTION = "On which port does the staging database of Harborlight run?"
TOOL = {"type": "function", "function": {"name": "dial", "parameters": {"type": "object", "properties": {}}}}

ASKED = []
# Set when whoever read an answer without an end has left.
LEFT = threading.Event()


class Model(BaseHTTPRequestHandler):
    """Answers what the name of the model asks for."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        ASKED.append(asked)
        if asked["model"] == "busy":
            self.send_json(429, {"error": {"message": "busy", "type": "rate_limit"}}, {"Retry-After": "7"})
        elif asked["model"] == "later":
            when = formatdate(time.time() + 90, usegmt=True)
            self.send_json(429, {"error": {"message": "busy", "type": "rate_limit"}}, {"Retry-After": when})
        elif asked["model"] == "broken":
            self.send_json(200, "no json", raw=True)
        elif asked["model"] == "mute":
            self.wait_until_left()
        elif asked["model"] in ("half", "endless"):
            self.send_words(asked["model"] == "endless")
        elif self.path.endswith("/responses") and asked.get("stream"):
            self.send_events(asked["model"] == "break")
        elif self.path.endswith("/responses"):
            self.send_json(200, response())
        elif asked.get("stream"):
            self.send_stream()
        else:
            self.send_json(200, completion(asked))

    def send_json(self, status, body, headers=None, raw=False):
        body = (body if raw else json.dumps(body)).encode()
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", **(headers or {})}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def wait_until_left(self):
        # Whoever waits sends nothing, so a read ends when it leaves.
        self.connection.recv(1)
        LEFT.set()
        self.close_connection = True

    def send_words(self, for_ever):
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        choice = {"index": 0, "delta": {"content": "word "}, "finish_reason": None}
        chunk = {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]}
        try:
            self.wfile.write(f"data: {json.dumps(chunk)}\n\n".encode())
            while for_ever:
                self.wfile.write(f"data: {json.dumps(chunk)}\n\n".encode())
        except OSError:
            LEFT.set()
        self.close_connection = True

    def send_events(self, is_half):
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        for number, event in enumerate(events()[: 5 if is_half else None]):
            event = {**event, "sequence_number": number}
            self.wfile.write(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode())
        self.close_connection = True

    def send_stream(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        for word, end in (("Port ", None), ("6543.", None), ("", "stop")):
            choice = {"index": 0, "delta": {"content": word}, "finish_reason": end}
            chunk = {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]}
            self.wfile.write(f"data: {json.dumps(chunk)}\n\n".encode())
        self.wfile.write(b"data: [DONE]\n\n")
        self.close_connection = True


def completion(asked):
    message = {"role": "assistant", "content": "Port 6543."}
    end = "stop"
    if asked.get("tools"):
        call = {"id": "call_1", "type": "function", "function": {"name": "dial", "arguments": "{}"}}
        message, end = {"role": "assistant", "content": None, "tool_calls": [call]}, "tool_calls"
    usage = {"prompt_tokens": 3, "completion_tokens": 2, "total_tokens": 5}
    choice = {"index": 0, "message": message, "finish_reason": end}
    return {"id": "c1", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice], "usage": usage}


def response():
    text = {"type": "output_text", "text": "Port 6543.", "annotations": []}
    message = {"id": "m1", "type": "message", "role": "assistant", "status": "completed", "content": [text]}
    return {"id": "r1", "object": "response", "created_at": 1, "model": "m", "status": "completed", "output": [message],
            "parallel_tool_calls": False, "tool_choice": "auto", "tools": []}


def events():
    """What a model sends of a response piece by piece."""
    whole = response()
    message = whole["output"][0]
    begun = {**whole, "status": "in_progress", "output": []}
    text = message["content"][0]
    of_item = {"item_id": message["id"], "output_index": 0}
    of_part = {**of_item, "content_index": 0}
    return [
        {"type": "response.created", "response": begun},
        {"type": "response.output_item.added", "output_index": 0, "item": {**message, "status": "in_progress", "content": []}},
        {"type": "response.content_part.added", **of_part, "part": {**text, "text": ""}},
        {"type": "response.output_text.delta", **of_part, "delta": "Port ", "logprobs": []},
        {"type": "response.output_text.delta", **of_part, "delta": "6543.", "logprobs": []},
        {"type": "response.output_text.done", **of_part, "text": text["text"], "logprobs": []},
        {"type": "response.content_part.done", **of_part, "part": text},
        {"type": "response.output_item.done", "output_index": 0, "item": message},
        {"type": "response.completed", "response": whole},
    ]


def unused():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def served(port):
    with open("settings.toml", "w", encoding="utf-8") as settings:
        settings.write(f'[models.any]\nurl = "http://127.0.0.1:{port}/v1"\nmodel = "*"\nprovider = "house"\nattempts = 1\n')
        settings.write(f'[models.nobody]\nurl = "http://127.0.0.1:{unused()}/v1"\nmodel = "*"\nprovider = "nobody"\n')
        settings.write(f'[models.slow]\nurl = "http://127.0.0.1:{port}/v1"\nmodel = "mute"\nprovider = "slow"\nidle_seconds = 1\n')
    words = [PROGRAM, "serve", "--data", "gateway", "--log", "error", "--listen", "127.0.0.1:0", "--config", "settings.toml"]
    process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
    url = process.stdout.readline().split()[3]
    process.stdout.readline()
    with open("gateway/first-keys.json", encoding="utf-8") as keys:
        return process, url, json.load(keys)["agent_key"]


def talks(url, key):
    client = openai.OpenAI(base_url=f"{url}/v1", api_key=key, max_retries=0, timeout=20)
    kept = client.post("/../api/v2/containers/workspace/retain", body={"content": FACT}, cast_to=object)
    assert kept["saved"] == 1, kept
    turn = [{"role": "user", "content": QUESTION}]
    memory = {"memory": {"container_tag": "workspace"}}
    answer = client.chat.completions.create(model="house/m", messages=turn, extra_body=memory)
    assert answer.choices[0].message.content == "Port 6543."
    assert answer.memory["tokens_injected"] > 0, answer
    assert any(FACT in str(message) for message in ASKED[-1]["messages"]) and "memory" not in ASKED[-1]
    plain = client.chat.completions.create(model="house/m", messages=turn)
    assert ASKED[-1]["messages"] == turn and plain.usage.total_tokens == 5
    print("  chat, memory", flush=True)
    chunks = list(client.chat.completions.create(model="house/m", messages=turn, stream=True, extra_body=memory))
    assert "".join(chunk.choices[0].delta.content or "" for chunk in chunks) == "Port 6543."
    assert chunks[-1].memory["tokens_injected"] > 0, chunks[-1]
    called = client.chat.completions.create(model="house/m", messages=turn, tools=[TOOL])
    assert called.choices[0].message.tool_calls[0].function.name == "dial"
    replied = client.responses.create(model="house/m", input=QUESTION, extra_body=memory)
    assert replied.output_text == "Port 6543.", replied
    print("  stream, tools, responses", flush=True)
    with client.responses.stream(model="house/m", input=QUESTION, extra_body=memory) as stream:
        said = "".join(event.delta for event in stream if event.type == "response.output_text.delta")
        ended = stream.get_final_response()
    assert said == ended.output_text == "Port 6543.", ended
    assert ended.memory["tokens_injected"] > 0, ended
    assert any(FACT in str(message) for message in ASKED[-1]["input"]) and "memory" not in ASKED[-1]
    coming = list(client.responses.create(model="house/m", input=QUESTION, stream=True))
    assert [event.sequence_number for event in coming] == list(range(9)), coming
    print("  stream of a response", flush=True)
    fails(openai.RateLimitError, lambda: client.chat.completions.create(model="house/busy", messages=turn))
    fails(openai.InternalServerError, lambda: client.chat.completions.create(model="house/broken", messages=turn))
    fails(openai.NotFoundError, lambda: client.chat.completions.create(model="elsewhere/m", messages=turn))
    wrong = client.with_options(api_key="tst_agent_none")
    fails(openai.AuthenticationError, lambda: wrong.chat.completions.create(model="house/m", messages=turn))
    print("  errors", flush=True)


def goes_wrong(url, key):
    """Every way in which a model fails, as a client sees it."""
    client = openai.OpenAI(base_url=f"{url}/v1", api_key=key, max_retries=0, timeout=20)
    turn = [{"role": "user", "content": QUESTION}]

    def ask(model, **more):
        return client.chat.completions.create(model=model, messages=turn, **more)

    for model in ("nobody/m", "slow/mute"):
        fails(openai.InternalServerError, lambda model=model: ask(model))
    assert LEFT.wait(20), "the slow model was not left"
    busy = fails(openai.RateLimitError, lambda: ask("house/busy"))
    assert busy.response.headers["retry-after"] == "7", busy.response.headers
    later = fails(openai.RateLimitError, lambda: ask("house/later"))
    assert 80 <= int(later.response.headers["retry-after"]) <= 91, later.response.headers
    half = fails(openai.APIError, lambda: list(ask("house/half", stream=True)))
    assert "before its answer was whole" in half.message, half
    broken = list(client.responses.create(model="house/break", input=QUESTION, stream=True))
    assert broken[-1].type == "error" and "before its answer was whole" in broken[-1].message, broken[-1]
    print("  refused, slow, busy, half a stream", flush=True)
    LEFT.clear()
    stream = ask("house/endless", stream=True)
    words = [next(stream).choices[0].delta.content for _ in range(100)]
    assert words == ["word "] * 100
    stream.close()
    assert LEFT.wait(20), "the endless model was not left"
    LEFT.clear()
    fails(openai.APITimeoutError, lambda: ask("house/mute", timeout=1))
    assert LEFT.wait(20), "the model whose caller left was not left"
    print("  an answer without an end, a caller who leaves", flush=True)


def fails(kind, ask):
    try:
        ask()
    except kind as error:
        return error
    raise AssertionError(f"no {kind.__name__}")


def main():
    model = ThreadingHTTPServer(("127.0.0.1", 0), Model)
    threading.Thread(target=model.serve_forever, daemon=True).start()
    process, url, key = served(model.server_port)
    try:
        talks(url, key)
        goes_wrong(url, key)
    finally:
        process.terminate()
        process.wait(20)
        model.shutdown()
    return 0


sys.exit(main())

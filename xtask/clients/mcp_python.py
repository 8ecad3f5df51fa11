"""The official MCP package for Python against /mcp and through the bridge: the last revision with a handshake, and the
newest without one."""

import asyncio
import os
import subprocess
import sys
from contextlib import asynccontextmanager

import httpx2
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

PROGRAM = os.environ["CLIENTS_PROGRAM"]
URL = os.environ["CLIENTS_URL"]
KEY = os.environ["CLIENTS_KEY"]
READER = os.environ["CLIENTS_READER_KEY"]
CLOSED = os.environ["CLIENTS_CLOSED_KEY"]
WRONG = KEY[:-9] + "AAAAAAAAA"

TOOLS = {
    "memory_context", "memory_recall", "memory_retain", "memory_writeback",
    "memory_reflect", "memory_correct", "memory_case", "memory_status",
}
FACT = "The staging database of Harborlight runs on port 6543."
QUESTION = "On which port does the staging database of Harborlight run?"


@asynccontextmanager
async def over_http(key, mode, url=URL):
    headers = {"Authorization": f"Bearer {key}"}
    async with httpx2.AsyncClient(headers=headers, timeout=20) as http:
        transport = streamable_http_client(f"{url}/mcp", http_client=http)
        async with Client(transport, mode=mode, read_timeout_seconds=20) as client:
            yield client


@asynccontextmanager
async def through_bridge(key, mode, url=URL):
    bridge = StdioServerParameters(command=PROGRAM, args=["mcp", "--url", url], env={"TESTIMONY_KEY": key})
    async with Client(bridge, mode=mode, read_timeout_seconds=20) as client:
        yield client


WAYS = {"http": over_http, "bridge": through_bridge}


def say(*words):
    print(" ", *words, flush=True)


async def talks(way, mode):
    async with WAYS[way](KEY, mode) as client:
        revision = client.protocol_version
        assert revision == ("2025-11-25" if mode == "legacy" else "2026-07-28"), revision
        assert "memory_context" in client.instructions
        listed = (await client.list_tools()).tools
        assert {tool.name for tool in listed} == TOOLS, listed
        kept = await client.call_tool("memory_retain", {"content": FACT})
        assert not kept.is_error, kept
        found = await client.call_tool("memory_recall", {"query": QUESTION})
        assert found.structured_content["results"][0]["content"] == FACT, found
        assert FACT in found.content[0].text
        case = await client.call_tool("memory_case", {"memory_id": found.structured_content["results"][0]["id"]})
        assert case.structured_content["statement"] == FACT, case
        small = await client.call_tool("memory_recall", {"query": QUESTION, "max_response_bytes": 1024})
        assert not small.is_error, small
        status = await client.call_tool("memory_status", {})
        assert status.structured_content["status"] == "ok", status
        wrong = await client.call_tool("memory_recall", {"limit": 0})
        assert wrong.is_error and "/query" in wrong.content[0].text, wrong
        await fails(client.call_tool("memory_sing", {}), "no such tool")
        await gives_up(client)
    say(way, revision, "initialise, list, call, cancel")


async def gives_up(client):
    """What is no longer wanted is given up, and the conversation goes on."""
    call = asyncio.create_task(client.call_tool("memory_reflect", {"query": QUESTION}))
    await asyncio.sleep(0)
    call.cancel()
    try:
        await call
    except asyncio.CancelledError:
        pass
    after = await client.call_tool("memory_status", {})
    assert not after.is_error, after


async def fails(work, *words):
    try:
        result = await work
    except MCPError as error:
        said = str(error)
        assert all(word in said for word in words), said
        return
    raise AssertionError(f"it went well: {result}")


async def refuses(way, mode):
    async with WAYS[way](READER, mode) as client:
        names = {tool.name for tool in (await client.list_tools()).tools}
        assert names == {"memory_recall", "memory_status"}, names
        await fails(client.call_tool("memory_retain", {"content": FACT}), "memory.write")
    for key in (WRONG, CLOSED):
        try:
            async with WAYS[way](key, mode) as client:
                await client.list_tools()
        except (MCPError, ExceptionGroup, httpx2.HTTPError):
            continue
        raise AssertionError("a key that opens nothing opened something")
    say(way, mode, "missing capability, wrong key")


class Server:
    """A server of this script's own, which can be started again where it was."""

    def __init__(self):
        self.listen = "127.0.0.1:0"

    def __enter__(self):
        words = [PROGRAM, "serve", "--data", "again", "--log", "error", "--listen", self.listen]
        self.process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
        self.url = self.process.stdout.readline().split()[3]
        self.listen = self.url.removeprefix("http://")
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(20)
        self.process.stdout.close()


def key_of_its_own():
    words = [PROGRAM, "key", "create", "--json", "--data", "again", "--container", "workspace", "--agent", "again"]
    made = subprocess.run(words, capture_output=True, text=True, check=True)
    return __import__("json").loads(made.stdout)["key"]


async def survives(way, mode):
    server = Server()
    with server:
        key = key_of_its_own()
        client = WAYS[way](key, mode, server.url)
        talking = await client.__aenter__()
        await talking.call_tool("memory_status", {})
    with server:
        after = await talking.call_tool("memory_status", {})
        assert not after.is_error, after
        await client.__aexit__(None, None, None)
    say(way, mode, "reconnect")


async def main():
    for way in WAYS:
        for mode in ("legacy", "auto"):
            await talks(way, mode)
            await refuses(way, mode)
        await survives(way, "legacy")
    return 0


sys.exit(asyncio.run(main()))

"""Calls svc with Python's standard library. The address is in SVC_URL, the key in SVC_API_KEY."""

import http.client
import json as json_format
import os
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid

base = os.environ.get("SVC_URL", "http://127.0.0.1:8787")
default_key = os.environ.get("SVC_API_KEY", "")


class ApiError(Exception):
    """A response of 400 or more. body["error"] has code, message and request_id."""

    def __init__(self, status, body):
        error = body["error"]
        super().__init__(f"{status} {error['code']}: {error['message']} ({error['request_id']})")
        self.status = status
        self.body = body


def call(method, path, **options):
    """Sends a call, and returns the body of its response. Raises an ApiError."""
    status, _, content = send(method, path, **options)
    body = json_format.loads(content) if content else None
    if status >= 400:
        raise ApiError(status, body)
    return body


def poll(path):
    """Queries a task until it is finished: then poll_after_seconds is None or absent."""
    while True:
        task = call("GET", path)
        if task.get("poll_after_seconds") is None:
            return task
        time.sleep(task["poll_after_seconds"])


def send(method, path, json=None, form=None, headers=None, key=default_key):
    """Sends a call, and returns status, headers and body.

    Repeats it up to 4 times if the connection breaks, or if the response is 429, 502 or 503.
    """
    headers = dict(headers or {})
    body = None
    if key:
        headers["Authorization"] = f"Bearer {key}"
    if json is not None:
        headers["Content-Type"] = "application/json"
        body = json_format.dumps(json).encode()
    if form is not None:
        headers["Content-Type"], body = to_form(form)
    if method == "POST":
        # The same key in every repetition: the task is created, and paid for, once.
        headers.setdefault("Idempotency-Key", str(uuid.uuid4()))
    request = urllib.request.Request(base + path, body, headers, method=method)
    for repetition in range(5):
        wait = 2**repetition
        try:
            with open_url(request) as response:
                content = response.read()
            wait = int(response.headers.get("Retry-After", wait))
            # A spent budget is refilled after hours: the caller decides.
            if response.status not in (429, 502, 503) or repetition == 4 or wait > 60:
                return response.status, response.headers, content
        except (OSError, http.client.HTTPException):
            if repetition == 4:
                raise
        time.sleep(wait)


def download(url, file):
    """Stores a file, such as that of a generated_url."""
    with urllib.request.urlopen(urllib.parse.urljoin(base, url), timeout=60) as response:
        with open(file, "wb") as target:
            target.write(response.read())


def open_url(request):
    try:
        return urllib.request.urlopen(request, timeout=60)
    except urllib.error.HTTPError as error:
        return error


def to_form(fields):
    """Returns content type and body of a form; a file is bytes, a list is a repeated field."""
    boundary = uuid.uuid4().hex
    parts = []
    for name, field in fields.items():
        for value in field if isinstance(field, list) else [field]:
            is_file = isinstance(value, bytes)
            filename = f'; filename="{name}"' if is_file else ""
            head = f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"{filename}\r\n\r\n'
            parts += [head.encode(), value if is_file else str(value).encode(), b"\r\n"]
    return f"multipart/form-data; boundary={boundary}", b"".join([*parts, f"--{boundary}--\r\n".encode()])

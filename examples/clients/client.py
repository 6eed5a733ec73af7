import json
import threading
import urllib.parse
import urllib.request
from http.server import BaseHTTPRequestHandler, HTTPServer

PLATFORM = "http://localhost:4010"
notified = threading.Event()


class Webhooks(BaseHTTPRequestHandler):
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.send_response(200)
        self.end_headers()
        print(self.path, body["status"], flush=True)
        notified.set()

    def log_message(self, *_):
        pass


def call(path, body, token=None):
    headers = {"Content-Type": "application/json"}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    request = urllib.request.Request(PLATFORM + path, json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request) as answer:
        text = answer.read()
    return json.loads(text) if text else None


server = HTTPServer(("127.0.0.1", 0), Webhooks)
threading.Thread(target=server.serve_forever, daemon=True).start()

credentials = {"grant_type": "client_credentials", "client_id": "sandbox", "client_secret": "sandbox-secret"}
form = urllib.parse.urlencode(credentials).encode()
with urllib.request.urlopen(PLATFORM + "/oauth2/token", form) as answer:
    token = json.load(answer)["access_token"]

event_type = "NATURAL_PERSON_NOTIFICATION"
url = f"http://localhost:{server.server_port}/{event_type}"
call("/webhooks", {"eventType": event_type, "url": url}, token)

person = {
    "gender": "FEMALE",
    "firstName": "Erika",
    "lastName": "Magic-Rejected",
    "birthDay": "1990-02-03",
    "birthPlace": "Berlin",
    "birthCountry": "DE",
    "isUsNationality": False,
}
call("/entities/natural-persons", person, token)
notified.wait(30)

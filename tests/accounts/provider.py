"""A university's log-in server for tests: OpenID Connect with codes, PKCE and signed tokens."""

from __future__ import annotations

import base64
import hashlib
import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa

CLIENT_ID, CLIENT_SECRET = "lectern-client", "lectern-secret"


class Provider:
    """Knows who is logged in there (`person`, a set of claims) and hands out codes for them."""

    def __init__(self) -> None:
        self.person: dict[str, Any] = {}
        self.codes: dict[str, dict[str, Any]] = {}
        self.tokens: dict[str, dict[str, Any]] = {}
        self.key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        provider = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *args: Any) -> None:
                pass

            def do_GET(self) -> None:
                path = urlsplit(self.path).path
                if path == "/.well-known/openid-configuration":
                    return self.answer(provider.configuration())
                if path == "/jwks":
                    public = json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(provider.key.public_key()))
                    return self.answer({"keys": [{**public, "kid": "one", "use": "sig", "alg": "RS256"}]})
                token = self.headers.get("Authorization", "").removeprefix("Bearer ")
                if path == "/userinfo" and token in provider.tokens:
                    return self.answer(provider.tokens[token])
                return self.answer({"error": "unknown"}, 401)

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"])).decode()
                given = {name: values[0] for name, values in parse_qs(body).items()}
                answer = provider.exchange(given)
                self.answer(answer or {"error": "invalid_grant"}, 200 if answer else 400)

            def answer(self, content: Any, status: int = 200) -> None:
                data = json.dumps(content).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self) -> None:
        self.server.shutdown()
        self.server.server_close()

    def configuration(self) -> dict[str, Any]:
        return {
            "issuer": self.url,
            "authorization_endpoint": f"{self.url}/authorize",
            "token_endpoint": f"{self.url}/token",
            "userinfo_endpoint": f"{self.url}/userinfo",
            "jwks_uri": f"{self.url}/jwks",
            "token_endpoint_auth_methods_supported": ["client_secret_post"],
            "code_challenge_methods_supported": ["S256"],
        }

    def authorise(self, address: str) -> dict[str, str]:
        """Do what the browser of somebody who logs in there does; return the parameters that it brings back."""
        asked = {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}
        assert address.startswith(f"{self.url}/authorize?")
        assert (asked["client_id"], asked["response_type"]) == (CLIENT_ID, "code")
        assert asked["code_challenge_method"] == "S256"
        code = f"code-{len(self.codes)}"
        self.codes[code] = {"challenge": asked["code_challenge"], "to": asked["redirect_uri"], "person": self.person}
        return {"code": code, "state": asked["state"]}

    def exchange(self, given: dict[str, str]) -> dict[str, Any] | None:
        known = self.codes.pop(given.get("code", ""), None)
        digest = hashlib.sha256(given.get("code_verifier", "").encode()).digest()
        challenge = base64.urlsafe_b64encode(digest).decode().rstrip("=")
        proved = (given.get("client_id"), given.get("client_secret")) == (CLIENT_ID, CLIENT_SECRET)
        if known is None or not proved or challenge != known["challenge"] or given.get("redirect_uri") != known["to"]:
            return None
        token = f"token-{len(self.tokens)}"
        self.tokens[token] = known["person"]
        now = int(time.time())
        claims = {"iss": self.url, "aud": CLIENT_ID, "iat": now, "exp": now + 300, "sub": known["person"]["sub"]}
        signed = jwt.encode(claims, self.key, algorithm="RS256", headers={"kid": "one"})
        return {"access_token": token, "token_type": "Bearer", "expires_in": 300, "id_token": signed}

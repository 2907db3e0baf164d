// Who may speak to the HTTP server: the token in constant time, and on loopback nobody whom a web page sent.
import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { BlockList, isIP } from "node:net";
import { localhostAllowedHostnames, validateHostHeader, validateOriginHeader } from "@modelcontextprotocol/server";
import { PalimpsestError } from "../contract/errors.js";

const LEAST_TOKEN_BYTES = 32;

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");

export function isLoopback(host: string): boolean {
  if (host.toLowerCase() === "localhost") return true;
  const family = isIP(host);
  return family !== 0 && loopback.check(host, family === 4 ? "ipv4" : "ipv6");
}

const digest = (text: string): Buffer => createHash("sha256").update(text, "utf8").digest();

/** The name in a Host header; "" for none, which equals no name. */
const nameOf = (host = ""): string => (URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : "");

export interface Guard {
  /** Null: let it pass. */
  refusal(headers: IncomingHttpHeaders): { readonly status: 401 | 403; readonly message: string } | null;
}

/** E_INVALID_ARG for an address that others reach without a token, and for a token that is too short. */
export function guardOf(host: string, token: string | null): Guard {
  const isLocal = isLoopback(host);
  if (token === null && !isLocal) {
    throw new PalimpsestError("E_INVALID_ARG", `others can reach ${host}, and there is no token`, {
      details: { host },
      hint: "name the environment variable that holds one: --token-env NAME",
    });
  }
  if (token !== null && !/^[\x21-\x7e]*$/.test(token)) {
    throw new PalimpsestError("E_INVALID_ARG", "the token has characters that no header can carry", {
      hint: "make one: openssl rand -hex 32",
    });
  }
  if (token !== null && token.length < LEAST_TOKEN_BYTES) {
    throw new PalimpsestError("E_INVALID_ARG", `the token has ${token.length} bytes, fewer than ${LEAST_TOKEN_BYTES}`, {
      details: { bytes: token.length, least: LEAST_TOKEN_BYTES },
      hint: "make one: openssl rand -hex 32",
    });
  }
  const expected = token === null ? null : digest(token);
  return {
    refusal({ host: named, origin, authorization }) {
      // A page of another site reaches loopback by its own name (Host) or from its own place (Origin).
      // Elsewhere the server cannot know its names, and a page has to come from the one that it was reached by.
      const hosts = isLocal ? localhostAllowedHostnames() : [nameOf(named)];
      const wrong = [validateHostHeader(named, hosts), validateOriginHeader(origin, hosts)].find(({ ok }) => !ok);
      if (wrong !== undefined && !wrong.ok) return { status: 403, message: wrong.message };
      if (expected === null) return null;
      const given = /^Bearer +(\S+)$/i.exec(authorization ?? "")?.[1] ?? "";
      // Of equal length whatever was given.
      return timingSafeEqual(digest(given), expected) ? null : { status: 401, message: "a bearer token is needed" };
    },
  };
}

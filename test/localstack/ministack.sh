#!/usr/bin/env bash
# Runs a command beside a MiniStack of its own:  test/localstack/ministack.sh npm run test:localstack
# MiniStack is installed once into the user's cache, listens on 127.0.0.1 alone, on a port nobody has, with nothing of this shell's
# environment, and is stopped when the command is over. The exit code is the command's.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
if [ $# -eq 0 ]; then
  echo "usage: $0 COMMAND [ARGUMENT...]" >&2
  exit 2
fi

wanted=$(cksum <"$here/requirements.txt" | cut -d ' ' -f 1)
venv=${XDG_CACHE_HOME:-$HOME/.cache}/lockkeeper/ministack-$wanted
if [ ! -f "$venv/complete" ]; then
  echo "Installing MiniStack into $venv"
  rm -rf "$venv"
  python3 -m venv "$venv"
  "$venv/bin/pip" install --quiet --disable-pip-version-check --requirement "$here/requirements.txt"
  touch "$venv/complete"
fi

port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
url=http://127.0.0.1:$port
folder=$(mktemp -d)

# In a process group of its own: its function workers are its children, and go with it.
set -m
env -i HOME="$folder" TMPDIR="$folder" PATH="$root/node_modules/.bin:$PATH" \
  BIND_HOST=127.0.0.1 MINISTACK_HOST=127.0.0.1 GATEWAY_PORT="$port" LAMBDA_EXECUTOR=local \
  "$venv/bin/ministack" >"$folder/ministack.log" 2>&1 </dev/null &
ministack=$!
set +m

stop() {
  kill -TERM -- "-$ministack" 2>/dev/null || true
  for _ in $(seq 50); do
    kill -0 -- "-$ministack" 2>/dev/null || break
    sleep 0.1
  done
  kill -KILL -- "-$ministack" 2>/dev/null || true
  rm -rf "$folder"
}
trap stop EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

answers() { python3 -c 'import sys, urllib.request as u; u.build_opener(u.ProxyHandler({})).open(sys.argv[1], timeout=2)' "$url/_localstack/health" 2>/dev/null; }
for _ in $(seq 100); do
  if answers; then break; fi
  if ! kill -0 "$ministack" 2>/dev/null; then break; fi
  sleep 0.2
done
if ! answers; then
  echo "MiniStack does not answer at $url:" >&2
  tail -n 30 "$folder/ministack.log" >&2
  exit 1
fi

code=0
AWS_ENDPOINT_URL=$url LOCKKEEPER_REQUIRE_ENDPOINT=1 "$@" || code=$?
exit "$code"

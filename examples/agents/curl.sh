#!/usr/bin/env bash
# The same exploration with curl and nothing else: search, read the best hit, follow a link in it, cite both.
#
#   bash examples/agents/curl.sh [URL of a gateway]
set -euo pipefail

question="A deployment lost data. How do we bring the data back, and how soon must the incident be written up?"
work=$(mktemp -d)
gateway=""
trap '[ -z "$gateway" ] || kill "$gateway" 2>/dev/null; rm -rf "$work"' EXIT

fail() { echo "failed: $*" >&2; exit 1; }

if [ $# -gt 0 ]; then
  url=${1%/}
else
  repository=$(cd "$(dirname "$0")/../.." && pwd)
  (cd "$repository" && exec node --import tsx src/main.ts serve --port 0) > "$work/gateway" 2> "$work/log" &
  gateway=$!
  for _ in $(seq 300); do
    url=$(grep -o 'http://127\.0\.0\.1:[0-9]*' "$work/gateway" | sed -n 1p) && break
    kill -0 "$gateway" 2>/dev/null || fail "the gateway ended: $(cat "$work/log")"
    sleep 0.2
  done
  [ -n "$url" ] || fail "the gateway did not start"
fi

# Arguments in, the tool's JSON out; an HTTP error ends the script with the error object on standard error.
call() {
  local key=()
  [ -z "${FOCOWIKI_GATEWAY_KEY:-}" ] || key=(--header "Authorization: Bearer $FOCOWIKI_GATEWAY_KEY")
  curl --silent --show-error --fail-with-body ${key[@]+"${key[@]}"} --header 'Content-Type: application/json' \
    --data "$2" "$url/agent/engineering/tools/$1" || fail "$1 $2"
}

# Reads a file, and notes that it did.
read_file() {
  echo "$1" >> "$work/read"
  call read_file "{\"path\": \"$1\"}"
}

echo "question: $question"
hits=$(call search_files "{\"query\": \"$question\", \"limit\": 5}" | grep -o '"path":"pages/[^"]*"' | cut -d '"' -f 4) \
  || fail "the search found nothing"
first=$(sed -n 1p <<< "$hits")

text=$(read_file "$first")
grep -qF 'Restore into a **new** database' <<< "$text" || fail "$first does not say how to restore"

# Links are relative to the file that has them: pages/a/../b.md is pages/b.md.
grep -o '](\(\.\./\)*[a-z0-9/-]*\.md' <<< "$text" | cut -c 3- | sed "s#^#$(dirname "$first")/#" \
  | sed -e :again -e 's#[^/]*/\.\./##' -e 't again' > "$work/links" || fail "$first has no links"
second=$(grep -xF -f "$work/links" <<< "$hits" | grep -vxF -f "$work/read" | sed -n 1p) \
  || fail "no link of $first leads to another hit"

text=$(read_file "$second")
grep -qF 'Within five days' <<< "$text" || fail "$second does not say how soon"

[ -z "$(sort "$work/read" | uniq -d)" ] || fail "a file was read twice"
printf 'evidence read:\n'
sed 's/^/  /' "$work/read"
printf 'answer:\n  Restore into a new database, never over the old one [%s].\n' "$first"
printf '  Write the incident up within five days [%s].\n' "$second"

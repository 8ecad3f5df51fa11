#!/bin/sh
# The first minute with curl: retain, recall, hear that something is not known, get context for a turn.
#
#   testimony init --data demo --json > keys.json
#   testimony serve --data demo &
#   TESTIMONY_KEY=<the agent key> sh quickstart/quickstart.sh
set -eu

url="${TESTIMONY_URL:-http://127.0.0.1:8420}"
container="${TESTIMONY_CONTAINER:-workspace}"
: "${TESTIMONY_KEY:?set it to the agent key that the first start printed}"

ask() {
    curl --silent --show-error --max-time 10 --fail-with-body \
        --header "Authorization: Bearer $TESTIMONY_KEY" \
        --header 'Content-Type: application/json' \
        --data "$2" "$url/api/v2/containers/$container/$1"
    echo
}

echo '--- retain'
ask retain '{"content": "Mara works at the observatory. Her bicycle is green. Hello!"}'

echo '--- recall'
ask recall '{"query": "Where does Mara work?"}'

echo '--- recall something that nobody said'
ask recall '{"query": "Who is the dentist of Mara?"}'

echo '--- context for the next turn'
ask agent/context '{"user_message": "Where does Mara work?"}'
